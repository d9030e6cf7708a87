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

/** It allows 15 minutes. */
const courseId = 'python-from-zero'
const minuteMs = 60_000

let db: Database
let now: Date
const ago = (minutes: number) => new Date(now.getTime() - minutes * minuteMs)

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

async function started(uid: string, at: Date): Promise<string> {
  const result = await startAttempt(learningContext(db), { uid, courseId }, at)
  if (result.refusal !== null) {
    throw new Error(result.refusal)
  }

  return result.attemptId
}

async function attemptOf(id: string) {
  const [attempt] = await db
    .select()
    .from(tables.examAttempts)
    .where(eq(tables.examAttempts.id, id))
  if (!attempt?.deadlineAt) {
    throw new Error('No such attempt.')
  }

  return { ...attempt, deadlineAt: attempt.deadlineAt }
}

/** Turns it on as if it had been so long ago. */
async function maintenanceSince(minutes: number) {
  await recordMaintenance(db, { message: null, until: null })
  const since = ago(minutes).toISOString()
  await db.execute(sql`
    update product_state set maintenance = jsonb_set(maintenance, '{since}', to_jsonb(${since}::text))`)
}

describe('an exam during maintenance', () => {
  it('has as much time left when it ends as when it began, and says so', async () => {
    const attemptId = await started('ada', ago(10))
    await maintenanceSince(8)
    await recordMaintenance(db, { message: 'A little longer', until: null })
    await recordMaintenance(db, null, resumeExams)
    const { pausedSeconds, deadlineAt } = await attemptOf(attemptId)
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
      secondsAllowed: 15 * 60,
      secondsUsed: 11 * 60 - pausedSeconds,
      timedOut: false,
    })
  })

  it('is not handed in while it lasts, nor after it while there is time', async () => {
    const attemptId = await started('ada', ago(20))
    const over = await started('eve', ago(40))
    await maintenanceSince(10)
    expect(await submitOverdueAttempts(learningContext(db), now)).toBe(0)

    await recordMaintenance(db, null, resumeExams)
    expect(await submitOverdueAttempts(learningContext(db), now)).toBe(1)
    expect(await attemptOf(attemptId)).toMatchObject({ submittedAt: null })
    expect(await attemptOf(over)).toMatchObject({
      timedOut: true,
      pausedSeconds: 0,
      submittedAt: ago(25),
    })
  })

  it('shows on every page how much time it has left, however long maintenance lasts', async () => {
    await started('ada', ago(20))
    await maintenanceSince(10)
    const [exam, ...others] = await listRunningExams(db, 'ada')
    expect(exam?.secondsLeft).toBe(5 * 60)
    expect(others).toEqual([])

    await started('eve', ago(30))
    expect(await listRunningExams(db, 'eve')).toEqual([])
  })

  it('that began after it loses nothing by it, and one that was handed in stays as it is', async () => {
    const handedIn = await started('eve', ago(5))
    await submitAttempt(learningContext(db), { uid: 'eve', attemptId: handedIn }, ago(4))
    await maintenanceSince(3)
    const late = await started('ada', ago(1))
    expect(await countRunningAttempts(db, ago(3))).toBe(1)

    await recordMaintenance(db, null, resumeExams)
    expect((await attemptOf(late)).pausedSeconds).toBeLessThan(120)
    expect(await attemptOf(handedIn)).toMatchObject({ pausedSeconds: 0 })
  })

  it('is counted as paused while there is time, also when one whose time was over isn’t handed in yet', async () => {
    await started('eve', ago(16))
    expect(await countRunningAttempts(db, now)).toBe(0)

    await started('ada', ago(10))
    expect(await countRunningAttempts(db, now)).toBe(1)

    // By the end of maintenance that began eight minutes ago.
    const later = new Date(now.getTime() + 8 * minuteMs)
    expect(await countRunningAttempts(db, later)).toBe(0)
    expect(await countRunningAttempts(db, ago(8))).toBe(2)
  })

  it('is given its time once, however often maintenance is turned off', async () => {
    const attemptId = await started('ada', ago(5))
    await maintenanceSince(3)
    await Promise.all([
      recordMaintenance(db, null, resumeExams),
      recordMaintenance(db, null, resumeExams),
    ])

    expect((await attemptOf(attemptId)).pausedSeconds).toBeLessThan(6 * 60)
  })
})
