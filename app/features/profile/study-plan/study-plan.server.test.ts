import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { outbox, studyDays, studyPlans, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { createSmtpMailer } from '~/server/mail/mail.server'
import { MailSender } from '~/server/mail/mail-sender.server'
import { startSmtpServer } from '../../../../tests/support/smtp-server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import {
  composeReminder,
  createReminderStopPath,
  verifyReminderStopLink,
} from './reminder-mail.server'
import { queueDueReminders } from './reminder-queue.server'
import { findStudyPlan, saveStudyPlan, stopReminders } from './study-plan-queries.server'
import { getWeekday } from './weekly-goal'

const uid = 'ada'
const timeZone = 'America/New_York'
/** Wednesday, 18:00 in New York. */
const evening = new Date('2026-11-25T23:00:00Z')
const today = '2026-11-25'
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
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

/** Saves a form of the study plan. */
function save(part: string, fields: [name: string, value: string][], learner = uid) {
  const form = new FormData()
  form.append('part', part)
  for (const [name, value] of fields) {
    form.append(name, value)
  }

  return saveStudyPlan(db, learner, form)
}

const days = (...weekdays: number[]) =>
  weekdays.map((weekday): [string, string] => ['weekdays', String(weekday)])

async function savePlan(weekdays: number[], reminderHour: number, learner = uid) {
  await save('goal', days(...weekdays), learner)
  await save('reminder', [['reminderHour', String(reminderHour)]], learner)
}

/** Saves a plan whose reminder has to be checked now. */
async function saveDuePlan(weekdays = [1, 3], reminderHour = 18) {
  await savePlan(weekdays, reminderHour)
  await db.update(studyPlans).set({ lookAt: new Date(0) })
}

const countQueuedEmails = () => db.$count(outbox)
const learn = (day: string) =>
  db.insert(studyDays).values({
    uid,
    day,
    studied: sql`tstzmultirange(tstzrange(now(), now() + interval '1 minute'))`,
  })

describe('a weekly goal', () => {
  it('and its reminder are saved by separate forms that do not affect each other', async () => {
    expect(await save('goal', days(5, 1, 1))).toMatchObject({ ok: true })
    expect(await save('reminder', [['reminderHour', '18']])).toMatchObject({ ok: true })
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [1, 5], reminderHour: 18 })
    expect(await save('goal', days(2))).toMatchObject({ ok: true })
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [2], reminderHour: 18 })
    expect(await save('reminder', [['reminderHour', '']])).toMatchObject({ ok: true })
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [2], reminderHour: null })
  })

  it('without days removes its reminder', async () => {
    await saveDuePlan([1], 8)
    expect(await save('goal', [])).toMatchObject({ ok: true })
    expect(await findStudyPlan(db, uid)).toBeNull()
    expect(await save('reminder', [['reminderHour', '8']])).toEqual({
      ok: false,
      problem: 'Choose at least one day for reminders.',
    })

    await save('goal', days(4))
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [4], reminderHour: null })
  })

  it.each([
    ['goal', days(8)],
    ['reminder', [['reminderHour', '3']]],
    ['reminder', []],
    ['', days(1)],
  ] as [string, [string, string][]][])(
    'does not change after an invalid form of %j',
    async (part, entries) => {
      expect(await save(part, entries)).toEqual({
        ok: false,
        problem: 'We couldn’t read this request.',
      })
      expect(await db.$count(studyPlans)).toBe(0)
    },
  )

  it('without days stores nothing if there was no goal', async () => {
    expect(await save('goal', [])).toMatchObject({ ok: true })
    expect(await db.$count(studyPlans)).toBe(0)
  })
})

describe('a reminder', () => {
  it('is queued once by concurrent processes, and checked again the next day', async () => {
    await saveDuePlan()
    const queuedCounts = await Promise.all([1, 2, 3].map(() => queueDueReminders(db, evening)))
    expect(queuedCounts.toSorted()).toEqual([0, 0, 1])
    expect(await countQueuedEmails()).toBe(1)
    expect(await db.select().from(studyPlans)).toMatchObject([
      { remindedAt: evening, lookAt: new Date('2026-11-26T23:00:00Z') },
    ])

    await db.update(studyPlans).set({ lookAt: new Date(0) })
    expect(await queueDueReminders(db, evening)).toBe(0)
  })

  it.each([
    ['who has studied today', () => learn(today)],
    ['who has reached the goal', () => Promise.all(['2026-11-23', '2026-11-24'].map(learn))],
    ['whose email address is not confirmed', () => db.update(users).set({ emailVerified: false })],
    ['whose account is disabled', () => db.update(users).set({ banned: true })],
    [
      'whose evening it is not yet',
      () => db.update(users).set({ timezone: 'America/Los_Angeles' }),
    ],
    ['who stopped them', () => stopReminders(db, uid)],
  ])('is not queued for a learner %s', async (_, change) => {
    await saveDuePlan()
    await change()

    expect(await queueDueReminders(db, evening)).toBe(0)
    expect(await countQueuedEmails()).toBe(0)
  })

  it('is queued for others if a learner has an unknown time zone, which counts as UTC', async () => {
    await db.insert(users).values({
      id: 'factory',
      name: 'Eve',
      firstName: 'Eve',
      email: 'eve@test.example',
      emailVerified: true,
      detectedTimezone: 'Factory',
    })

    await savePlan([3], 18, 'factory')
    await saveDuePlan()
    expect(await queueDueReminders(db, evening)).toBe(1)

    const lookAt = new Date('2026-11-26T18:00:00Z')
    expect(await db.select().from(studyPlans).where(eq(studyPlans.uid, 'factory'))).toMatchObject([
      { lookAt },
    ])
  })

  it('is queued for more learners than one transaction handles', async () => {
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

    expect(await queueDueReminders(db, evening)).toBe(250)
  })

  it('skips a learner whose account is being deleted, instead of waiting', async () => {
    await saveDuePlan()
    await db.transaction(async (deletion) => {
      await deletion.select().from(users).where(eq(users.id, uid)).for('update')
      expect(await queueDueReminders(db, evening)).toBe(0)
      await deletion.delete(users).where(eq(users.id, uid))
    })

    expect(await countQueuedEmails()).toBe(0)
  })

  it('is queued once a day, even for a learner who removes the goal and sets it again', async () => {
    await saveDuePlan()
    expect(await queueDueReminders(db, evening)).toBe(1)

    await save('goal', [])
    expect(await queueDueReminders(db, evening)).toBe(0)

    await saveDuePlan()
    expect(await queueDueReminders(db, evening)).toBe(0)
  })

  it('is stopped by a signed link, which keeps the goal', async () => {
    await saveDuePlan()
    const parameters = new URL(await createReminderStopPath(uid), env.PUBLIC_URL).searchParams
    expect(await verifyReminderStopLink(parameters)).toBe(uid)

    parameters.set('learner', 'eve')
    expect(await verifyReminderStopLink(parameters)).toBeNull()
    expect(await verifyReminderStopLink(new URLSearchParams())).toBeNull()
    expect([await stopReminders(db, uid), await stopReminders(db, uid)]).toEqual([true, false])
    expect(await findStudyPlan(db, uid)).toEqual({ weekdays: [1, 3], reminderHour: null })
  })
})

describe('the email of a reminder', () => {
  const everyDay = [1, 2, 3, 4, 5, 6, 7]
  // It is about noon in this zone, so that the day does not change during the test. The sign in the
  // names of these zones is the opposite of the usual one.
  const hoursToNoon = 12 - new Date().getUTCHours()
  const noonZone = `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`
  const realToday = () => localDay(new Date(), noonZone)

  /** Queues the email as the scheduled job does. */
  async function queueNow() {
    await db.update(users).set({ timezone: noonZone })
    await savePlan(everyDay, 8)
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
      const send = createSmtpMailer(`smtp://127.0.0.1:${server.port}`, () => ({
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

  it('has a link that stops reminders, and the headers with which email programs do the same', async () => {
    await queueNow()
    const yesterday = addDays(realToday(), -1)
    if (getWeekday(realToday()) > 1) {
      await learn(yesterday)
    }

    const [mail] = await deliver()
    expect(mail?.to).toEqual(['ada@test.example'])

    const source = mail?.source.replaceAll(/\r\n[ \t]/g, ' ') ?? ''
    const stopUrl = env.PUBLIC_URL + (await createReminderStopPath(uid))
    expect(source).toContain(`List-Unsubscribe: <${stopUrl}>`)
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(source).toContain('Subject: Your study reminder for today')
    expect(source.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(stopUrl)
    expect(await countQueuedEmails()).toBe(0)
  })

  it.each([
    ['has studied in the meantime', () => learn(realToday())],
    ['has stopped reminders in the meantime', () => stopReminders(db, uid)],
    [
      'should have received it on another day',
      () => db.update(studyPlans).set({ remindedAt: new Date(Date.now() - 30 * 3_600_000) }),
    ],
    [
      'has a disabled account',
      () => db.update(users).set({ banned: true }).where(eq(users.id, uid)),
    ],
  ])('is dropped when the learner %s', async (_, change) => {
    await queueNow()
    await change()

    expect(await deliver()).toEqual([])
    expect(await countQueuedEmails()).toBe(0)
  })
})
