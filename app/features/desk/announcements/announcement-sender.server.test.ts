import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeEmail } from '~/features/accounts/account-administration.server'
import { getUser } from '~/features/accounts/account-queries.server'
import { recordEmailArrival } from '~/features/accounts/email-address/owner-proof.server'
import type { Database } from '~/server/database/client.server'
import {
  announcementMails,
  announcements,
  enrollments,
  operatorActs,
  outbox,
  staff,
  staffCourses,
  users,
} from '~/server/database/schema'
import { parseEmail } from '~/server/mail/dev-mailbox.server'
import {
  checkMailServer,
  createSmtpMailer,
  type Mail,
  type Mailer,
} from '~/server/mail/mail.server'
import { queueMail } from '~/server/mail/outbox.server'
import { findFreePort } from '../../../../tests/support/product'
import { type SmtpRefusal, startSmtpServer } from '../../../../tests/support/smtp-server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { importActionName } from '../import/learner-import.server'
import { recordAnnouncementChoice, verifyAnnouncementStopLink } from './announcement-opt-out.server'
import { beginDueAnnouncements } from './announcement-queue.server'
import { AnnouncementSender } from './announcement-sender.server'
import { countAudience, listUnansweredInvitations, queueEmails } from './audience.server'

const { db }: { db: Database } = await createTestDatabase()
const courseId = 'python-from-zero'
const announcementId = 'news'

let clockMs = 0
const stopSmtpServers: (() => Promise<void>)[] = []

beforeEach(async () => {
  clockMs = 1_000_000_000
  await db.delete(announcements)
  await db.delete(users)
})
afterEach(async () => {
  for (const stop of stopSmtpServers.splice(0)) {
    await stop()
  }
})

type UserValues = Partial<typeof users.$inferInsert>

/** @param enrollment null for a learner who is not enrolled in the course */
async function addLearner(
  uid: string,
  userValues: UserValues = {},
  enrollment: object | null = {},
): Promise<void> {
  const email = `${uid}@learn.example`
  const defaults = { id: uid, name: uid, firstName: uid, email, emailVerified: true }
  await db.insert(users).values({ ...defaults, ...userValues })
  if (enrollment) {
    await db.insert(enrollments).values({ uid, courseId, ...enrollment })
  }
}

async function addLearners(uids: readonly string[]): Promise<void> {
  for (const uid of uids) {
    await addLearner(uid)
  }
}

/** Stores an announcement of an owner to all learners of the course, which is due. */
async function announce(values: Partial<typeof announcements.$inferInsert> = {}): Promise<void> {
  const author = 'author'
  const email = `${author}@learn.example`
  await db
    .insert(users)
    .values({ id: author, name: author, firstName: author, email })
    .onConflictDoNothing()
  await db.insert(staff).values({ uid: author, role: 'owner' }).onConflictDoNothing()

  await db.insert(announcements).values({
    id: announcementId,
    author,
    courseId,
    audience: 'all',
    subject: 'A new lesson',
    body: 'Look at [it](/OneCourse/chess), **now**.',
    state: 'scheduled',
    dueAt: new Date(Date.now() - 1000),
    ...values,
  })
}

type SenderOptions = ConstructorParameters<typeof AnnouncementSender>[0]

/** Creates a sender that keeps no pace, with a clock that the test sets. */
function createSender(send: Mailer, options: Partial<SenderOptions> = {}): AnnouncementSender {
  return new AnnouncementSender({
    db,
    send,
    checkMailServer: async () => {},
    emailsPerMinute: 60_000,
    now: () => clockMs,
    sleep: async () => {},
    ...options,
  })
}

function createMailer(smtpUrl: string): Mailer {
  return createSmtpMailer(smtpUrl, () => ({
    name: 'Learnify',
    address: 'no-reply@learnify.example',
  }))
}

/** Starts a mail server, and creates a sender that uses it. */
async function startMailServer(getRefusal?: () => SmtpRefusal | null) {
  const smtp = await startSmtpServer(getRefusal)
  stopSmtpServers.push(smtp.stop)

  const url = `smtp://127.0.0.1:${smtp.port}`
  return {
    url,
    smtp,
    sender: createSender(createMailer(url), { checkMailServer: () => checkMailServer(url) }),
    listRecipients: () => smtp.received.flatMap(({ to }) => to).toSorted(),
  }
}

/** Returns the status of each learner's email. */
async function findEmailStates(): Promise<Record<string, string>> {
  const rows = await db.select().from(announcementMails)
  return Object.fromEntries(rows.map(({ uid, state }) => [uid, state]).toSorted())
}

async function countEmailsByState(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const state of Object.values(await findEmailStates())) {
    counts[state] = (counts[state] ?? 0) + 1
  }

  return counts
}

async function findAnnouncement() {
  const [announcement] = await db
    .select()
    .from(announcements)
    .where(eq(announcements.id, announcementId))
  return announcement
}

const anHourAgo = sql`now() - interval '1 hour'`

/** Lets an hour pass for all emails. */
async function ageEmails(): Promise<void> {
  await db.update(announcementMails).set({ at: anHourAgo })
}

it('reaches learners of the course who want announcements and whose confirmed address takes mail', async () => {
  await addLearners(['ada', 'ben', 'bounced', 'policy'])
  await addLearner('unconfirmed', { emailVerified: false })
  await addLearner('disabled', { banned: true })
  await addLearner('opted-out', { wantsAnnouncements: false })
  await addLearner('elsewhere', {}, null)

  const time = new Date()
  const failedEmail = {
    kind: 'study-reminder' as const,
    createdAt: time,
    dueAt: time,
    giveUpAt: time,
    failedAt: time,
  }
  const unknownMailbox = "Can't send mail - all recipients were rejected: 550 5.1.1 unknown"
  const spamPolicy = 'Message failed: 550 5.7.1 looks like spam'
  await db.insert(outbox).values([
    { ...failedEmail, id: 'o1', uid: 'bounced', reason: unknownMailbox },
    { ...failedEmail, id: 'o2', uid: 'policy', reason: spamPolicy },
  ])

  const audience = { courseId, audience: 'all', awayDays: null } as const
  expect(await countAudience(db, audience)).toEqual({
    learners: 7,
    reached: 3,
    disabled: 1,
    optedOut: 1,
    bounced: 1,
    unconfirmed: 1,
    invitable: 0,
  })

  await announce()
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  const recipients = ['ada@learn.example', 'ben@learn.example', 'policy@learn.example']
  expect(listRecipients()).toEqual(recipients)
  expect(await findEmailStates()).toEqual({ ada: 'sent', ben: 'sent', policy: 'sent' })
  expect(await findAnnouncement()).toMatchObject({ state: 'done', trouble: null })
})

/** Stores what an import of the learner into the course leaves in the audit log. */
async function addImportEntry(uid: string): Promise<void> {
  await db.insert(operatorActs).values({
    id: randomUUID(),
    by: 'owner',
    act: importActionName,
    subject: uid,
    arguments: { line: 2, courses: [courseId] },
    outcome: 'Imported.',
  })
}

it('reaches an imported class in its course before the learners have confirmed their addresses', async () => {
  for (const uid of ['imported', 'bounced']) {
    await addLearner(uid, { emailVerified: false, lastLoginAt: null })
    await addImportEntry(uid)
  }

  const failedAt = new Date()
  await db.insert(outbox).values({
    id: 'invitation',
    uid: 'bounced',
    kind: 'invitation',
    createdAt: failedAt,
    dueAt: failedAt,
    giveUpAt: failedAt,
    failedAt,
    reason: '550 5.1.1 unknown',
  })
  await addLearner('signed-up', { emailVerified: false })

  const toCourse = { courseId, audience: 'all', awayDays: null } as const
  expect(await countAudience(db, toCourse)).toMatchObject({
    learners: 3,
    reached: 1,
    bounced: 1,
    unconfirmed: 1,
  })
  expect(await countAudience(db, { ...toCourse, courseId: null })).toMatchObject({
    reached: 0,
    bounced: 1,
    unconfirmed: 2,
  })

  await announce()
  const { sender, listRecipients } = await startMailServer()
  await sender.run()
  expect(listRecipients()).toEqual(['imported@learn.example'])
})

it('reaches a learner whose address bounced before staff corrected it', async () => {
  await addLearner('imported', { emailVerified: false, lastLoginAt: null })
  await addImportEntry('imported')
  const failedAt = new Date(Date.now() - 60_000)
  await db.insert(outbox).values({
    id: 'invitation',
    uid: 'imported',
    kind: 'invitation',
    createdAt: failedAt,
    dueAt: failedAt,
    giveUpAt: failedAt,
    failedAt,
    reason: '550 5.1.1 unknown',
  })
  const audience = { courseId, audience: 'all', awayDays: null } as const
  expect(await countAudience(db, audience)).toMatchObject({ reached: 0, bounced: 1 })

  const account = await getUser(db, 'imported')
  await db.transaction((tx) => changeEmail(tx, account, 'right@learn.example'))

  expect(await countAudience(db, audience)).toMatchObject({ reached: 1, bounced: 0 })
})

it('reaches a learner again who has opened an emailed link since the address bounced', async () => {
  await addLearner('back', { emailVerifiedAt: new Date(0) })
  const failedAt = new Date(Date.now() - 60_000)
  await db.insert(outbox).values({
    id: 'reminder',
    uid: 'back',
    kind: 'study-reminder',
    createdAt: failedAt,
    dueAt: failedAt,
    giveUpAt: failedAt,
    failedAt,
    reason: '550 5.2.1 The account is disabled',
  })
  const audience = { courseId, audience: 'all', awayDays: null } as const
  expect(await countAudience(db, audience)).toMatchObject({ reached: 0, bounced: 1 })

  await recordEmailArrival(db, 'back')

  expect(await countAudience(db, audience)).toMatchObject({ reached: 1, bounced: 0 })
})

it('counts the same learners for another invitation as it invites', async () => {
  const neverSignedIn = { emailVerified: false, lastLoginAt: null }
  await addLearner('imported', neverSignedIn)
  await addImportEntry('imported')
  await addLearner('invited', neverSignedIn)
  await addLearner('disabled', { ...neverSignedIn, banned: true })
  await addLearner('signed-up', { emailVerified: false })
  await addLearner('confirmed', { lastLoginAt: null })

  const audience = { courseId, audience: 'all', awayDays: null } as const
  const countInvitable = async () => (await countAudience(db, audience)).invitable
  const listInvitable = () => listUnansweredInvitations(db, audience)
  expect(await listInvitable()).toEqual(['imported', 'invited'])
  expect(await countInvitable()).toBe(2)

  await queueMail(db, 'invited', 'invitation')
  expect(await listInvitable()).toEqual(['imported'])
  expect(await countInvitable()).toBe(1)
})

it('can be limited to learners who have not finished, or not come for some days', async () => {
  const longAgo = new Date(Date.now() - 20 * 86_400_000)
  await addLearner('finished', {}, { completedAt: new Date() })
  const enrolledLongAgo = { enrolledAt: longAgo, lastAccessedAt: longAgo }
  await addLearner('away', { lastLoginAt: longAgo }, enrolledLongAgo)
  await addLearner('here', { lastLoginAt: longAgo }, { enrolledAt: longAgo })
  await addLearner('never', { lastLoginAt: null, createdAt: longAgo }, null)

  const countReached = async (audience: object) => {
    const defaults = { courseId, audience: 'all' as const, awayDays: null }
    const { reached } = await countAudience(db, { ...defaults, ...audience })
    return reached
  }

  expect(await countReached({})).toBe(3)
  expect(await countReached({ audience: 'unfinished' })).toBe(2)
  expect(await countReached({ audience: 'away', awayDays: 14 })).toBe(1)
  expect(await countReached({ audience: 'away', awayDays: 30 })).toBe(0)
  expect(await countReached({ courseId: null })).toBe(4)
  expect(await countReached({ courseId: null, audience: 'away', awayDays: 14 })).toBe(2)
})

it('counts no enrollment as a visit of a learner who has been away', async () => {
  const longAgo = new Date(Date.now() - 20 * 86_400_000)
  const today = new Date()
  const enrolledToday = { enrolledAt: today, lastAccessedAt: today }
  const enrolledLongAgo = { enrolledAt: longAgo, lastAccessedAt: longAgo }
  await addLearner('back', { lastLoginAt: longAgo }, { enrolledAt: longAgo, lastAccessedAt: today })
  await addLearner('enrolled-by-staff', { lastLoginAt: longAgo, createdAt: longAgo }, enrolledToday)
  await addLearner('imported', { lastLoginAt: null, createdAt: longAgo }, enrolledLongAgo)
  await addLearner('imported-today', { lastLoginAt: null, createdAt: today }, enrolledToday)

  const listAway = async (audienceCourseId: string | null) => {
    await db.delete(announcements)
    await announce({ state: 'sending' })
    const choice = { courseId: audienceCourseId, audience: 'away', awayDays: 14 } as const
    await queueEmails(db, announcementId, choice)
    return Object.keys(await findEmailStates())
  }
  expect(await listAway(null)).toEqual(['enrolled-by-staff', 'imported'])
  expect(await listAway(courseId)).toEqual(['imported'])
})

it('sends HTML and plain text, with a link that turns announcements off by one click (RFC 8058)', async () => {
  await addLearner('ada')
  await announce()
  const emails: Mail[] = []
  await createSender(async (email) => void emails.push(email)).run()

  const [email] = emails
  expect(email?.html).toMatch(/<a href="http[^"]+\/OneCourse\/chess"/)
  expect(email?.html).toMatch(/<strong>now<\/strong>.*Stop announcements/s)
  expect(email?.text).toMatch(/^Look at \[it\]\(http\S+\/OneCourse\/chess\), \*\*now\*\*\.\n\n/)
  expect(email?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')

  const [, stopUrl = ''] = /^<(.*)>$/.exec(email?.headers?.['List-Unsubscribe'] ?? '') ?? []
  expect(email?.text).toContain(stopUrl)
  expect(await verifyAnnouncementStopLink(new URL(stopUrl).searchParams)).toBe('ada')
})

it('sends no draft, and nothing before it is due', async () => {
  await addLearner('ada')
  await announce({ dueAt: new Date(Date.now() + 60_000) })
  await announce({ id: 'draft', state: 'draft' })
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual([])
  expect(await findEmailStates()).toEqual({})
})

it('skips learners who have left the course since the announcement began', async () => {
  await addLearners(['ada', 'ben'])
  await announce()
  await beginDueAnnouncements(db)
  await db.delete(enrollments).where(eq(enrollments.uid, 'ben'))
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual(['ada@learn.example'])
  expect(await findEmailStates()).toEqual({ ada: 'sent', ben: 'skipped' })
})

it('skips learners whose address has bounced since the announcement began', async () => {
  await addLearners(['ada', 'bounced'])
  await announce()
  await beginDueAnnouncements(db)
  const failedAt = new Date()
  await db.insert(outbox).values({
    id: 'reminder',
    uid: 'bounced',
    kind: 'study-reminder',
    createdAt: failedAt,
    dueAt: failedAt,
    giveUpAt: failedAt,
    failedAt,
    reason: '550 5.1.1 unknown',
  })

  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual(['ada@learn.example'])
  expect(await findEmailStates()).toEqual({ ada: 'sent', bounced: 'skipped' })
})

it('is sent if the author has become a teacher of the course', async () => {
  await addLearner('ada')
  await announce()
  await makeAuthorTeacher(courseId)
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual(['ada@learn.example'])
  expect(await findAnnouncement()).toMatchObject({ state: 'done', trouble: null })
})

it.each([
  ['has no role any more', () => db.delete(staff)],
  ['is disabled', () => db.update(users).set({ banned: true }).where(eq(users.id, 'author'))],
  ['has no account any more', () => db.delete(users).where(eq(users.id, 'author'))],
  ['teaches other courses now', () => makeAuthorTeacher('typography-for-screens')],
])('becomes a draft again if it is due and its author %s', async (_case, changeAuthor) => {
  await addLearner('ada')
  await announce()
  await changeAuthor()
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual([])

  const trouble = expect.stringContaining('may no longer write')
  const draft = { state: 'draft', dueAt: null, startedAt: null, trouble }
  expect(await findAnnouncement()).toMatchObject(draft)

  // The note stays while another announcement is sent.
  await announce({ id: 'other' })
  await sender.run()
  expect(await findAnnouncement()).toMatchObject({ trouble })
})

it('becomes a draft again if it goes to the whole school and its author is a teacher', async () => {
  await addLearner('ada')
  await announce({ courseId: null })
  await makeAuthorTeacher(courseId)
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual([])
  expect(await findAnnouncement()).toMatchObject({ state: 'draft' })
})

async function makeAuthorTeacher(taughtCourseId: string): Promise<void> {
  await db.update(staff).set({ role: 'teacher' })
  await db.delete(staffCourses)
  await db.insert(staffCourses).values({ uid: 'author', courseId: taughtCourseId })
}

it('sends each email once if several processes send at the same time', async () => {
  const uids = Array.from({ length: 60 }, (_, index) => `learner-${index}`)
  await addLearners(uids)
  await announce()

  const { url, listRecipients } = await startMailServer()
  const send = createMailer(url)
  await Promise.all([1, 2, 3].map(() => createSender(send).run()))
  await createSender(send).run()

  expect(listRecipients()).toEqual(uids.map((uid) => `${uid}@learn.example`).toSorted())
  expect(await findAnnouncement()).toMatchObject({ state: 'done' })
})

it('never repeats an email whose process was killed during the conversation', async () => {
  await addLearner('ada')
  await announce()

  // The conversation never ends, as in a process that was killed.
  const conversation = createSignal()
  const killedSender = createSender(() => {
    conversation.send()
    return new Promise(() => {})
  })
  void killedSender.run()
  await conversation.received

  const { sender, listRecipients } = await startMailServer()
  await sender.run()
  expect(await findEmailStates()).toEqual({ ada: 'claimed' })
  expect(await findAnnouncement()).toMatchObject({ state: 'sending' })

  await ageEmails()
  await sender.run()
  expect(await findEmailStates()).toEqual({ ada: 'uncertain' })
  expect(await findAnnouncement()).toMatchObject({ state: 'done' })
  expect(listRecipients()).toEqual([])
})

function createSignal() {
  let send = () => {}
  const received = new Promise<void>((resolve) => {
    send = resolve
  })
  return { send, received }
}

it('begins no email after staff have stopped the announcement', async () => {
  await addLearners(['ada', 'ben', 'eve'])
  await announce()

  const begunRecipients: string[] = []
  async function stopDuringConversation({ to }: Mail) {
    begunRecipients.push(to)
    await db.update(announcements).set({ state: 'stopped' })
  }
  const sender = createSender(stopDuringConversation, { emailsPerMinute: 60 })
  await sender.run()
  await sender.run()

  expect(begunRecipients).toHaveLength(1)
  expect(await countEmailsByState()).toEqual({ due: 2, sent: 1 })
})

it('keeps the pace of the setting', async () => {
  await addLearners(['ada', 'ben', 'eve'])
  await announce()

  const pauses: number[] = []
  const sleep = async (ms: number) => void pauses.push(ms)
  await createSender(async () => {}, { emailsPerMinute: 120, sleep }).run()

  expect(pauses).toEqual([1000, 500])
})

it('keeps all emails while the mail server can’t be reached, and tries again later', async () => {
  await addLearner('ada')
  await announce()
  const closedUrl = `smtp://127.0.0.1:${await findFreePort()}`
  const checkClosedServer = () => checkMailServer(closedUrl)
  await createSender(createMailer(closedUrl), { checkMailServer: checkClosedServer }).run()

  expect(await findEmailStates()).toEqual({ ada: 'due' })

  const trouble = expect.stringContaining('ECONNREFUSED')
  expect(await findAnnouncement()).toMatchObject({ state: 'sending', trouble })

  const { sender, listRecipients } = await startMailServer()
  await sender.run()
  expect(listRecipients()).toEqual(['ada@learn.example'])
  expect(await findAnnouncement()).toMatchObject({ trouble: null })
})

it('pauses for half a minute after the mail server has broken off', async () => {
  await addLearners(['ada', 'ben'])
  await announce()

  let conversationCount = 0
  async function breakOff() {
    conversationCount++
    throw Object.assign(new Error('gone'), { code: 'ECONNECTION' })
  }
  const sender = createSender(breakOff, { emailsPerMinute: 60 })
  await sender.run()
  await sender.run()
  expect(conversationCount).toBe(1)
  expect(await countEmailsByState()).toEqual({ due: 1, uncertain: 1 })

  clockMs += 30_000
  await sender.run()
  expect(await countEmailsByState()).toEqual({ uncertain: 2 })
})

it('tries deferred emails again later, and refused emails never', async () => {
  await addLearner('ada')
  await announce()
  let refusal: SmtpRefusal | null = { code: 451, message: 'greylisted' }
  const { sender, listRecipients } = await startMailServer(() => refusal)
  await sender.run()
  await sender.run()
  expect(await db.select().from(announcementMails)).toMatchObject([{ state: 'due', attempts: 1 }])

  refusal = { code: 550, message: '5.1.1 no such mailbox' }
  await ageEmails()
  await sender.run()
  const reason = expect.stringContaining('no such mailbox')
  expect(await db.select().from(announcementMails)).toMatchObject([{ state: 'failed', reason }])
  expect(listRecipients()).toEqual([])
  expect(await findAnnouncement()).toMatchObject({ state: 'done' })
})

it('skips learners who turned announcements off or were deleted after it began', async () => {
  await addLearners(['ada', 'ben', 'eve'])
  await announce()
  await beginDueAnnouncements(db)

  await recordAnnouncementChoice(db, 'ada', false)
  await db.delete(users).where(eq(users.id, 'ben'))
  const { sender, listRecipients } = await startMailServer()
  await sender.run()

  expect(listRecipients()).toEqual(['eve@learn.example'])
  expect(await findEmailStates()).toEqual({ ada: 'skipped', eve: 'sent' })
})

it('does not reach learners who turned announcements off by the link in an earlier one', async () => {
  await addLearners(['ada', 'ben'])
  const { smtp, sender, listRecipients } = await startMailServer()
  await announce()
  await sender.run()
  expect(listRecipients()).toEqual(['ada@learn.example', 'ben@learn.example'])

  const emailToAda = smtp.received.find(({ to }) => to.includes('ada@learn.example'))
  const { text } = parseEmail(emailToAda?.source ?? '')
  const stopUrl = /^http\S+StopReminders\S+$/m.exec(text)?.[0] ?? ''
  const uid = await verifyAnnouncementStopLink(new URL(stopUrl).searchParams)
  expect(uid).toBe('ada')

  await recordAnnouncementChoice(db, 'ada', false)

  await announce({ id: 'next-news' })
  await sender.run()
  expect(listRecipients()).toEqual(['ada@learn.example', 'ben@learn.example', 'ben@learn.example'])
})

/** What happens to an email during the conversation with the mail server. */
const deliveries = [
  'accepted',
  'refused',
  'deferred',
  'unreachable',
  'broken off before',
  'broken off after',
  'killed before',
  'killed after',
] as const
type DeliveryKind = (typeof deliveries)[number]

const deliveryErrors = {
  refused: { code: 'EENVELOPE', responseCode: 550 },
  deferred: { code: 'EENVELOPE', responseCode: 451 },
  unreachable: { code: 'ECONNECTION', syscall: 'connect' },
  'broken off before': { code: 'ECONNECTION' },
  'broken off after': { code: 'ECONNECTION' },
}

const randomUids = ['ada', 'ben', 'cem', 'dan', 'eve', 'fay']
const events = ['run', 'stop', 'continue', 'resend', 'opt out', 'delete', 'wait'] as const
let randomRunCount = 0

it('sends nothing twice or after a learner has opted out, in every order of events', async () => {
  const stepLists = fc.array(
    fc.record({
      event: fc.constantFrom(...events, 'run' as const, 'opt out' as const),
      deliveries: fc.array(fc.constantFrom(...deliveries), { minLength: 3, maxLength: 3 }),
      uid: fc.constantFrom(...randomUids),
    }),
    { minLength: 6, maxLength: 16 },
  )
  let sentCount = 0
  let skippedCount = 0

  await fc.assert(
    fc.asyncProperty(stepLists, async (steps) => {
      await db.delete(announcements)
      await db.delete(users)
      clockMs = 1_000_000_000
      await addLearners(randomUids)
      // A killed run of the previous example may still be busy with the previous announcement.
      await announce({ id: `news-${++randomRunCount}` })
      // All emails are queued, but not sent, before the first step.
      await beginDueAnnouncements(db)

      const receivedUids: string[] = []
      const existingUids = new Set(randomUids)
      const hadReceivedAtOptOut = new Map<string, boolean>()

      for (const { event, uid, deliveries } of steps) {
        if (event === 'opt out' && !hadReceivedAtOptOut.has(uid)) {
          hadReceivedAtOptOut.set(uid, receivedUids.includes(uid))
        }

        if (event === 'delete') {
          existingUids.delete(uid)
        }

        await performEvent(event, { uid, deliveries, receivedUids })

        await expectConsistentEmails({ receivedUids, existingUids, hadReceivedAtOptOut })
      }

      const { sent = 0, skipped = 0 } = await countEmailsByState()
      sentCount += sent
      skippedCount += skipped
    }),
    { numRuns: 20 },
  )

  // The examples would prove nothing if the emails were never sent, or never due after an opt-out.
  expect(sentCount).toBeGreaterThan(0)
  expect(skippedCount).toBeGreaterThan(0)
})

type Observation = {
  receivedUids: readonly string[]
  existingUids: ReadonlySet<string>
  /** Tells for each learner who opted out whether the email had arrived before that. */
  hadReceivedAtOptOut: ReadonlyMap<string, boolean>
}

async function expectConsistentEmails({
  receivedUids,
  existingUids,
  hadReceivedAtOptOut,
}: Observation): Promise<void> {
  const states = await findEmailStates()
  expect(new Set(receivedUids).size).toBe(receivedUids.length)
  expect(Object.keys(states)).toEqual([...existingUids].toSorted())

  for (const [uid, hadReceived] of hadReceivedAtOptOut) {
    expect([uid, receivedUids.includes(uid)]).toEqual([uid, hadReceived])
  }

  for (const uid of existingUids) {
    if (receivedUids.includes(uid)) {
      expect(['sent', 'uncertain', 'claimed']).toContain(states[uid])
    } else {
      expect(states[uid]).not.toBe('sent')
    }
  }
}

type EventDetails = { uid: string; deliveries: readonly DeliveryKind[]; receivedUids: string[] }

async function performEvent(
  event: (typeof events)[number],
  { uid, deliveries, receivedUids }: EventDetails,
): Promise<void> {
  switch (event) {
    case 'run':
      await runProcess([...deliveries], receivedUids)
      break
    case 'stop':
      await changeStatus('sending', 'stopped')
      break
    case 'continue':
      await changeStatus('stopped', 'sending')
      break
    case 'resend':
      await queueFailedEmailsAgain()
      break
    case 'opt out':
      await recordAnnouncementChoice(db, uid, false)
      break
    case 'delete':
      await db.delete(users).where(eq(users.id, uid))
      break
    case 'wait':
      clockMs += 60_000
      await ageEmails()
      break
  }
}

async function changeStatus(from: 'sending' | 'stopped', to: 'sending' | 'stopped') {
  await db.update(announcements).set({ state: to }).where(eq(announcements.state, from))
}

async function queueFailedEmailsAgain(): Promise<void> {
  const queuedEmails = await db
    .update(announcementMails)
    .set({ state: 'due', at: anHourAgo })
    .where(eq(announcementMails.state, 'failed'))
    .returning()
  if (queuedEmails.length > 0) {
    await db.update(announcements).set({ state: 'sending' })
  }
}

/**
 * Runs one process that sends two emails at a time. The deliveries happen in turn; then the mail
 * server can't be reached any more, which ends the run. A killed process does nothing any more.
 */
async function runProcess(deliveries: DeliveryKind[], receivedUids: string[]): Promise<void> {
  const kill = createSignal()
  let isKilled = false

  async function deliver({ to }: Mail): Promise<void> {
    const delivery = isKilled ? 'killed before' : (deliveries.shift() ?? 'unreachable')
    const isReceived = ['accepted', 'broken off after', 'killed after'].includes(delivery)
    if (isReceived) {
      receivedUids.push(to.replace('@learn.example', ''))
    }

    if (delivery === 'killed before' || delivery === 'killed after') {
      isKilled = true
      kill.send()
      return new Promise(() => {})
    }

    if (delivery !== 'accepted') {
      throw Object.assign(new Error(delivery), deliveryErrors[delivery])
    }
  }

  const run = createSender(deliver, { emailsPerMinute: 120 }).run()
  await Promise.race([run, kill.received])
}
