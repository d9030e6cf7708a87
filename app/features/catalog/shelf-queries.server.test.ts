import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { listHomeCourses, listRelatedCourses } from './shelf-queries.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

async function listRelatedIds(courseId: string) {
  const relatedCourses = await listRelatedCourses(db, courseId)
  return relatedCourses.map(({ id }) => id)
}

describe('the courses beside a course', () => {
  it('are four others of the catalog: first those of its category, then those with most students', async () => {
    const python = await listRelatedIds('python-from-zero')
    const photography = await listRelatedIds('photography-light-and-composition')

    expect(python.slice(0, 2).toSorted()).toEqual([
      'data-structures-and-algorithms',
      'machine-learning-foundations',
    ])
    expect(photography).toHaveLength(4)
    expect(python).not.toContain('complete-web-development')
    expect(photography).not.toContain('complete-web-development')
    expect(photography).not.toContain('photography-light-and-composition')
    expect(await listRelatedIds('complete-web-development')).toHaveLength(4)
  })

  it('start with those that teach the same skill', async () => {
    await db
      .update(courses)
      .set({ skills: sql`skills || array['Patience']` })
      .where(sql`id in ('python-from-zero', 'typography-for-screens')`)

    expect((await listRelatedIds('python-from-zero'))[0]).toBe('typography-for-screens')
  })

  it('leave out courses that are not published', async () => {
    await db
      .update(courses)
      .set({ published: false })
      .where(eq(courses.id, 'typography-for-screens'))
    expect(await listRelatedIds('python-from-zero')).not.toContain('typography-for-screens')
  })

  it('of an unknown course are the popular ones', async () => {
    expect(await listRelatedIds("' or 1=1 --")).toEqual(
      (await listHomeCourses(db)).map(({ id }) => id),
    )
  })
})

it('the popular courses are those with most students', async () => {
  const homeCourses = await listHomeCourses(db)

  expect(homeCourses).toHaveLength(4)
  expect(homeCourses[0]?.id).toBe('python-from-zero')
})
