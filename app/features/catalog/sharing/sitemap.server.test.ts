import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { createTestDatabase } from '../../../../tests/support/test-database'
import {
  formatSitemap,
  formatSitemapIndex,
  listSitemapPart,
  listSitemapParts,
} from './sitemap.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

async function listPart(name: string, partLength?: number) {
  const courses = await listSitemapPart(db, name, partLength)
  if (courses === 'busy') {
    throw new Error('Too many other parts are being read.')
  }

  return courses
}

describe('the list of courses for search engines', () => {
  it('comes in parts that have every course once', async () => {
    const parts = []
    for (const number of [0, 1, 2, 3]) {
      parts.push(await listPart(`content-${number}`, 5))
    }

    expect(parts.every(({ length }) => length <= 5)).toBe(true)
    expect(parts.flat()).toHaveLength(12)
    expect(new Set(parts.flat().map(({ id }) => id)).size).toBe(12)
  })

  it('is a single part for the shipped courses, with the date of its last change', async () => {
    const parts = await listSitemapParts(db)

    const dates = (await listPart('content-0')).map(({ lastUpdated }) => lastUpdated).sort()

    expect(parts).toEqual([{ name: 'content-0', lastUpdated: dates.at(-1) }])
  })

  it('leaves out what is not published or not in the catalog', async () => {
    await db.update(courses).set({ published: false }).where(eq(courses.id, 'python-from-zero'))
    const ids = (await listPart('content-0')).map(({ id }) => id)

    expect(ids).toHaveLength(11)
    expect(ids).not.toContain('python-from-zero')
    expect(ids).not.toContain('complete-web-development')
  })

  it('leaves connections to visitors while crawlers request all parts at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 5 }, () => listSitemapPart(db, 'content-0')),
    )

    expect(results.filter((result) => result === 'busy')).toHaveLength(3)
    expect(await listPart('content-0')).not.toHaveLength(0)
  })

  it.each(['content-1', 'content', 'sample-0', "content-0' or true", '-0', 'content-99999'])(
    'has no part %s',
    async (name) => {
      expect(await listPart(name)).toEqual([])
    },
  )
})

describe('the XML of a sitemap', () => {
  it('names each URL with its date, and escapes characters that XML reserves', () => {
    const entries = [
      { url: 'https://learn.example/?a=1&b=<2>', lastChange: null },
      { url: 'https://learn.example/OneCourse/chess', lastChange: '2026-10-12' },
    ]

    expect(formatSitemap(entries)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://learn.example/?a=1&amp;b=&lt;2></loc></url>
<url><loc>https://learn.example/OneCourse/chess</loc><lastmod>2026-10-12</lastmod></url>
</urlset>
`)

    expect(formatSitemapIndex(entries)).toContain(
      '<sitemap><loc>https://learn.example/OneCourse/chess</loc>',
    )
  })
})
