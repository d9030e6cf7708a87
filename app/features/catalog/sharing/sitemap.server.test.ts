import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { listSitemapPart, listSitemapParts, sitemapIndexXml, sitemapXml } from './sitemap.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

async function list(...[name, length]: [name: string, length?: number]) {
  const courses = await listSitemapPart(db, name, length)
  if (courses === 'busy') {
    throw new Error('Others are listed.')
  }

  return courses
}

describe('the list of courses for search engines', () => {
  it('comes in parts that have every course once', async () => {
    const lists = []
    for (const part of [0, 1, 2, 3]) {
      lists.push(await list(`content-${part}`, 5))
    }

    expect(lists.every(({ length }) => length <= 5)).toBe(true)
    expect(lists.flat()).toHaveLength(12)
    expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(12)
  })

  it('is a single part for the shipped courses, with the date of its last change', async () => {
    const parts = await listSitemapParts(db)
    const dates = (await list('content-0')).map(({ lastUpdated }) => lastUpdated).sort()
    expect(parts).toEqual([{ name: 'content-0', lastUpdated: dates.at(-1) }])
  })

  it('leaves out what is not published or not in the catalog', async () => {
    await db.update(courses).set({ published: false }).where(eq(courses.id, 'python-from-zero'))
    const ids = (await list('content-0')).map(({ id }) => id)
    expect(ids).toHaveLength(11)
    expect(ids).not.toContain('python-from-zero')
    expect(ids).not.toContain('complete-web-development')
  })

  it('leaves connections to visitors while crawlers ask for all parts at once', async () => {
    const lists = await Promise.all(
      Array.from({ length: 5 }, () => listSitemapPart(db, 'content-0')),
    )
    expect(lists.filter((list) => list === 'busy')).toHaveLength(3)
    expect(await list('content-0')).not.toHaveLength(0)
  })

  it.each(['content-1', 'content', 'sample-0', "content-0' or true", '-0', 'content-99999'])(
    'has no part %s',
    async (name) => {
      expect(await list(name)).toEqual([])
    },
  )
})

describe('a list for search engines', () => {
  it('names each address with its date, in characters that XML allows', () => {
    const entries = [
      { address: 'https://learn.example/?a=1&b=<2>', date: null },
      { address: 'https://learn.example/OneCourse/chess', date: '2026-10-12' },
    ]
    expect(sitemapXml(entries)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://learn.example/?a=1&amp;b=&lt;2></loc></url>
<url><loc>https://learn.example/OneCourse/chess</loc><lastmod>2026-10-12</lastmod></url>
</urlset>
`)

    expect(sitemapIndexXml(entries)).toContain(
      '<sitemap><loc>https://learn.example/OneCourse/chess</loc>',
    )
  })
})
