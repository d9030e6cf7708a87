import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { testDatabase } from '../../../../tests/support/test-database'
import { recordActivity } from '../course-work/activity-queries.server'
import { grantDueAchievements } from './achievement-queries.server'
import { recordShownMoment, takeMoment as takeWaiting } from './moment-queries.server'

const uid = 'ada'
const course = 'python-from-zero'
let db: Database

beforeAll(async () => {
  ;({ db } = await testDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db.insert(tables.users).values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const tell = (id: string, uncelebrated = true) =>
  recordActivity(db, uid, { id, type: 'milestone', text: 'Earned', uncelebrated })
/** Taken and shown by one page. */
async function takeMoment(on: Database, learner: string) {
  const taken = await takeWaiting(on, learner, new Date())
  if (taken) await recordShownMoment(on, learner, taken.events)
  return taken?.moment ?? null
}
/** All that waits, one after the other. */
async function takeAll() {
  const taken = []
  for (let moment = await takeMoment(db, uid); moment; moment = await takeMoment(db, uid)) taken.push(moment)
  return taken
}
const studied = (...days: string[]) =>
  db.insert(tables.studyDays).values(days.map((day) => ({ uid, day, studied: `{["${day}T12:00Z","${day}T12:30Z")}` })))
const follow = (now: string) =>
  db.transaction((transaction) => grantDueAchievements(transaction, uid, new Date(`${now}T12:30:00Z`)))

describe('what was earned is handed out', () => {
  it('once: not again after a reload', async () => {
    await tell('achievement:bookworm')
    expect(await takeMoment(db, uid)).toEqual({ kind: 'achievement', id: 'bookworm' })
    expect(await takeMoment(db, uid)).toBeNull()
  })

  it('to one of the tabs that ask at the same time', async () => {
    await tell('achievement:bookworm')
    await tell('achievement:code-master')
    const answers = await Promise.all(Array.from({ length: 6 }, () => takeMoment(db, uid)))
    const shown = answers.filter((moment) => moment !== null).map((moment) => 'id' in moment && moment.id)
    expect(shown.toSorted()).toEqual(['bookworm', 'code-master'])
  })

  it('one at a time, so that a reload loses none of the rest', async () => {
    await tell('achievement:bookworm')
    await tell('streak:7:2026-11-20')
    await tell('achievement:consistent-learner')
    const name = async () => {
      const moment = await takeMoment(db, uid)
      return moment && 'id' in moment ? moment.id : moment
    }
    expect([await name(), await name(), await name()]).toEqual(['bookworm', 'consistent-learner', null])
  })

  it('again, once a page that took it did not show it within a minute', async () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds))
    await tell('achievement:bookworm')
    const taken = await takeWaiting(db, uid, at(0))
    expect(taken).toEqual({ moment: { kind: 'achievement', id: 'bookworm' }, events: ['achievement:bookworm'] })
    expect(await takeWaiting(db, uid, at(60))).toBeNull()
    expect(await takeWaiting(db, uid, at(61))).toEqual(taken)
    await recordShownMoment(db, 'someone-else', taken?.events ?? [])
    expect(await takeWaiting(db, uid, at(130))).toEqual(taken)
    await recordShownMoment(db, uid, taken?.events ?? [])
    expect(await takeWaiting(db, uid, at(999))).toBeNull()
  })

  it('to its own learner only, and without what is not celebrated', async () => {
    await tell('achievement:bookworm')
    await tell('lesson:a:b', false)
    expect(await takeMoment(db, 'someone-else')).toBeNull()
    expect(await takeAll()).toHaveLength(1)
  })
})

describe('a finished course', () => {
  it('leads to the exam, then to the address that waits to be confirmed, then to the certificate', async () => {
    const next = async () => {
      await db.delete(tables.activities)
      await tell(`completed:${course}`)
      const moment = await takeMoment(db, uid)
      return moment?.kind === 'course' ? moment.next : null
    }
    await db.insert(tables.enrollments).values({ uid, courseId: course, completedAt: new Date() })
    expect(await next()).toBe('exam')
    await db.update(tables.enrollments).set({ certificateWaitsSince: new Date() })
    expect(await next()).toBe('address')
  })
})

describe('a course that is gone', () => {
  it('is not celebrated and does not wait any longer, and what else was earned is', async () => {
    for (const id of ['gone', 'gone-too']) await tell(`completed:${id}`)
    await tell('achievement:bookworm')
    expect(await takeAll()).toEqual([{ kind: 'achievement', id: 'bookworm' }])
    expect(await db.$count(tables.activities, eq(tables.activities.uncelebrated, true))).toBe(0)
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
    expect(await takeMoment(transaction, uid)).toMatchObject({ kind: 'course', courseId: course })
    return (await countRead()) - before
  })
  expect(read).toBe(1)
})

it('a goal beyond an achievement is told with its number', async () => {
  await tell('goal:bookworm:100')
  expect(await takeMoment(db, uid)).toEqual({ kind: 'goal', id: 'bookworm', goal: 100 })
})

it('a course whose certificate was revoked is not celebrated', async () => {
  await tell(`completed:${course}`)
  const id = 'revoked-certificate'
  const figures = { lessons: 1, materialSeconds: 60, examScore: 1, examMaxScore: 1, statusList: 1, statusIndex: 1 }
  const issuedAt = new Date()
  await db
    .insert(tables.certificateRegister)
    .values({ id, courseId: course, courseTitle: 'Python', issuedAt, revokedAt: issuedAt, ...figures })
  await db.insert(tables.certificates).values({ uid, courseId: course, id, learnerName: 'Ada' })
  expect(await takeMoment(db, uid)).toBeNull()
})

describe('a streak', () => {
  it('is told on the day that reaches a step, once, however many reports come', async () => {
    await studied('2026-11-18', '2026-11-19')
    await follow('2026-11-19')
    expect(await takeAll()).toEqual([])
    await studied('2026-11-20')
    await follow('2026-11-20')
    await follow('2026-11-20')
    expect(await takeAll()).toEqual([{ kind: 'streak', days: 3 }])
    await studied('2026-11-21')
    await follow('2026-11-21')
    expect(await takeAll()).toEqual([])
  })

  it('is told once when a day from before it arrives late', async () => {
    await studied('2026-11-18', '2026-11-19', '2026-11-20')
    await follow('2026-11-20')
    await studied('2026-11-17')
    await follow('2026-11-20')
    expect(await takeAll()).toEqual([{ kind: 'streak', days: 3 }])
  })
})
