import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { outbox, studyDays, studyPlans, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { smtpMailer } from '~/server/mail/mail.server'
import { MailSender } from '~/server/mail/mail-sender.server'
import { startSmtpServer } from '../../../../tests/support/smtp-server'
import { testDatabase } from '../../../../tests/support/test-database'
import { composeReminder, learnerOfStopAddress, stopAddress } from './reminder-mail.server'
import { sendDueReminders } from './reminder-queries.server'
import { saveStudyPlan } from './study-plan-form.server'
import {
  findStudyPlan,
  recordReminder,
  recordStudyDays,
  stopReminders,
} from './study-plan-queries.server'
import { weekdayOf } from './weekly-goal'

const uid = 'ada'
const timeZone = 'America/New_York'
/** Wednesday, 18:00 in New York. */
const evening = new Date('2026-11-25T23:00:00Z')
const today = '2026-11-25'
let db: Database

beforeAll(async () => {
  db = (await testDatabase()).db
})

beforeEach(async () => {
  await db.delete(users)
  await db.insert(users).values({
    id: uid,
    name: 'Ada',
    firstName: 'Ada',
    email: 'ada@test.example',
    emailVerified: true,
    timezone: timeZone,
  })
})

/** Whose next look is in the past. */
async function plan(weekdays = [1, 3], reminderHour: number | null = 18) {
  await recordStudyDays(db, uid, weekdays)
  await recordReminder(db, uid, reminderHour)
  await db.update(studyPlans).set({ lookAt: reminderHour === null ? null : new Date(0) })
}

const queued = () => db.$count(outbox)
const learn = (day: string) =>
  db.insert(studyDays).values({
    uid,
    day,
    studied: sql`tstzmultirange(tstzrange(now(), now() + interval '1 minute'))`,
  })

describe('a weekly goal', () => {
  const save = (part: string, ...entries: [string, string][]) => {
    const form = new FormData()
    for (const [name, value] of [['part', part] as const, ...entries]) {
      form.append(name, value)
    }

    return saveStudyPlan(db, uid, form)
  }
  const days = (...numbers: number[]) =>
    numbers.map((number): [string, string] => ['weekdays', String(number)])

  it('and its reminder are stored, changed and taken away by a form each, which leaves the other', async () => {
    expect(await save('goal', ...days(5, 1, 1))).toBeNull()
    expect(await save('reminder', ['reminderHour', '18'])).toBeNull()
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [1, 5], reminderHour: 18 })
    expect(await save('goal', ...days(2))).toBeNull()
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [2], reminderHour: 18 })
    expect(await save('reminder', ['reminderHour', ''])).toBeNull()
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [2], reminderHour: null })
  })

  it('that is taken away takes its reminder along', async () => {
    await plan([1], 8)
    expect(await save('goal')).toBeNull()
    expect(await findStudyPlan(db, uid)).toBeNull()
    expect(await save('reminder', ['reminderHour', '8'])).toBe(
      'Choose at least one day for reminders.',
    )
    await save('goal', ...days(4))
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [4], reminderHour: null })
  })

  it.each([
    ['goal', days(8)],
    ['reminder', [['reminderHour', '3']]],
    ['reminder', []],
    ['', days(1)],
  ] as [string, [string, string][]][])(
    'is left alone by an unreadable form of %j',
    async (part, entries) => {
      expect(await save(part, ...entries)).toBe('We couldn’t read this request.')
      expect(await db.$count(studyPlans)).toBe(0)
    },
  )

  it('that is taken away before there was one stores nothing', async () => {
    expect(await save('goal')).toBeNull()
    expect(await db.$count(studyPlans)).toBe(0)
  })
})

describe('a reminder', () => {
  it('is queued once, by whichever of two processes comes first, and looked for again the next day', async () => {
    await plan()
    const sent = await Promise.all([1, 2, 3].map(() => sendDueReminders(db, evening)))
    expect(sent.toSorted()).toEqual([0, 0, 1])
    expect(await queued()).toBe(1)
    expect(await db.select().from(studyPlans)).toMatchObject([
      { remindedAt: evening, lookAt: new Date('2026-11-26T23:00:00Z') },
    ])
    await db.update(studyPlans).set({ lookAt: new Date(0) })
    expect(await sendDueReminders(db, evening)).toBe(0)
  })

  it.each([
    ['who has learned today', () => learn(today)],
    ['who has reached the goal', () => Promise.all(['2026-11-23', '2026-11-24'].map(learn))],
    ['whose address is not confirmed', () => db.update(users).set({ emailVerified: false })],
    ['whose account is disabled', () => db.update(users).set({ banned: true })],
    [
      'whose evening it is not yet',
      () => db.update(users).set({ timezone: 'America/Los_Angeles' }),
    ],
    ['who stopped them', () => stopReminders(db, uid)],
  ])('is not queued for a learner %s', async (_, change) => {
    await plan()
    await change()
    expect(await sendDueReminders(db, evening)).toBe(0)
    expect(await queued()).toBe(0)
  })

  it('is queued for others beside a learner whose stored time zone is unknown, whose days are those of UTC', async () => {
    await db.insert(users).values({
      id: 'factory',
      name: 'Eve',
      firstName: 'Eve',
      email: 'eve@test.example',
      emailVerified: true,
      detectedTimezone: 'Factory',
    })

    await recordStudyDays(db, 'factory', [3])
    await recordReminder(db, 'factory', 18)
    await plan()
    expect(await sendDueReminders(db, evening)).toBe(1)
    const lookAt = new Date('2026-11-26T18:00:00Z')
    expect(await db.select().from(studyPlans).where(eq(studyPlans.uid, 'factory'))).toMatchObject([
      { lookAt },
    ])
  })

  it('is queued for more learners than fit in one transaction', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `learner-${index}`)
    await db.insert(users).values(
      ids.map((id) => ({
        id,
        name: 'Ada',
        firstName: 'Ada',
        email: `${id}@test.example`,
        emailVerified: true,
        timezone: timeZone,
      })),
    )

    await db
      .insert(studyPlans)
      .values(ids.map((id) => ({ uid: id, weekdays: [3], reminderHour: 18, lookAt: evening })))
    expect(await sendDueReminders(db, evening)).toBe(250)
  })

  it('leaves out a learner whose account is being deleted, instead of waiting for it', async () => {
    await plan()
    await db.transaction(async (deletion) => {
      await deletion.select().from(users).where(eq(users.id, uid)).for('update')
      expect(await sendDueReminders(db, evening)).toBe(0)
      await deletion.delete(users).where(eq(users.id, uid))
    })

    expect(await queued()).toBe(0)
  })

  it('is queued once a day, also for a learner who takes the goal away and sets it again', async () => {
    await plan()
    expect(await sendDueReminders(db, evening)).toBe(1)
    await recordStudyDays(db, uid, [])
    expect(await sendDueReminders(db, evening)).toBe(0)
    await plan()
    expect(await sendDueReminders(db, evening)).toBe(0)
  })

  it('is stopped once and for all by an address that only we can sign, and the goal stays', async () => {
    await plan()
    const parameters = new URL(await stopAddress(uid), env.PUBLIC_URL).searchParams
    expect(await learnerOfStopAddress(parameters)).toBe(uid)
    parameters.set('learner', 'eve')
    expect(await learnerOfStopAddress(parameters)).toBeNull()
    expect(await learnerOfStopAddress(new URLSearchParams())).toBeNull()
    expect([await stopReminders(db, uid), await stopReminders(db, uid)]).toEqual([true, false])
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [1, 3], reminderHour: null })
  })
})

describe('the mail of a reminder', () => {
  const everyDay = [1, 2, 3, 4, 5, 6, 7]
  // It is about noon there, so that no midnight comes in between. The zones of this kind are named
  // for what UTC lacks.
  const hoursToNoon = 12 - new Date().getUTCHours()
  const noonZone = `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`
  const realToday = () => localDay(new Date(), noonZone)

  /** As if the sweep had just queued it. */
  async function queueNow() {
    await db.update(users).set({ timezone: noonZone })
    await recordStudyDays(db, uid, everyDay)
    await recordReminder(db, uid, 8)
    await db.update(studyPlans).set({ remindedAt: new Date() })
    const now = new Date()
    const giveUpAt = new Date(now.getTime() + 60_000)
    await db
      .insert(outbox)
      .values({ id: 'one', uid, kind: 'study-reminder', createdAt: now, dueAt: now, giveUpAt })
  }

  async function deliver() {
    const server = await startSmtpServer()
    try {
      const send = smtpMailer(`smtp://127.0.0.1:${server.port}`, () => ({
        name: 'Learnify',
        address: 'learnify@test.example',
      }))
      await new MailSender({
        db,
        compose: ({ uid }) => composeReminder(db, uid ?? ''),
        send,
      }).deliverDue()

      return server.received
    } finally {
      await server.stop()
    }
  }

  it('reaches the learner with the headers by which mail programs stop it, and a link that does', async () => {
    await queueNow()
    const yesterday = addDays(realToday(), -1)
    if (weekdayOf(realToday()) > 1) {
      await learn(yesterday)
    }

    const [mail] = await deliver()
    expect(mail?.to).toEqual(['ada@test.example'])
    const source = mail?.source.replaceAll(/\r\n[ \t]/g, ' ') ?? ''
    const address = env.PUBLIC_URL + (await stopAddress(uid))
    expect(source).toContain(`List-Unsubscribe: <${address}>`)
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(source).toContain('Subject: Your study reminder for today')
    expect(source.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(address)
    expect(await queued()).toBe(0)
  })

  it.each([
    ['learned meanwhile', () => learn(realToday())],
    ['stopped it meanwhile', () => stopReminders(db, uid)],
    [
      'was to get it on another day',
      () => db.update(studyPlans).set({ remindedAt: new Date(Date.now() - 30 * 3_600_000) }),
    ],
    ['lost the account', () => db.update(users).set({ banned: true }).where(eq(users.id, uid))],
  ])('is dropped when the learner %s', async (_, change) => {
    await queueNow()
    await change()
    expect(await deliver()).toEqual([])
    expect(await queued()).toBe(0)
  })
})
