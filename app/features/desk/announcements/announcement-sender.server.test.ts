import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import {
  announcementMails,
  announcements,
  enrollments,
  outbox,
  staff,
  staffCourses,
  users,
} from '~/server/database/schema'
import { readMessage } from '~/server/mail/dev-mailbox.server'
import { greetMailServer, type Mail, type Mailer, smtpMailer } from '~/server/mail/mail.server'
import { freePort } from '../../../../tests/support/product'
import { type SmtpRefusal, startSmtpServer } from '../../../../tests/support/smtp-server'
import { testDatabase } from '../../../../tests/support/test-database'
import { learnerOfStopAddress, recordAnnouncementChoice } from './announcement-mail.server'
import { AnnouncementSender, beginDue } from './announcement-sender.server'
import { countAudience } from './audience.server'

const { db }: { db: Database } = await testDatabase()
const course = 'python-from-zero'
const id = 'news'

let now = 0
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) {
    await stop()
  }
})
beforeEach(async () => {
  now = 1_000_000_000
  await db.delete(announcements)
  await db.delete(users)
})

type Learner = Partial<typeof users.$inferInsert>
async function addLearner(
  uid: string,
  more: Learner = {},
  enrolled: object | null = {},
): Promise<void> {
  const person = { name: uid, firstName: uid, email: `${uid}@learn.example`, emailVerified: true }
  await db.insert(users).values({ id: uid, ...person, ...more })
  if (enrolled) {
    await db.insert(enrollments).values({ uid, courseId: course, ...enrolled })
  }
}

type Announcement = Partial<typeof announcements.$inferInsert>
async function announce(more: Announcement = {}): Promise<void> {
  const text = { subject: 'A new lesson', body: 'Look at [it](/OneCourse/chess), **now**.' }
  const due = { state: 'scheduled', dueAt: new Date(Date.now() - 1000) } as const
  const author = 'author'
  await db
    .insert(users)
    .values({ id: author, name: author, firstName: author, email: `${author}@learn.example` })
    .onConflictDoNothing()
  await db.insert(staff).values({ uid: author, role: 'owner' }).onConflictDoNothing()
  await db
    .insert(announcements)
    .values({ id, author, courseId: course, audience: 'all', ...text, ...due, ...more })
}

function senderBy(send: Mailer, greet = async () => {}) {
  return new AnnouncementSender({
    db,
    send,
    greet,
    mailsPerMinute: 60_000,
    clock: () => now,
    pause: async () => {},
  })
}

async function smtpSender(refusal?: () => SmtpRefusal | null) {
  const smtp = await startSmtpServer(refusal)
  stops.push(smtp.stop)
  const url = `smtp://127.0.0.1:${smtp.port}`
  const sender = senderBy(
    smtpMailer(url, () => ({ name: 'Learnify', address: 'no-reply@learnify.example' })),
    () => greetMailServer(url),
  )

  return { smtp, sender, recipients: () => smtp.received.flatMap(({ to }) => to).toSorted() }
}

const states = async () => {
  const rows = await db.select().from(announcementMails)
  return Object.fromEntries(rows.map(({ uid, state }) => [uid, state]).toSorted())
}
const stateOf = async () =>
  (await db.select().from(announcements).where(eq(announcements.id, id)))[0]
const make = (set: Partial<typeof announcementMails.$inferInsert> | object) =>
  db.update(announcementMails).set(set)
const anHourAgo = sql`now() - interval '1 hour'`

it('reaches the learners of the course whose address is confirmed and takes mail, and who want it', async () => {
  await addLearner('ada')
  await addLearner('ben')
  await addLearner('unconfirmed', { emailVerified: false })
  await addLearner('disabled', { banned: true })
  await addLearner('opted-out', { wantsAnnouncements: false })
  await addLearner('elsewhere', {}, null)
  await addLearner('bounced')
  await addLearner('policy')
  const mail = {
    kind: 'study-reminder' as const,
    createdAt: new Date(),
    dueAt: new Date(),
    giveUpAt: new Date(),
  }
  const refusal = (reason: string) => ({ ...mail, reason, failedAt: new Date() })
  await db.insert(outbox).values([
    {
      ...refusal("Can't send mail - all recipients were rejected: 550 5.1.1 unknown"),
      id: 'o1',
      uid: 'bounced',
    },
    { ...refusal('Message failed: 550 5.7.1 looks like spam'), id: 'o2', uid: 'policy' },
  ])
  const audience = { courseId: course, audience: 'all', awayDays: null } as const
  expect(await countAudience(db, audience)).toEqual({ learners: 7, reached: 3 })
  await announce()
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect(recipients()).toEqual(['ada@learn.example', 'ben@learn.example', 'policy@learn.example'])
  expect(await states()).toEqual({ ada: 'sent', ben: 'sent', policy: 'sent' })
  expect(await stateOf()).toMatchObject({ state: 'done', trouble: null })
})

it('reaches those who have not finished, or not come for some days', async () => {
  const longAgo = new Date(Date.now() - 20 * 86_400_000)
  await addLearner('finished', {}, { completedAt: new Date() })
  await addLearner('away', { lastLoginAt: longAgo }, { lastAccessedAt: longAgo })
  await addLearner('here', { lastLoginAt: longAgo })
  await addLearner('never', { lastLoginAt: null, createdAt: longAgo }, null)
  const count = async (more: object) =>
    (await countAudience(db, { courseId: course, audience: 'all', awayDays: null, ...more }))
      .reached
  expect(await count({})).toBe(3)
  expect(await count({ audience: 'unfinished' })).toBe(2)
  expect(await count({ audience: 'away', awayDays: 14 })).toBe(1)
  expect(await count({ audience: 'away', awayDays: 30 })).toBe(0)
  expect(await count({ courseId: null })).toBe(4)
  expect(await count({ courseId: null, audience: 'away', awayDays: 14 })).toBe(2)
})

it('each mail has the text as HTML and plain, and a link of its own by which one click stops them (RFC 8058)', async () => {
  await addLearner('ada')
  await announce()
  const mails: Mail[] = []
  await senderBy(async (mail) => void mails.push(mail)).run()
  const [mail] = mails
  expect(mail?.html).toMatch(/<a href="http[^"]+\/OneCourse\/chess"/)
  expect(mail?.html).toMatch(/<strong>now<\/strong>.*Stop announcements/s)
  expect(mail?.text).toMatch(/^Look at \[it\]\(http\S+\/OneCourse\/chess\), \*\*now\*\*\.\n\n/)
  expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const [, address = ''] = /^<(.*)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '') ?? []
  expect(mail?.text).toContain(address)
  expect(await learnerOfStopAddress(new URL(address).searchParams)).toBe('ada')
})

it('before its time nothing is sent, and no draft', async () => {
  await addLearner('ada')
  await announce({ dueAt: new Date(Date.now() + 60_000) })
  await announce({ id: 'draft', state: 'draft' })
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect([recipients(), await states()]).toEqual([[], {}])
})

it('leaves out who has left the course since it began', async () => {
  await addLearner('ada')
  await addLearner('ben')
  await announce()
  await beginDue(db)
  await db.delete(enrollments).where(eq(enrollments.uid, 'ben'))
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect([recipients(), await states()]).toEqual([
    ['ada@learn.example'],
    { ada: 'sent', ben: 'skipped' },
  ])
})

it.each([
  ['has no role any more', false, () => db.delete(staff)],
  [
    'has a disabled account',
    false,
    () => db.update(users).set({ banned: true }).where(eq(users.id, 'author')),
  ],
  ['has no account any more', false, () => db.delete(users).where(eq(users.id, 'author'))],
  ['teaches other courses now', false, () => teach('typography-for-screens')],
  ['teaches the course', true, () => teach(course)],
] as const)('when it is due and its author %s, it is sent: %s', async (_what, isSent, happen) => {
  await addLearner('ada')
  await announce()
  await happen()
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect(recipients()).toEqual(isSent ? ['ada@learn.example'] : [])
  expect(await stateOf()).toMatchObject(
    isSent
      ? { state: 'done', trouble: null }
      : {
          state: 'draft',
          dueAt: null,
          startedAt: null,
          trouble: expect.stringContaining('may no longer write'),
        },
  )

  // The note stays while another announcement is sent.
  await announce({ id: 'other' })
  await sender.run()
  if (!isSent) {
    expect((await stateOf())?.trouble).toContain('may no longer write')
  }
})

it('a teacher’s announcement to the whole school is not sent', async () => {
  await addLearner('ada')
  await announce({ courseId: null })
  await teach(course)
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect([recipients(), (await stateOf())?.state]).toEqual([[], 'draft'])
})

async function teach(courseId: string): Promise<void> {
  await db.update(staff).set({ role: 'teacher' })
  await db.delete(staffCourses)
  await db.insert(staffCourses).values({ uid: 'author', courseId })
}

it('several processes send each mail once', async () => {
  const uids = Array.from({ length: 60 }, (_, index) => `learner-${index}`)
  for (const uid of uids) {
    await addLearner(uid)
  }

  await announce()
  const { smtp, recipients } = await smtpSender()
  const send = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, () => ({
    name: 'Learnify',
    address: 'no-reply@learnify.example',
  }))
  await Promise.all([1, 2, 3].map(() => senderBy(send).run()))
  await senderBy(send).run()
  expect(recipients()).toEqual(uids.map((uid) => `${uid}@learn.example`).toSorted())
  expect((await stateOf())?.state).toBe('done')
})

it('what a kill leaves in its conversation is uncertain, and never sent again', async () => {
  await addLearner('ada')
  await announce()
  // The conversation never ends, as in a process that was killed.
  let isClaimed = () => {}
  const claimed = new Promise<void>((resolve) => {
    isClaimed = resolve
  })
  void senderBy(() => {
    isClaimed()
    return new Promise(() => {})
  }).run()
  await claimed
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect([await states(), (await stateOf())?.state]).toEqual([{ ada: 'claimed' }, 'sending'])
  await make({ at: anHourAgo })
  await sender.run()
  expect([await states(), (await stateOf())?.state, recipients()]).toEqual([
    { ada: 'uncertain' },
    'done',
    [],
  ])
})

it('after a stop no mail begins', async () => {
  for (const uid of ['ada', 'ben', 'eve']) {
    await addLearner(uid)
  }

  await announce()
  const begun: string[] = []
  const slow = new AnnouncementSender({
    db,
    greet: async () => {},
    mailsPerMinute: 60,
    clock: () => now,
    pause: async () => {},
    async send({ to }) {
      begun.push(to)
      await db.update(announcements).set({ state: 'stopped' })
    },
  })

  await slow.run()
  await slow.run()
  expect(begun).toHaveLength(1)
  expect(Object.values(await states()).toSorted()).toEqual(['due', 'due', 'sent'])
})

it('keeps the pace', async () => {
  for (const uid of ['ada', 'ben', 'eve']) {
    await addLearner(uid)
  }

  await announce()
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const parts = { db, send: async () => {}, greet: async () => {}, clock: () => now, pause }
  await new AnnouncementSender({ ...parts, mailsPerMinute: 120 }).run()
  expect(pauses).toEqual([1000, 500])
})

it('a mail server that can’t be reached takes no mail away, and is asked again later', async () => {
  await addLearner('ada')
  await announce()
  const url = `smtp://127.0.0.1:${await freePort()}`
  const sender = senderBy(
    smtpMailer(url, () => ({ name: 'Learnify', address: 'a@learn.example' })),
    () => greetMailServer(url),
  )
  await sender.run()
  expect(await states()).toEqual({ ada: 'due' })
  expect(await stateOf()).toMatchObject({
    state: 'sending',
    trouble: expect.stringContaining('ECONNREFUSED'),
  })
  const { sender: other, recipients } = await smtpSender()
  await other.run()
  expect([recipients(), (await stateOf())?.trouble]).toEqual([['ada@learn.example'], null])
})

it('a server that breaks off is left alone for half a minute', async () => {
  for (const uid of ['ada', 'ben']) {
    await addLearner(uid)
  }

  await announce()
  let calls = 0
  const sender = new AnnouncementSender({
    db,
    greet: async () => {},
    mailsPerMinute: 60,
    clock: () => now,
    pause: async () => {},
    async send() {
      calls++
      throw Object.assign(new Error('gone'), { code: 'ECONNECTION' })
    },
  })

  await sender.run()
  await sender.run()
  expect([calls, Object.values(await states()).toSorted()]).toEqual([1, ['due', 'uncertain']])
  now += 30_000
  await sender.run()
  expect(Object.values(await states())).toEqual(['uncertain', 'uncertain'])
})

it('a "not now" is asked again later, and a "never" has failed', async () => {
  await addLearner('ada')
  await announce()
  let refusal: SmtpRefusal | null = { code: 451, words: 'greylisted' }
  const { sender, recipients } = await smtpSender(() => refusal)
  await sender.run()
  await sender.run()
  expect(await db.select().from(announcementMails)).toMatchObject([{ state: 'due', attempts: 1 }])
  refusal = { code: 550, words: '5.1.1 no such mailbox' }
  await make({ at: anHourAgo })
  await sender.run()
  expect(await db.select().from(announcementMails)).toMatchObject([
    { state: 'failed', reason: expect.stringContaining('no such mailbox') },
  ])
  expect([recipients(), (await stateOf())?.state]).toEqual([[], 'done'])
})

it('who turned them off after it began, or whose account is gone, gets none', async () => {
  for (const uid of ['ada', 'ben', 'eve']) {
    await addLearner(uid)
  }

  await announce({ state: 'sending' })
  await db.insert(announcementMails).values(
    ['ada', 'ben', 'eve'].map((uid) => ({
      uid,
      announcementId: id,
      at: new Date(Date.now() - 1000),
    })),
  )

  await db.update(users).set({ wantsAnnouncements: false }).where(eq(users.id, 'ada'))
  await db.delete(users).where(eq(users.id, 'ben'))
  const { sender, recipients } = await smtpSender()
  await sender.run()
  expect([recipients(), await states()]).toEqual([
    ['eve@learn.example'],
    { ada: 'skipped', eve: 'sent' },
  ])
})

it('who stops announcements by the link in one of them gets none of the next', async () => {
  await addLearner('ada')
  await addLearner('ben')
  const { smtp, sender, recipients } = await smtpSender()

  await announce()
  await sender.run()
  expect(recipients()).toEqual(['ada@learn.example', 'ben@learn.example'])

  const emailToAda = smtp.received.find(({ to }) => to.includes('ada@learn.example'))
  const { text } = readMessage('', emailToAda?.source ?? '')
  const link = /^http\S+StopReminders\S+$/m.exec(text)?.[0] ?? ''
  const uid = await learnerOfStopAddress(new URL(link).searchParams)
  expect(uid).toBe('ada')
  await recordAnnouncementChoice(db, 'ada', false)

  await announce({ id: 'next-news' })
  await sender.run()
  expect(recipients()).toEqual(['ada@learn.example', 'ben@learn.example', 'ben@learn.example'])
})

/** Each mail of a run meets one of these; staff and learners act in between. */
const outcomes = [
  'accepted',
  'refused',
  'not now',
  'broken off before',
  'broken off after',
  'killed before',
  'killed after',
] as const
const acts = ['run', 'stop', 'continue', 'resend', 'opt out', 'delete', 'wait'] as const
const errors = {
  refused: { code: 'EENVELOPE', responseCode: 550 },
  'not now': { code: 'EENVELOPE', responseCode: 451 },
  'broken off before': { code: 'ECONNECTION' },
  'broken off after': { code: 'ECONNECTION' },
}
const uids = ['ada', 'ben', 'cem', 'dan', 'eve', 'fay']

it('whatever happens, nobody gets it twice or after opting out, and the counts are the facts', async () => {
  const happenings = fc.array(
    fc.record({
      act: fc.constantFrom(...acts),
      fates: fc.array(fc.constantFrom(...outcomes), { minLength: 3, maxLength: 3 }),
      who: fc.constantFrom(...uids),
    }),
    { minLength: 4, maxLength: 14 },
  )

  await fc.assert(
    fc.asyncProperty(happenings, async (steps) => {
      await db.delete(announcements)
      await db.delete(users)
      now = 1_000_000_000
      for (const uid of uids) {
        await addLearner(uid)
      }

      // The run that was killed may still be busy in this process.
      await announce({ id: `news-${++runs}` })
      const received: string[] = []
      const left = new Set(uids)
      const receivedBeforeOptingOut = new Map<string, boolean>()
      // The first run finds no mail server, so that the random steps begin with everyone unserved.
      for (const { act, fates, who } of [
        { act: 'run' as const, fates: [], who: 'ada' },
        ...steps,
      ]) {
        if (act === 'run') {
          await runWith([...fates], received)
        }

        if (act === 'stop') {
          await db
            .update(announcements)
            .set({ state: 'stopped' })
            .where(eq(announcements.state, 'sending'))
        }

        if (act === 'continue') {
          await db
            .update(announcements)
            .set({ state: 'sending' })
            .where(eq(announcements.state, 'stopped'))
        }

        if (act === 'resend') {
          const again = await make({ state: 'due', at: anHourAgo })
            .where(eq(announcementMails.state, 'failed'))
            .returning()
          if (again.length > 0) {
            await db.update(announcements).set({ state: 'sending' })
          }
        }

        if (act === 'opt out') {
          await db.update(users).set({ wantsAnnouncements: false }).where(eq(users.id, who))
          if (!receivedBeforeOptingOut.has(who)) {
            receivedBeforeOptingOut.set(who, received.includes(who))
          }
        }

        if (act === 'delete') {
          await db.delete(users).where(eq(users.id, who))
          left.delete(who)
        }

        if (act === 'wait') {
          now += 60_000
          await make({ at: anHourAgo })
        }

        const rows = await states()
        expect(new Set(received).size).toBe(received.length)
        expect(Object.keys(rows)).toEqual([...left].toSorted())
        for (const [uid, hadReceived] of receivedBeforeOptingOut) {
          expect([uid, received.includes(uid)]).toEqual([uid, hadReceived])
        }

        for (const uid of left) {
          if (received.includes(uid)) {
            expect(['sent', 'uncertain', 'claimed']).toContain(rows[uid])
          } else {
            expect(rows[uid]).not.toBe('sent')
          }
        }
      }
    }),
    { numRuns: 25 },
  )
})

let runs = 0

/** Runs one process whose mails meet these fates in turn. A killed run marks nothing any more. */
async function runWith(fates: (typeof outcomes)[number][], received: string[]): Promise<void> {
  let kill = () => {}
  const killed = new Promise<void>((resolve) => {
    kill = resolve
  })
  const run = senderBy(({ to }) => {
    // A run ends when the mail server can't be reached any more.
    const fate = fates.shift() ?? 'broken off before'
    const accept = () => received.push(to.split('@')[0] ?? '')
    if (fate === 'accepted' || fate === 'broken off after' || fate === 'killed after') {
      accept()
    }

    if (fate === 'accepted') {
      return Promise.resolve()
    }

    if (fate === 'killed before' || fate === 'killed after') {
      kill()
      return new Promise(() => {})
    }

    return Promise.reject(Object.assign(new Error(fate), errors[fate]))
  }).run()

  await Promise.race([run, killed])
}
