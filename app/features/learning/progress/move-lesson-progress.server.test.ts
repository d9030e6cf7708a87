import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { type LessonProgress, mergeProgress } from './lesson-progress'
import { moveLessonProgress } from './move-lesson-progress.server'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
  toProgressRow,
} from './stored-progress.server'
import { uniteIntervals } from './watched-intervals'

const courseId = 'python-from-zero'
/** The previous ID of the lesson. */
const alias = 'names-and-values'
const lessonId = 'text-numbers-and-conversion'
const anyTime = fc.integer({ min: 1, max: 3 }).map((ms) => Date.UTC(2026, 10, 20) + ms)
const anyInterval = fc.tuple(fc.nat(24_000), fc.integer({ min: 1, max: 4_000 }))
const anyProgress: fc.Arbitrary<LessonProgress> = fc.record({
  watched: fc
    .array(anyInterval, { maxLength: 3 })
    .map((list) => uniteIntervals(list.map(([from, ms]) => [from, from + ms]))),
  position: fc.option(fc.record({ ms: fc.nat(28_000), at: anyTime })),
  mark: fc.option(fc.record({ value: fc.constantFrom('done', 'undone'), at: anyTime }), {
    freq: 2,
  }),
  answered: fc.subarray(['aaaaaaaaaaaa', 'bbbbbbbbbbbb']),
  readToEnd: fc.boolean(),
})
const anyStoredProgress = fc.record({ progress: anyProgress, earned: fc.option(anyTime) })
const anyLearner = fc.record({
  before: fc.option(anyStoredProgress),
  now: fc.option(anyStoredProgress),
})

it('progress under an old and a new id becomes one, by the rule for reports', async () => {
  const { db } = await createTestDatabase()
  const learners = fc
    .sample(anyLearner, { numRuns: 200, seed: 20_261_122 })
    .map((each, index) => ({ ...each, uid: `u${index}` }))
  await db.insert(tables.users).values(
    learners.map(({ uid }) => ({
      id: uid,
      name: uid,
      firstName: uid,
      email: `${uid}@test.example`,
    })),
  )
  const rows = learners.flatMap(({ uid, before, now }) => [
    ...(before
      ? [{ uid, lesson: alias, earned: before.earned, ...toProgressRow(before.progress) }]
      : []),
    ...(now ? [{ uid, lesson: lessonId, earned: now.earned, ...toProgressRow(now.progress) }] : []),
  ])
  await db.execute(sql`
    insert into lesson_progress
      (uid, course_id, lesson_id, watched_ms, position_ms, position_at, mark, marked_at, answered, read_to_end, earned_at)
    select uid, ${courseId}, lesson, watched, position_ms, position_at, mark, marked_at, answered, read_to_end,
      to_timestamp(earned::float8 / 1000)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (uid text, lesson text, watched int4multirange,
      position_ms int, position_at timestamptz, mark text, marked_at timestamptz, answered text[], read_to_end boolean, earned bigint)`)

  await db.transaction((transaction) =>
    moveLessonProgress(transaction, { courseId, alias, lessonId }),
  )

  const { rows: moved } = await db.execute<
    ProgressRow & { uid: string; earned: string | null }
  >(sql`
    select p.uid, (extract(epoch from p.earned_at) * 1000)::bigint::text as earned, ${progressColumns}
    from lesson_progress p where p.course_id = ${courseId} and p.lesson_id = ${lessonId}`)
  const workByLearner = new Map(
    moved.map((row) => [
      row.uid,
      { progress: toLessonProgress(row), earned: row.earned && Number(row.earned) },
    ]),
  )

  for (const { uid, before, now } of learners) {
    const both = before && now
    const earned = [before?.earned, now?.earned].filter((moment) => moment != null)
    expect(workByLearner.get(uid)).toEqual(
      before || now
        ? {
            progress: both
              ? mergeProgress(before.progress, now.progress)
              : (before ?? now)?.progress,
            earned: earned.length > 0 ? Math.min(...earned) : null,
          }
        : undefined,
    )
  }

  expect(await db.$count(tables.lessonProgress, eq(tables.lessonProgress.lessonId, alias))).toBe(0)
})

it('a question to practice moves with its quiz', async () => {
  const { db } = await createTestDatabase()
  await db
    .insert(tables.users)
    .values({ id: 'ada', name: 'Ada', firstName: 'Ada', email: 'ada@test.example' })
  const card = {
    uid: 'ada',
    courseId,
    stability: 1,
    difficulty: 5,
    seenAt: new Date(),
    seenOn: '2026-11-20',
    dueOn: '2026-11-21',
  }

  await db.insert(tables.practiceCards).values([
    { ...card, questionId: 'aaaaaaaaaaaa', lessonId: alias },
    { ...card, questionId: 'bbbbbbbbbbbb', lessonId },
    { ...card, questionId: 'cccccccccccc', lessonId: null },
  ])

  await db.transaction((transaction) =>
    moveLessonProgress(transaction, { courseId, alias, lessonId }),
  )
  const rows = await db.select().from(tables.practiceCards).orderBy(tables.practiceCards.questionId)

  expect(rows.map((row) => row.lessonId)).toEqual([lessonId, lessonId, null])
})
