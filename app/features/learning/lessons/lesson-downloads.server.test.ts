import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findLessonPage } from './lesson-queries.server'
import { findDownload } from './load-lesson-page.server'

const courseId = 'python-from-zero'
const place = { uid: 'ada', courseId, lessonId: 'names-and-values' }
const now = new Date('2026-11-22T09:00:00Z')
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
  for (const id of ['ada', 'eve']) {
    await db
      .insert(tables.users)
      .values({ id, email: `${id}@test.example`, name: id, firstName: id })
  }

  await db.insert(tables.enrollments).values({ uid: 'ada', courseId })
})
beforeEach(() => offer([{ file: 'log.csv', title: 'A log', bytes: 1200 }]))

function offer(downloads: { file: string; title: string; bytes: number }[]) {
  const lesson = and(
    eq(tables.courseLessons.courseId, courseId),
    eq(tables.courseLessons.id, place.lessonId),
  )
  return db.update(tables.courseLessons).set({ downloads }).where(lesson)
}

it('an enrolled learner gets a signed address of a file that the lesson offers', async () => {
  expect(await findDownload(db, place, 'log.csv', now)).toMatch(
    /^\/media\/courses\/python-from-zero\/downloads\/log\.csv\?until=\d+&key=/,
  )
})

it.each([
  ['somebody who is not enrolled', { uid: 'eve' }, 'log.csv'],
  ['a visitor', { uid: '' }, 'log.csv'],
  ['another file', {}, 'other.csv'],
  ['the exam', {}, '../exam.yaml'],
  ['a file of another lesson', { lessonId: 'text-numbers-and-conversion' }, 'log.csv'],
  ['a course that does not exist', { courseId: 'nothing' }, 'log.csv'],
])('there is no address for %s', async (_who, other, file) => {
  expect(await findDownload(db, { ...place, ...other }, file, now)).toBeNull()
})

it('the lesson’s page names title, kind and size, and the curriculum counts', async () => {
  await offer([
    { file: 'log.csv', title: 'A log', bytes: 1200 },
    { file: 'sum.py', title: 'The program', bytes: 300 },
  ])
  const lessonPage = await findLessonPage(db, place, { scope: 'lesson', from: 0 })
  expect(lessonPage?.page.lesson.downloads).toEqual([
    { file: 'log.csv', title: 'A log', kind: 'CSV data', bytes: 1200 },
    { file: 'sum.py', title: 'The program', kind: 'Python', bytes: 300 },
  ])

  const entries = lessonPage?.page.sections.flatMap(({ lessons }) => lessons) ?? []
  expect(entries.find(({ id }) => id === place.lessonId)?.downloads).toEqual({
    count: 2,
    bytes: 1500,
  })
})
