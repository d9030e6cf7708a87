import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enrollAndReward, learningContext } from '~/features/certificates/rewards.server'
import { addBookmark, removeBookmark } from '~/features/learning/lessons/bookmark-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import type { Interval } from '~/features/learning/progress/watched-intervals'
import { maxExamScores } from '~/features/profile/learner-record'
import { getLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { connect, type Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { failure } from '~/server/result'
import { operatorContext } from '../../../tests/support/operator'
import { createTestDatabase } from '../../../tests/support/test-database'
import { enrollLearnerAsStaff } from './enrollment-actions.server'
import { enrollLearner } from './enrollment-queries.server'
import { learnerLimits } from './learner-limits'
import { addWish } from './wish-queries.server'

const uid = 'ada'
const now = new Date('2026-11-20T12:00:00Z')
const python = 'python-from-zero'
const manyCourses = 700
const manyLessons = 300
let db: Database
let other: Database

beforeAll(async () => {
  const opened = await createTestDatabase()
  db = opened.db
  const { database } = connect(opened.url, { poolSize: 10 })
  other = database
  await db.execute(sql`
    insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', 'many-' || i))).*
    from courses c, generate_series(1, ${manyCourses}::int) i where c.id = ${python}`)
  await db.execute(sql`
    insert into course_lessons (course_id, id, section_id, position, title, kind, duration_seconds, preview)
    select ${python}, 'many-' || i, l.section_id, 1000 + i, 'Lesson ' || i, 'article', 60, false
    from (select * from course_lessons where course_id = ${python} limit 1) l, generate_series(1, ${manyLessons}::int) i`)
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db
    .insert(tables.users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const ids = (count: number) => Array.from({ length: count }, (_, index) => `many-${index + 1}`)

describe('an account is limited in', () => {
  it('its enrollments, even if requests arrive at once, and existing ones stay', async () => {
    const results = await Promise.all(
      Array.from({ length: 7 }, (_, part) =>
        enrollLearner(other, uid, ids(manyCourses).slice(part * 100, part * 100 + 100)),
      ),
    )

    expect(await db.$count(tables.enrollments)).toBe(learnerLimits.enrollments)
    expect(results.flat()).toHaveLength(learnerLimits.enrollments)

    const [first = ''] = results.flat()
    expect(await enrollLearner(db, uid, [first, python])).toEqual([first])
  })

  it('its enrollments by staff, who are told so unless the course does not exist', async () => {
    await enrollLearner(db, uid, ids(learnerLimits.enrollments))
    const context = operatorContext(db)
    const enrollAsStaff = (courseId: string) =>
      enrollLearnerAsStaff(context, { account: uid, courseId }, enrollAndReward)

    expect(await enrollAsStaff(python)).toEqual(
      failure('A learner can be enrolled in at most 500 courses.'),
    )
    expect(await enrollAsStaff('flying')).toEqual(
      failure("Nothing was changed: no published course has the ID 'flying'."),
    )
  })

  it('its wishes, and the learner is told so', async () => {
    const results = await Promise.all(
      ids(learnerLimits.wishes + 20).map((id) => addWish(other, uid, id)),
    )
    expect(results.filter((result) => result === 'full')).toHaveLength(20)
    expect(await db.$count(tables.wishes)).toBe(learnerLimits.wishes)

    const [remainingRow] = await db.select().from(tables.wishes).limit(1)
    expect(await addWish(db, uid, remainingRow?.courseId ?? '')).toBe('saved')
  })

  it('its bookmarks, and the learner is told so', async () => {
    await enrollLearner(db, uid, python)
    const bookmark = (lessonId: string) => addBookmark(other, { uid, courseId: python, lessonId })
    const results = await Promise.all(ids(learnerLimits.bookmarks + 20).map((id) => bookmark(id)))
    expect(results.filter((result) => result === 'full')).toHaveLength(20)
    expect(await db.$count(tables.bookmarks)).toBe(learnerLimits.bookmarks)

    const [remainingRow] = await db.select().from(tables.bookmarks).limit(1)
    const lessonId = remainingRow?.lessonId ?? ''
    expect(await bookmark(lessonId)).toBe('saved')

    await removeBookmark(db, { uid, courseId: python, lessonId })
    expect(await db.$count(tables.bookmarks)).toBe(learnerLimits.bookmarks - 1)
  })

  it('the played intervals of a video and the study intervals of a day, but playing a whole video is always accepted', async () => {
    await enrollLearner(db, uid, python)
    const learnerLesson = { uid, courseId: python, lessonId: 'names-and-values' }
    const report = (watched: Interval[], studyIntervals: Interval[]) =>
      recordLessonProgress(learningContext(db), {
        learnerLesson,
        report: {
          progress: { ...emptyProgress, watched },
          studyIntervals,
          receivedAt: now,
        },
        sessionToken: null,
      })
    const midnight = Date.parse('2026-11-20T00:00:00Z')
    for (let part = 0; part < 4; part++) {
      const starts = Array.from({ length: 1500 }, (_, index) => (part * 1500 + index) * 4)
      await report(
        starts.map((start) => [start, start + 1]),
        starts.map((start) => [midnight + start, midnight + start + 1]),
      )
    }

    const {
      rows: [pieces],
    } = await db.execute<{ watched: number; studied: number }>(sql`
      select (select count(*)::int from lesson_progress p, unnest(p.watched_ms) where p.uid = ${uid}) as watched,
        (select count(*)::int from study_days d, unnest(d.studied) where d.uid = ${uid}) as studied`)

    expect(pieces?.watched).toBeLessThanOrEqual(learnerLimits.watchedIntervals)
    expect(pieces?.studied).toBeLessThanOrEqual(1500)
    expect(await report([[0, 28_000]], [])).toMatchObject({
      isDone: true,
      progress: { watched: [[0, 28_000]] },
    })
  })
})

it('the record of a learner who has reached every limit is small', async () => {
  await enrollLearner(db, uid, [python, ...ids(manyCourses)])
  for (const id of ids(learnerLimits.bookmarks)) {
    await addBookmark(db, { uid, courseId: python, lessonId: id })
  }

  await db.execute(sql`
    insert into exam_attempts (uid, id, course_id, title, score, max_score, submitted_at)
    select ${uid}, 'a' || i, ${python}, repeat('Exam ', 40), i % 9, 8, now() - i * interval '1 hour'
    from generate_series(1, 5000) i`)
  await db.execute(sql`
    insert into activities (uid, id, type, text, at)
    select ${uid}, 'a' || i, 'lesson', repeat('Finished ', 40), now() - i * interval '1 hour' from generate_series(1, 5000) i`)
  await db.execute(sql`
    insert into wishes (uid, course_id) select ${uid}, id from courses
    where published and id not in (select course_id from enrollments where uid = ${uid}) limit ${learnerLimits.wishes}`)
  const record = await getLearnerRecord(db, uid, now)

  expect(record.examScores).toHaveLength(maxExamScores)
  expect(record.examFigures).toEqual({ taken: 5000, best: 100, average: expect.any(Number) })
  expect(record.totalCourses).toBe(learnerLimits.enrollments)
  expect(JSON.stringify(record).length).toBeLessThan(320_000)
})
