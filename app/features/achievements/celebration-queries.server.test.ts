import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { grantDueAchievements } from './achievement-queries.server'
import { findCelebration, markCelebrationsSeen } from './celebration-queries.server'

const uid = 'ada'
const course = 'python-from-zero'
let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db
    .insert(tables.users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const recordMilestone = (id: string, uncelebrated = true) =>
  recordActivity(db, uid, { id, type: 'milestone', text: 'Earned', uncelebrated })

/** Returns the next celebration and marks it as seen, as a page does. */
async function showNext(database: Database, learner: string) {
  const waiting = await findCelebration(database, learner)
  if (waiting) {
    await markCelebrationsSeen(database, learner, waiting.events)
  }

  return waiting?.celebration ?? null
}

/** Returns all celebrations in the order in which pages show them. */
async function showAll() {
  const seenCelebrations = []
  for (
    let celebration = await showNext(db, uid);
    celebration;
    celebration = await showNext(db, uid)
  ) {
    seenCelebrations.push(celebration)
  }

  return seenCelebrations
}

const recordStudyDays = (...days: string[]) =>
  db
    .insert(tables.studyDays)
    .values(days.map((day) => ({ uid, day, studied: `{["${day}T12:00Z","${day}T12:30Z")}` })))
const grantAchievements = (now: string) =>
  db.transaction((transaction) =>
    grantDueAchievements(transaction, uid, new Date(`${now}T12:30:00Z`)),
  )

describe('a celebration is shown', () => {
  it('once and not again after a reload', async () => {
    await recordMilestone('achievement:bookworm')

    expect(await showNext(db, uid)).toEqual({ kind: 'achievement', id: 'bookworm' })
    expect(await showNext(db, uid)).toBeNull()
  })

  it('one at a time, the most important first', async () => {
    await recordMilestone('achievement:bookworm')
    await recordMilestone('streak:3:2026-11-20')
    await recordMilestone(`completed:${course}`)
    await recordMilestone('achievement:consistent-learner')
    const kinds = (await showAll()).map(({ kind }) => kind)

    expect(kinds).toEqual(['course', 'achievement', 'achievement', 'streak'])
  })

  it('again until the learner has seen it', async () => {
    await recordMilestone('achievement:bookworm')
    const waiting = await findCelebration(db, uid)
    expect(waiting).toEqual({
      celebration: { kind: 'achievement', id: 'bookworm' },
      events: ['achievement:bookworm'],
    })

    await markCelebrationsSeen(db, 'someone-else', waiting?.events ?? [])
    expect(await findCelebration(db, uid)).toEqual(waiting)

    await markCelebrationsSeen(db, uid, waiting?.events ?? [])
    expect(await findCelebration(db, uid)).toBeNull()
  })

  it('only to its own learner', async () => {
    await recordMilestone('achievement:bookworm')
    await recordMilestone('lesson:a:b', false)

    expect(await showNext(db, 'someone-else')).toBeNull()
    expect(await showAll()).toHaveLength(1)
  })
})

describe('a finished course', () => {
  it('leads to the exam, then to the confirmation of the email address', async () => {
    const next = async () => {
      await db.delete(tables.activities)
      await recordMilestone(`completed:${course}`)
      const celebration = await showNext(db, uid)

      return celebration?.kind === 'course' ? celebration.next : null
    }

    await db.insert(tables.enrollments).values({ uid, courseId: course, completedAt: new Date() })
    expect(await next()).toBe('exam')

    await db.update(tables.enrollments).set({ certificateWaitsSince: new Date() })
    expect(await next()).toBe('address')
  })
})

describe('a course that no longer exists', () => {
  it('is not celebrated, while other milestones are', async () => {
    for (const id of ['gone', 'gone-too']) {
      await recordMilestone(`completed:${id}`)
    }

    await recordMilestone('achievement:bookworm')

    expect(await showAll()).toEqual([{ kind: 'achievement', id: 'bookworm' }])
  })
})

it('celebrations are found without reading all courses', async () => {
  await recordMilestone(`completed:${course}`)
  await recordMilestone('achievement:bookworm')
  const coursesRead = await db.transaction(async (transaction) => {
    // PostgreSQL prefers a sequential scan for few courses, so it is turned off: the query must be
    // able to use the index when there are many.
    await transaction.execute(sql`set local enable_seqscan = off`)
    const countCoursesRead = async () => {
      const { rows } = await transaction.execute<{ read: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'courses'`)
      return rows[0]?.read ?? 0
    }
    // The counters include earlier transactions of the session, so the test compares two readings.
    const readBefore = await countCoursesRead()
    expect(await showNext(transaction, uid)).toMatchObject({ kind: 'course', courseId: course })

    return (await countCoursesRead()) - readBefore
  })

  expect(coursesRead).toBe(1)
})

it('a goal beyond an achievement is celebrated with its number', async () => {
  await recordMilestone('goal:bookworm:100')
  expect(await showNext(db, uid)).toEqual({ kind: 'goal', id: 'bookworm', goal: 100 })
})

it('a course whose certificate was revoked is not celebrated', async () => {
  await recordMilestone(`completed:${course}`)
  const id = 'revoked-certificate'
  const certifiedWork = {
    lessons: 1,
    materialSeconds: 60,
    examScore: 1,
    examMaxScore: 1,
    statusListNumber: 1,
    statusIndex: 1,
  }
  const issuedAt = new Date()
  await db.insert(tables.certificateRegister).values({
    id,
    courseId: course,
    courseTitle: 'Python',
    issuedAt,
    revokedAt: issuedAt,
    ...certifiedWork,
  })

  await db.insert(tables.certificates).values({ uid, courseId: course, id, learnerName: 'Ada' })

  expect(await showNext(db, uid)).toBeNull()
})

describe('a streak', () => {
  it('is celebrated once on the day that reaches a step, however many reports arrive', async () => {
    await recordStudyDays('2026-11-18', '2026-11-19')
    await grantAchievements('2026-11-19')
    expect(await showAll()).toEqual([])

    await recordStudyDays('2026-11-20')
    await grantAchievements('2026-11-20')
    await grantAchievements('2026-11-20')
    expect(await showAll()).toEqual([{ kind: 'streak', days: 3 }])

    await recordStudyDays('2026-11-21')
    await grantAchievements('2026-11-21')
    expect(await showAll()).toEqual([])
  })

  it('of seven days is celebrated as the achievement that it earns', async () => {
    const days = [14, 15, 16, 17, 18, 19, 20].map((day) => `2026-11-${day}`)
    await recordStudyDays(...days)
    await grantAchievements('2026-11-20')

    expect(await showAll()).toEqual([{ kind: 'achievement', id: 'consistent-learner' }])
  })

  it('is celebrated once even if an earlier day is reported late', async () => {
    await recordStudyDays('2026-11-18', '2026-11-19', '2026-11-20')
    await grantAchievements('2026-11-20')
    await recordStudyDays('2026-11-17')
    await grantAchievements('2026-11-20')

    expect(await showAll()).toEqual([{ kind: 'streak', days: 3 }])
  })
})
