import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import {
  createTestDatabase,
  waitUntilQueryIsBlocked,
} from '../../../../tests/support/test-database'
import { isLessonDone } from '../lessons/kinds/lesson-rules'
import type { LearningContext } from './course-completion.server'
import { emptyProgress, type LessonProgress, mergeProgress } from './lesson-progress'
import { questionId } from './question-id.server'
import { recordLessonProgress } from './record-progress.server'
import { type ProgressRow, progressColumns, toLessonProgress } from './stored-progress.server'
import { type Interval, uniteIntervals } from './watched-intervals'

const course = 'python-from-zero'
const noon = Date.UTC(2026, 10, 20, 12)
const now = new Date(noon + 60_000)
let db: Database

async function addLearners(
  uids: readonly string[],
  { enrolled = true, timezone = null as string | null } = {},
) {
  await db.insert(tables.users).values(
    uids.map((id) => ({
      id,
      name: 'Ada',
      firstName: 'Ada',
      email: `${id}@learnify.example`,
      timezone,
    })),
  )

  if (enrolled) {
    await db.insert(tables.enrollments).values(uids.map((uid) => ({ uid, courseId: course })))
  }
}

type Options = { lessonId?: string; studyIntervals?: Interval[]; openedLengthMs?: number }

const record = (
  uid: string,
  progress: Partial<LessonProgress>,
  { lessonId = 'names-and-values', studyIntervals = [], openedLengthMs }: Options = {},
) =>
  recordLessonProgress(learningContext(db), {
    learnerLesson: { uid, courseId: course, lessonId },
    report: {
      progress: { ...emptyProgress, ...progress },
      studyIntervals,
      openedLengthMs,
      receivedAt: now,
    },
    sessionToken: null,
  })

async function stored(uid: string, lessonId = 'names-and-values') {
  const {
    rows: [row],
  } = await db.execute<ProgressRow & { done: boolean }>(
    sql`select ${progressColumns}, p.done from lesson_progress p where uid = ${uid} and lesson_id = ${lessonId}`,
  )

  return row ? { ...toLessonProgress(row), done: row.done } : null
}

async function listStudyDays(uid: string) {
  const { rows } = await db.execute<{ day: string; seconds: number }>(sql`
    select day::text, (select sum(extract(epoch from upper(part) - lower(part)))::int from unnest(studied) part) as seconds
    from study_days where uid = ${uid} order by day`)
  return rows
}

async function activityIds(uid: string) {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from activities where uid = ${uid} order by id`,
  )
  return rows.map(({ id }) => id)
}

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

describe('a report', () => {
  it('is merged into the stored progress, and the result is returned', async () => {
    await addLearners(['merge'])
    await record('merge', { watched: [[0, 5000]], position: { ms: 5000, at: noon } })
    const result = await record('merge', {
      watched: [[4000, 9000]],
      position: { ms: 2000, at: noon - 1 },
    })

    expect(result).toEqual({
      refusal: null,
      progress: { ...emptyProgress, watched: [[0, 9000]], position: { ms: 5000, at: noon } },
      isDone: false,
      canBringReward: false,
    })
  })

  it('finishes a video at 90%, and records one activity', async () => {
    await addLearners(['finish'])
    expect(await record('finish', { watched: [[0, 25_199]] })).toMatchObject({ isDone: false })

    for (const _ of [1, 2]) {
      expect(await record('finish', { watched: [[0, 25_200]] })).toMatchObject({ isDone: true })
    }

    expect(await activityIds('finish')).toEqual([`lesson:${course}:names-and-values`])
  })

  it('finishes a quiz once every question was answered', async () => {
    await addLearners(['quiz'])
    const [lesson] = await db
      .select()
      .from(tables.courseLessons)
      .where(sql`course_id = ${course} and id = 'check-values-and-names'`)
    const ids = (lesson?.questions ?? []).map(({ question }) => questionId(question))
    const options = { lessonId: 'check-values-and-names' }

    expect(await record('quiz', { answered: ids.slice(1) }, options)).toMatchObject({
      isDone: false,
    })
    expect(await record('quiz', { answered: ids.slice(0, 1) }, options)).toMatchObject({
      isDone: true,
    })
  })

  it('counts by the shorter length if the video was replaced, and is clipped to the new one', async () => {
    await addLearners(['shortened', 'lengthened'])
    expect(
      await record('shortened', { watched: [[0, 40_000]] }, { openedLengthMs: 40_000 }),
    ).toMatchObject({
      progress: { watched: [[0, 28_000]] },
      isDone: true,
    })

    const some = { watched: [[0, 18_000]], position: { ms: 18_000, at: noon } } as const
    expect(await record('lengthened', some, { openedLengthMs: 20_000 })).toMatchObject({
      isDone: true,
    })
    expect(
      await record('lengthened', { watched: [[0, 20_001]] }, { openedLengthMs: 20_000 }),
    ).toEqual({
      refusal: 'beyond-length',
    })
  })

  it('ignores progress that this kind of lesson can’t have', async () => {
    await addLearners(['kinds'])
    const everything = {
      answered: ['000000000000'],
      readToEnd: true,
      watched: [[0, 1000]] as const,
    }

    expect(await record('kinds', everything)).toMatchObject({
      progress: { answered: [], readToEnd: false, watched: [[0, 1000]] },
    })
    expect(await record('kinds', everything, { lessonId: 'check-values-and-names' })).toMatchObject(
      {
        progress: { answered: [], readToEnd: false, watched: [] },
      },
    )
  })

  it('follows the latest mark, even if the video was watched', async () => {
    await addLearners(['mark'])
    await record('mark', { watched: [[0, 28_000]] })

    expect(await record('mark', { mark: { value: 'undone', at: noon + 2 } })).toMatchObject({
      isDone: false,
    })
    expect(await record('mark', { mark: { value: 'done', at: noon + 1 } })).toMatchObject({
      isDone: false,
    })
    expect(await record('mark', { mark: { value: 'done', at: noon + 3 } })).toMatchObject({
      isDone: true,
    })
  })

  it('completes the course with the last lesson, once, even if lessons are finished at the same time', async () => {
    await addLearners(['complete'])
    const lessons = await db
      .select()
      .from(tables.courseLessons)
      .where(sql`course_id = ${course} and kind <> 'announced' and not retired`)
    const mark = { mark: { value: 'done', at: noon }, readToEnd: true } as const
    await Promise.all(lessons.map(({ id }) => record('complete', mark, { lessonId: id })))
    const [enrollment] = await db.select().from(tables.enrollments).where(sql`uid = 'complete'`)

    expect(enrollment?.completedAt).toEqual(now)
    expect(await activityIds('complete')).toContain(`completed:${course}`)
  })

  it.each([
    ['without enrollment', 'stranger', {}, {}, 'not-enrolled'],
    ['of nobody', 'nobody', {}, {}, 'signed-out'],
    ['longer than the lesson', 'refused', { watched: [[0, 28_001]] }, {}, 'beyond-length'],
    [
      'with a position longer than the lesson',
      'refused',
      { position: { ms: 30_000, at: noon } },
      {},
      'beyond-length',
    ],
    ['on a lesson that does not exist', 'refused', {}, { lessonId: 'nothing' }, 'no-lesson'],
    [
      'on a lesson without material',
      'refused',
      {},
      { lessonId: 'while-and-when-to-stop' },
      'announced',
    ],
    [
      'that marks an article unread',
      'refused',
      { mark: { value: 'done', at: noon } },
      { lessonId: 'functions-that-return' },
      'unread',
    ],
  ] as const)('%s is rejected and changes nothing', async (_, uid, progress, options, refusal) => {
    if (uid === 'refused') {
      await addLearners([uid]).catch(() => {})
    }

    if (uid === 'stranger') {
      await addLearners([uid], { enrolled: false })
    }

    expect(
      await record(uid, progress as Partial<LessonProgress>, {
        ...options,
        studyIntervals: [[noon, noon + 1000]],
      }),
    ).toEqual({
      refusal,
    })

    expect(await stored(uid)).toBeNull()
    expect(await listStudyDays(uid)).toEqual([])
  })

  it('is rejected with a session of another learner, and changes nothing', async () => {
    await addLearners(['session'])
    await db
      .insert(tables.sessions)
      .values({ id: 's', token: 't', userId: 'session', expiresAt: new Date(noon + 3_600_000) })
    const lessonKey = { uid: 'session', courseId: course, lessonId: 'names-and-values' }
    const report = { progress: emptyProgress, studyIntervals: [], receivedAt: now }
    expect(
      await recordLessonProgress(learningContext(db), {
        learnerLesson: lessonKey,
        report,
        sessionToken: 'other',
      }),
    ).toEqual({
      refusal: 'signed-out',
    })

    await addLearners(['mallory'])
    expect(
      await recordLessonProgress(learningContext(db), {
        learnerLesson: { ...lessonKey, uid: 'mallory' },
        report,
        sessionToken: 't',
      }),
    ).toEqual({
      refusal: 'other-learner',
    })

    expect(
      await recordLessonProgress(learningContext(db), {
        learnerLesson: lessonKey,
        report,
        sessionToken: 't',
      }),
    ).toMatchObject({
      refusal: null,
    })
    expect(
      await recordLessonProgress(learningContext(db), {
        learnerLesson: lessonKey,
        report: { ...report, receivedAt: new Date(noon + 7_200_000) },
        sessionToken: 't',
      }),
    ).toEqual({
      refusal: 'signed-out',
    })
  })
})

describe('study time', () => {
  it('counts a minute once, however often and from however many devices it is reported', async () => {
    await addLearners(['studied'])
    for (const studyIntervals of [
      [[noon, noon + 60_000]],
      [[noon + 30_000, noon + 90_000]],
      [[noon, noon + 60_000]],
    ] as Interval[][]) {
      await record('studied', {}, { studyIntervals })
    }

    expect([...(await listStudyDays('studied'))]).toEqual([{ day: '2026-11-20', seconds: 90 }])
  })

  it("is split at midnight of the learner's time zone", async () => {
    await addLearners(['zone'], { timezone: 'America/Los_Angeles' })
    const midnight = Date.UTC(2026, 10, 21, 8)
    await record('zone', {}, { studyIntervals: [[midnight - 60_000, midnight + 30_000]] })

    expect([...(await listStudyDays('zone'))]).toEqual([
      { day: '2026-11-20', seconds: 60 },
      { day: '2026-11-21', seconds: 30 },
    ])
  })

  it('is split by the time zone of the browser if the learner hasn’t chosen one', async () => {
    await addLearners(['browser'])
    await db
      .update(tables.users)
      .set({ detectedTimezone: 'Pacific/Auckland' })
      .where(sql`id = 'browser'`)
    const midnight = Date.UTC(2026, 10, 20, 11)
    await record('browser', {}, { studyIntervals: [[midnight - 60_000, midnight + 30_000]] })

    expect([...(await listStudyDays('browser'))]).toEqual([
      { day: '2026-11-20', seconds: 60 },
      { day: '2026-11-21', seconds: 30 },
    ])
  })

  it('is correct on the day on which the clocks change', async () => {
    await addLearners(['summer'], { timezone: 'America/New_York' })
    const change = Date.UTC(2026, 10, 1, 6)
    await record('summer', {}, { studyIntervals: [[change - 7_200_000, change + 7_200_000]] })

    expect([...(await listStudyDays('summer'))]).toEqual([{ day: '2026-11-01', seconds: 14_400 }])
  })
})

const piece = fc
  .tuple(fc.integer({ min: 0, max: 24_000 }), fc.integer({ min: 1, max: 4_000 }))
  .map(([start, length]): Interval => [start, start + length])
const at = fc.integer({ min: 0, max: 3 }).map((ms) => noon + ms)
const step: fc.Arbitrary<LessonProgress> = fc.record({
  watched: fc.array(piece, { maxLength: 2 }).map((list) => uniteIntervals(list)),
  position: fc.option(fc.record({ ms: fc.integer({ min: 0, max: 28_000 }), at })),
  mark: fc.option(fc.record({ value: fc.constantFrom('done', 'undone'), at }), { freq: 2 }),
  answered: fc.subarray(['aaaaaaaaaaaa', 'bbbbbbbbbbbb']),
  readToEnd: fc.boolean(),
})
/**
 * One device's visit: cumulative reports, of which all but the last may be lost; any may be sent
 * again.
 */
const device = fc
  .array(fc.record({ step, copies: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((steps) => {
    const cumulative = steps.map((_, index) =>
      steps
        .slice(0, index + 1)
        .reduce((sum, { step: next }) => mergeProgress(sum, next), emptyProgress),
    )
    return cumulative.flatMap((progress, index) => {
      const copies = steps[index]?.copies ?? 0
      return Array.from(
        { length: index === steps.length - 1 ? copies + 1 : copies },
        () => progress,
      )
    })
  })
const interleaving = fc.tuple(device, device).chain(([one, other]) =>
  fc.record({
    sequential: fc.constant([...one, ...other]),
    shuffled: fc.shuffledSubarray([...one, ...other], { minLength: one.length + other.length }),
  }),
)

type KindOfLesson = Parameters<typeof isLessonDone>[0] & { id: string }

async function listLessonsOfEachKind(): Promise<KindOfLesson[]> {
  const rows = await db
    .select()
    .from(tables.courseLessons)
    .where(
      sql`course_id = ${course} and id in ('names-and-values', 'check-values-and-names', 'functions-that-return')`,
    )

  return rows.map(({ id, kind, durationSeconds, questions }) => ({
    id,
    kind,
    durationSeconds,
    questionIds: (questions ?? []).map(({ question }) => questionId(question)),
  }))
}

/**
 * The same as this lesson's page would send it: its own questions, and no mark on an article before
 * its end.
 */
function sentTo({ kind, questionIds }: KindOfLesson, progress: LessonProgress): LessonProgress {
  const answered = progress.answered.map((_, index) => questionIds[index] ?? 'ffffffffffff').sort()
  return { ...progress, answered, readToEnd: progress.readToEnd || kind === 'article' }
}

/** The part of the progress that is possible in this lesson. */
function fitting({ kind }: KindOfLesson, progress: LessonProgress): LessonProgress {
  return {
    ...progress,
    watched: kind === 'video' ? progress.watched : [],
    answered: kind === 'quiz' ? progress.answered : [],
    readToEnd: kind === 'article' && progress.readToEnd,
  }
}

describe('reports of two devices', () => {
  it('that are the first at the same time keep the order of locks, because one starts over', async () => {
    await addLearners(['first'])
    const transactionStarts: Date[] = []
    const context: LearningContext = {
      db,
      grantDueRewards: async (transaction) => {
        const { rows } = await transaction.execute<{ at: string }>(sql`select now()::text as at`)
        transactionStarts.push(new Date(rows[0]?.at ?? ''))
      },
    }
    const key = { uid: 'first', courseId: course, lessonId: 'names-and-values' }
    const report = {
      progress: { ...emptyProgress, watched: [[0, 28_000]] as const },
      studyIntervals: [],
      receivedAt: now,
    }

    const { recording, committedAfter } = await db.transaction(async (otherDevice) => {
      await otherDevice.insert(tables.lessonProgress).values(key)
      const running = recordLessonProgress(context, {
        learnerLesson: key,
        report,
        sessionToken: null,
      })
      await waitUntilQueryIsBlocked(db)
      const { rows } = await otherDevice.execute<{ at: string }>(
        sql`select clock_timestamp()::text as at`,
      )

      return { recording: running, committedAfter: new Date(rows[0]?.at ?? '') }
    })

    expect(await recording).toMatchObject({ refusal: null, isDone: true })
    // A transaction that had begun before would hold the lock of the course already.
    expect(transactionStarts).toHaveLength(1)
    expect(Number(transactionStarts[0])).toBeGreaterThan(Number(committedAfter))
  })

  it('give the same result in any order, with lost and repeated reports', async () => {
    const runs = fc.sample(interleaving, { numRuns: 60, seed: 20_261_120 })
    await addLearners(runs.map((_, index) => `run-${index}`))
    const lessons = await listLessonsOfEachKind()
    const getLesson = (index: number) => lessons[index % lessons.length] as (typeof lessons)[number]
    const queue = [...runs.entries()]
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let run = queue.pop(); run; run = queue.pop()) {
          const [index, { shuffled }] = run
          // Two at a time, so that statements really race.
          for (let next = 0; next < shuffled.length; next += 2) {
            await Promise.all(
              shuffled.slice(next, next + 2).map((progress) =>
                record(`run-${index}`, sentTo(getLesson(index), progress), {
                  lessonId: getLesson(index).id,
                }),
              ),
            )
          }
        }
      }),
    )
    const { rows } = await db.execute<ProgressRow & { done: boolean; uid: string }>(
      sql`select ${progressColumns}, p.done, p.uid from lesson_progress p where uid like 'run-%'`,
    )
    const states = new Map(
      rows.map((row) => [row.uid, { ...toLessonProgress(row), done: row.done }]),
    )
    for (const [index, { sequential }] of runs.entries()) {
      const lesson = getLesson(index)
      const expected = fitting(
        lesson,
        sequential.map((progress) => sentTo(lesson, progress)).reduce(mergeProgress, emptyProgress),
      )
      expect(states.get(`run-${index}`)).toEqual({
        ...expected,
        done: isLessonDone(lesson, expected),
      })
    }
  })
})
