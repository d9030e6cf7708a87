import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { recordMaintenance } from '~/server/cache/shared-state.server'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findExamOverview, findOpenAttempt } from '../exam-page-queries.server'
import { findExamResult } from '../result/result-queries.server'
import { startAttempt, submitAttempt, submitOverdueAttempts } from './attempt-queries.server'
import { countRunningAttempts, listRunningExams, resumeExams } from './running-exam-queries.server'

const courseId = 'python-from-zero'
/** The exam of the course allows 15 minutes. */
const timeLimitMinutes = 15
const minuteMs = 60_000

let db: Database
let now: Date
const minutesBeforeNow = (minutes: number) => new Date(now.getTime() - minutes * minuteMs)

beforeEach(async () => {
  if (!db) {
    ;({ db } = await createTestDatabase())
  }

  await db.delete(tables.users)
  await recordMaintenance(db, null)
  now = await databaseTime(db)
  for (const id of ['ada', 'eve']) {
    await db
      .insert(tables.users)
      .values({ id, name: id, firstName: id, email: `${id}@learnify.example`, emailVerified: true })
    await db.insert(tables.enrollments).values({ uid: id, courseId })
  }
})

/** Starts an attempt and returns its ID. */
async function start(uid: string, at: Date): Promise<string> {
  const result = await startAttempt(learningContext(db), { uid, courseId }, at)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  return result.attemptId
}

async function getAttempt(id: string) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, id))
  if (!attempt?.deadlineAt) {
    throw new Error(`The attempt ${id} does not exist or has no deadline.`)
  }

  return { ...attempt, deadlineAt: attempt.deadlineAt }
}

/** Turns maintenance on, and dates its begin back by so many minutes. */
async function startMaintenance(minutesAgo: number) {
  await recordMaintenance(db, { message: null, until: null })
  const since = minutesBeforeNow(minutesAgo).toISOString()
  await db.execute(sql`
    update product_state set maintenance = jsonb_set(maintenance, '{since}', to_jsonb(${since}::text))`)
}

describe('an exam during maintenance', () => {
  it('has as much time after maintenance as before, and shows the pause', async () => {
    const attemptId = await start('ada', minutesBeforeNow(10))
    await startMaintenance(8)
    await recordMaintenance(db, { message: 'A little longer', until: null })
    await recordMaintenance(db, null, resumeExams)
    const { pausedSeconds, deadlineAt } = await getAttempt(attemptId)
    expect(pausedSeconds).toBeGreaterThanOrEqual(8 * 60)
    expect(pausedSeconds).toBeLessThan(9 * 60)
    expect(deadlineAt.getTime() - now.getTime()).toBe(5 * minuteMs + pausedSeconds * 1000)
    expect(await findOpenAttempt(db, 'ada', attemptId, now)).toMatchObject({ pausedSeconds })

    const end = new Date(now.getTime() + minuteMs)
    await submitAttempt(learningContext(db), { uid: 'ada', attemptId }, end)
    const overview = await findExamOverview(db, 'ada', courseId, end)
    if (!overview) {
      throw new Error('Ada is enrolled.')
    }

    const result = await findExamResult(db, { uid: 'ada', courseId, attemptId }, overview, end)
    expect(result).toMatchObject({
      secondsAllowed: timeLimitMinutes * 60,
      secondsUsed: 11 * 60 - pausedSeconds,
      timedOut: false,
    })
  })

  it('is submitted neither during maintenance nor after it until the remaining time is over', async () => {
    const pausedAttemptId = await start('ada', minutesBeforeNow(20))
    const overdueAttemptId = await start('eve', minutesBeforeNow(40))
    await startMaintenance(10)
    expect(await submitOverdueAttempts(learningContext(db), now)).toBe(0)

    await recordMaintenance(db, null, resumeExams)
    expect(await submitOverdueAttempts(learningContext(db), now)).toBe(1)
    expect(await getAttempt(pausedAttemptId)).toMatchObject({ submittedAt: null })
    expect(await getAttempt(overdueAttemptId)).toMatchObject({
      timedOut: true,
      pausedSeconds: 0,
      submittedAt: minutesBeforeNow(25),
    })
  })

  it('is listed with its remaining time, however long maintenance lasts', async () => {
    await start('ada', minutesBeforeNow(20))
    await startMaintenance(10)
    const [exam, ...others] = await listRunningExams(db, 'ada')
    expect(exam?.secondsLeft).toBe(5 * 60)
    expect(others).toEqual([])

    await start('eve', minutesBeforeNow(30))
    expect(await listRunningExams(db, 'eve')).toEqual([])
  })

  it('that starts after maintenance has begun is paused from its start, and a submitted one is not paused', async () => {
    const submittedAttemptId = await start('eve', minutesBeforeNow(5))
    const submittedAttempt = { uid: 'eve', attemptId: submittedAttemptId }
    await submitAttempt(learningContext(db), submittedAttempt, minutesBeforeNow(4))
    await startMaintenance(3)
    const lateAttemptId = await start('ada', minutesBeforeNow(1))
    expect(await countRunningAttempts(db, minutesBeforeNow(3))).toBe(1)

    await recordMaintenance(db, null, resumeExams)
    expect((await getAttempt(lateAttemptId)).pausedSeconds).toBeLessThan(120)
    expect(await getAttempt(submittedAttemptId)).toMatchObject({ pausedSeconds: 0 })
  })

  it('counts as running while it has time left, and an overdue attempt that is not submitted yet does not', async () => {
    await start('eve', minutesBeforeNow(16))
    expect(await countRunningAttempts(db, now)).toBe(0)

    await start('ada', minutesBeforeNow(10))
    expect(await countRunningAttempts(db, now)).toBe(1)

    const inEightMinutes = new Date(now.getTime() + 8 * minuteMs)
    expect(await countRunningAttempts(db, inEightMinutes)).toBe(0)
    expect(await countRunningAttempts(db, minutesBeforeNow(8))).toBe(2)
  })

  it('gets its time back once, however often maintenance is turned off', async () => {
    const attemptId = await start('ada', minutesBeforeNow(5))
    await startMaintenance(3)
    await Promise.all([
      recordMaintenance(db, null, resumeExams),
      recordMaintenance(db, null, resumeExams),
    ])

    expect((await getAttempt(attemptId)).pausedSeconds).toBeLessThan(6 * 60)
  })
})
