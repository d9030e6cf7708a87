import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { testDatabase } from '../../../../tests/support/test-database'
import { recordActivity } from '../course-work/activity-queries.server'
import { grantDueAchievements } from './achievement-queries.server'
import { takeMoments } from './moment-queries.server'

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
const studied = (...days: string[]) =>
  db.insert(tables.studyDays).values(days.map((day) => ({ uid, day, studied: `{["${day}T12:00Z","${day}T12:30Z")}` })))
const follow = (now: string) =>
  db.transaction((transaction) => grantDueAchievements(transaction, uid, new Date(`${now}T12:30:00Z`)))

describe('what was earned is handed out', () => {
  it('once: not again after a reload', async () => {
    await tell('achievement:bookworm')
    expect(await takeMoments(db, uid)).toEqual([{ kind: 'achievement', id: 'bookworm' }])
    expect(await takeMoments(db, uid)).toEqual([])
  })

  it('to one of two tabs that ask at the same time', async () => {
    await tell('achievement:bookworm')
    const answers = await Promise.all(Array.from({ length: 6 }, () => takeMoments(db, uid)))
    expect(answers.flat()).toEqual([{ kind: 'achievement', id: 'bookworm' }])
  })

  it('to its own learner only, and without what is not celebrated', async () => {
    await tell('achievement:bookworm')
    await tell('lesson:a:b', false)
    expect(await takeMoments(db, 'someone-else')).toEqual([])
    expect(await takeMoments(db, uid)).toHaveLength(1)
  })
})

describe('a finished course', () => {
  it('leads to the exam, then to the address that waits to be confirmed, then to the certificate', async () => {
    const next = async () => {
      await db.delete(tables.activities)
      await tell(`completed:${course}`)
      const [moment] = await takeMoments(db, uid)
      return moment?.kind === 'course' ? moment.next : null
    }
    await db.insert(tables.enrollments).values({ uid, courseId: course, completedAt: new Date() })
    expect(await next()).toBe('exam')
    await db.update(tables.enrollments).set({ certificateWaitsSince: new Date() })
    expect(await next()).toBe('address')
  })
})

describe('a streak', () => {
  it('is told on the day that reaches a step, once, however many reports come', async () => {
    await studied('2026-11-18', '2026-11-19')
    await follow('2026-11-19')
    expect(await takeMoments(db, uid)).toEqual([])
    await studied('2026-11-20')
    await follow('2026-11-20')
    await follow('2026-11-20')
    expect(await takeMoments(db, uid)).toEqual([{ kind: 'streak', days: 3 }])
    await studied('2026-11-21')
    await follow('2026-11-21')
    expect(await takeMoments(db, uid)).toEqual([])
  })

  it('is told once when a day from before it arrives late', async () => {
    await studied('2026-11-18', '2026-11-19', '2026-11-20')
    await follow('2026-11-20')
    await studied('2026-11-17')
    await follow('2026-11-20')
    expect(await takeMoments(db, uid)).toEqual([{ kind: 'streak', days: 3 }])
  })
})
