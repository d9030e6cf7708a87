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

const related = async (id: string) => (await listRelatedCourses(db, id)).map((course) => course.id)

describe('the courses beside a course', () => {
  it('are four others of the catalog: first those of its category, then those with most students', async () => {
    const [python, photography] = [
      await related('python-from-zero'),
      await related('photography-light-and-composition'),
    ]
    expect(python.slice(0, 2).toSorted()).toEqual([
      'data-structures-and-algorithms',
      'machine-learning-foundations',
    ])
    expect(photography).toHaveLength(4)
    for (const list of [python, photography]) {
      expect(list).not.toContain('complete-web-development')
    }

    expect(photography).not.toContain('photography-light-and-composition')
    expect(await related('complete-web-development')).toHaveLength(4)
  })

  it('are rather those that teach the same', async () => {
    await db
      .update(courses)
      .set({ skills: sql`skills || array['Patience']` })
      .where(sql`id in ('python-from-zero', 'typography-for-screens')`)
    expect((await related('python-from-zero'))[0]).toBe('typography-for-screens')
  })

  it('leave out what is not offered', async () => {
    await db
      .update(courses)
      .set({ published: false })
      .where(eq(courses.id, 'typography-for-screens'))
    expect(await related('python-from-zero')).not.toContain('typography-for-screens')
  })

  it('of an unknown course are the popular ones', async () => {
    expect(await related("' or 1=1 --")).toEqual((await listHomeCourses(db)).map(({ id }) => id))
  })
})

it('the popular courses are those with most students', async () => {
  const list = await listHomeCourses(db)
  expect(list).toHaveLength(4)
  expect(list[0]?.id).toBe('python-from-zero')
})
