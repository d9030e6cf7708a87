import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { testDatabase } from '../../../tests/support/test-database'
import {
  findCelebration,
  grantDueAchievements,
  recordCelebrationSeen,
} from './achievement-queries.server'

const uid = 'ada'
const course = 'python-from-zero'
let db: Database

beforeAll(async () => {
  ;({ db } = await testDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db
    .insert(tables.users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const tell = (id: string, uncelebrated = true) =>
  recordActivity(db, uid, { id, type: 'milestone', text: 'Earned', uncelebrated })

/** One page shows the next. */
async function see(on: Database, learner: string) {
  const found = await findCelebration(on, learner)
  if (found) {
    await recordCelebrationSeen(on, learner, found.events)
  }

  return found?.celebration ?? null
}

/** All that waits, one after the other. */
async function seeAll() {
  const seen = []
  for (let one = await see(db, uid); one; one = await see(db, uid)) {
    seen.push(one)
  }

  return seen
}

const studied = (...days: string[]) =>
  db
    .insert(tables.studyDays)
    .values(days.map((day) => ({ uid, day, studied: `{["${day}T12:00Z","${day}T12:30Z")}` })))
const follow = (now: string) =>
  db.transaction((transaction) =>
    grantDueAchievements(transaction, uid, new Date(`${now}T12:30:00Z`)),
  )

describe('what was earned is shown', () => {
  it('once: not again after a reload', async () => {
    await tell('achievement:bookworm')
    expect(await see(db, uid)).toEqual({ kind: 'achievement', id: 'bookworm' })
    expect(await see(db, uid)).toBeNull()
  })

  it('one at a time, so that a reload loses none of the rest', async () => {
    await tell('achievement:bookworm')
    await tell('streak:3:2026-11-20')
    await tell(`completed:${course}`)
    await tell('achievement:consistent-learner')
    const kinds = (await seeAll()).map(({ kind }) => kind)
    expect(kinds).toEqual(['course', 'achievement', 'achievement', 'streak'])
  })

  it('again, until a page of its own learner showed it', async () => {
    await tell('achievement:bookworm')
    const found = await findCelebration(db, uid)
    expect(found).toEqual({
      celebration: { kind: 'achievement', id: 'bookworm' },
      events: ['achievement:bookworm'],
    })
    await recordCelebrationSeen(db, 'someone-else', found?.events ?? [])
    expect(await findCelebration(db, uid)).toEqual(found)
    await recordCelebrationSeen(db, uid, found?.events ?? [])
    expect(await findCelebration(db, uid)).toBeNull()
  })

  it('to its own learner only, and without what is not celebrated', async () => {
    await tell('achievement:bookworm')
    await tell('lesson:a:b', false)
    expect(await see(db, 'someone-else')).toBeNull()
    expect(await seeAll()).toHaveLength(1)
  })
})

describe('a finished course', () => {
  it('leads to the exam, then to the address that waits to be confirmed, then to the certificate', async () => {
    const next = async () => {
      await db.delete(tables.activities)
      await tell(`completed:${course}`)
      const celebration = await see(db, uid)

      return celebration?.kind === 'course' ? celebration.next : null
    }

    await db.insert(tables.enrollments).values({ uid, courseId: course, completedAt: new Date() })
    expect(await next()).toBe('exam')
    await db.update(tables.enrollments).set({ certificateWaitsSince: new Date() })
    expect(await next()).toBe('address')
  })
})

describe('a course that is gone', () => {
  it('is not celebrated, and what else was earned is', async () => {
    for (const id of ['gone', 'gone-too']) {
      await tell(`completed:${id}`)
    }

    await tell('achievement:bookworm')
    expect(await seeAll()).toEqual([{ kind: 'achievement', id: 'bookworm' }])
  })
})

it('what waits is found by its key, however many courses there are', async () => {
  await tell(`completed:${course}`)
  await tell('achievement:bookworm')
  const read = await db.transaction(async (transaction) => {
    // A few courses are read as a whole by choice; a million must not have to be.
    await transaction.execute(sql`set local enable_seqscan = off`)
    const countRead = async () => {
      const { rows } = await transaction.execute<{ read: number }>(sql`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'courses'`)
      return rows[0]?.read ?? 0
    }
    // Earlier transactions of the session count until they are reported.
    const before = await countRead()
    expect(await see(transaction, uid)).toMatchObject({ kind: 'course', courseId: course })

    return (await countRead()) - before
  })

  expect(read).toBe(1)
})

it('a goal beyond an achievement is told with its number', async () => {
  await tell('goal:bookworm:100')
  expect(await see(db, uid)).toEqual({ kind: 'goal', id: 'bookworm', goal: 100 })
})

it('a course whose certificate was revoked is not celebrated', async () => {
  await tell(`completed:${course}`)
  const id = 'revoked-certificate'
  const figures = {
    lessons: 1,
    materialSeconds: 60,
    examScore: 1,
    examMaxScore: 1,
    statusList: 1,
    statusIndex: 1,
  }
  const issuedAt = new Date()
  await db.insert(tables.certificateRegister).values({
    id,
    courseId: course,
    courseTitle: 'Python',
    issuedAt,
    revokedAt: issuedAt,
    ...figures,
  })

  await db.insert(tables.certificates).values({ uid, courseId: course, id, learnerName: 'Ada' })
  expect(await see(db, uid)).toBeNull()
})

describe('a streak', () => {
  it('is told on the day that reaches a step, once, however many reports come', async () => {
    await studied('2026-11-18', '2026-11-19')
    await follow('2026-11-19')
    expect(await seeAll()).toEqual([])
    await studied('2026-11-20')
    await follow('2026-11-20')
    await follow('2026-11-20')
    expect(await seeAll()).toEqual([{ kind: 'streak', days: 3 }])
    await studied('2026-11-21')
    await follow('2026-11-21')
    expect(await seeAll()).toEqual([])
  })

  it('of seven days is celebrated as the achievement that it earns', async () => {
    const days = [14, 15, 16, 17, 18, 19, 20].map((day) => `2026-11-${day}`)
    await studied(...days)
    await follow('2026-11-20')
    expect(await seeAll()).toEqual([{ kind: 'achievement', id: 'consistent-learner' }])
  })

  it('is told once when a day from before it arrives late', async () => {
    await studied('2026-11-18', '2026-11-19', '2026-11-20')
    await follow('2026-11-20')
    await studied('2026-11-17')
    await follow('2026-11-20')
    expect(await seeAll()).toEqual([{ kind: 'streak', days: 3 }])
  })
})
