import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const teacherCourse = 'python-from-zero'
const otherCourse = 'typography-for-screens'

let server: DeskServer
let AnnouncementSender: typeof import('~/features/desk/announcements/announcement-sender.server').AnnouncementSender

const getPage: DeskServer['get'] = (...request) => server.get(...request)
const post: DeskServer['post'] = (...request) => server.post(...request)

const draft = {
  course: teacherCourse,
  audience: 'all',
  days: '14',
  subject: 'A new lesson',
  body: 'Look at **it**.',
}
const listPath = '/Desk/Announcements'

/** Creates a draft by the form, and returns its path. */
async function createDraft(staffName: string, changes: object = {}): Promise<string> {
  const { headers } = await post(staffName, `${listPath}/New`, {
    intent: 'create',
    ...draft,
    ...changes,
  })

  return headers.location ?? ''
}

const getAnnouncementId = (path: string) => path.slice(listPath.length + 1)

async function findAnnouncement(path: string) {
  const [announcement] = await server.db
    .select()
    .from(tables.announcements)
    .where(eq(tables.announcements.id, getAnnouncementId(path)))
  return announcement
}

/** Returns the version that a form sends, so that it overwrites nobody else's changes. */
async function getVersion(path: string): Promise<string> {
  const announcement = await findAnnouncement(path)
  return announcement?.updatedAt.toISOString() ?? ''
}

const send = async (staffName: string, path: string, changes: Record<string, string> = {}) =>
  post(staffName, path, { intent: 'send', version: await getVersion(path), ...changes })
const save = async (staffName: string, path: string, changes: Record<string, string>) =>
  post(staffName, path, { intent: 'save', version: await getVersion(path), ...draft, ...changes })

/** Lists the audited actions on an announcement, with the uid of the member of staff. */
async function listAuditedActions(path: string) {
  const entries = await server.db
    .select()
    .from(tables.operatorActs)
    .where(eq(tables.operatorActs.subject, getAnnouncementId(path)))
    .orderBy(tables.operatorActs.at)

  return entries.map(({ act, by }) => [act, by])
}

/**
 * Sends the emails that are due.
 *
 * @param throwIfRefused throws the mail server's error for a recipient
 * @returns the recipients
 */
async function deliver(throwIfRefused: (to: string) => void = () => {}): Promise<string[]> {
  const recipients: string[] = []
  const sender = new AnnouncementSender({
    db: server.db,
    checkMailServer: async () => {},
    emailsPerMinute: 60_000,
    sleep: async () => {},
    async send({ to }) {
      throwIfRefused(to)
      recipients.push(to)
    },
  })

  await sender.run()

  return recipients.toSorted()
}

beforeAll(async () => {
  server = await startDeskServer()
  ;({ AnnouncementSender } = await import(
    '~/features/desk/announcements/announcement-sender.server'
  ))
  const { signUp, getUid } = server
  await signUp('owner', 'owner')
  await signUp('teacher', 'teacher', [teacherCourse])
  for (const name of ['ada', 'ben', 'eve']) {
    await signUp(name)
  }

  await server.db.update(tables.users).set({ timezone: 'Europe/Berlin' })
  await server.db.insert(tables.enrollments).values([
    { uid: getUid('ada'), courseId: teacherCourse },
    { uid: getUid('ben'), courseId: teacherCourse },
    { uid: getUid('eve'), courseId: otherCourse },
  ])
})
afterAll(() => server.stop())

it('a draft is created, previewed with the number of its recipients, changed, and deleted', async () => {
  const path = await createDraft('owner')
  const { status, body } = await getPage('owner', path)
  expect(status).toBe(200)
  expect(body).toContain('<strong>it</strong>')
  expect(body).toContain('Send to 2 learners')
  expect(body).toContain('Day and time in Europe/Berlin')
  expect((await getPage('owner', listPath)).body).toContain(path)

  await save('owner', path, { course: '', subject: 'Everybody' })
  expect(await findAnnouncement(path)).toMatchObject({
    courseId: null,
    subject: 'Everybody',
    state: 'draft',
  })

  expect((await getPage('owner', path)).body).toContain('Send to 5 learners')
  expect((await post('owner', path, { intent: 'delete' })).headers.location).toBe(listPath)
  expect((await getPage('owner', path)).status).toBe(404)
})

it.each([
  [{ subject: '' }, 'Write a subject'],
  // A list links the subject, so it has to be visible.
  [{ subject: '\u200b' }, 'Write a subject'],
  [{ subject: 'x'.repeat(151) }, 'Write a subject'],
  [{ body: '' }, 'Write a text'],
  [{ audience: 'nobody' }, 'Choose which learners'],
  [{ course: 'flying' }, 'no such course'],
  [{ course: '', audience: 'unfinished' }, 'Choose the course that they haven’t finished.'],
  [{ audience: 'away', days: '0' }, 'from 1 to 365'],
])('a draft with %j is refused, and the form keeps its input', async (wrongFields, sentence) => {
  const form = { intent: 'create', ...draft, body: 'My words', ...wrongFields }
  const { status, body } = await post('owner', `${listPath}/New`, form)
  expect([status, body.includes(sentence)]).toEqual([400, true])

  if (form.body) {
    expect(body).toContain('My words')
  }
})

it('learners who have not answered their invitation are invited again, once a day', async () => {
  const invited = { emailVerified: false, lastLoginAt: null }
  await server.db.insert(tables.users).values({
    id: 'invited',
    name: 'Ivo',
    firstName: 'Ivo',
    email: 'ivo@test.example',
    ...invited,
  })
  const draftUrl = await createDraft('owner', { course: '' })
  const { body } = await getPage('owner', draftUrl)
  expect(body).toContain('1 learner hasn’t confirmed their email address')
  expect(body).toContain('Send 1 learner the invitation again')

  const invite = () => post('owner', draftUrl, { intent: 'invite' })
  expect((await invite()).body).toContain('1 learner is invited again.')

  const isInvitation = eq(tables.outbox.uid, 'invited')
  expect(await server.db.select().from(tables.outbox).where(isInvitation)).toMatchObject([
    { kind: 'invitation' },
  ])

  expect((await invite()).body).toContain('less than a day ago')
  expect(await server.db.$count(tables.outbox, isInvitation)).toBe(1)

  await server.db.delete(tables.users).where(eq(tables.users.id, 'invited'))
})

it('an imported class can be invited again, although the announcement reaches all of it', async () => {
  await server.db.insert(tables.users).values({
    id: 'imported',
    name: 'Ivo',
    firstName: 'Ivo',
    email: 'ivo@test.example',
    emailVerified: false,
    lastLoginAt: null,
  })
  await server.db.insert(tables.enrollments).values({ uid: 'imported', courseId: teacherCourse })
  await server.db.insert(tables.operatorActs).values({
    id: 'import-ivo',
    by: 'owner',
    act: 'learners import',
    subject: 'imported',
    arguments: { courses: [teacherCourse] },
    outcome: 'Imported.',
  })

  const { body } = await getPage('owner', await createDraft('owner'))
  expect(body).toContain('Send to 3 learners')
  expect(body).not.toContain('Left out:')
  expect(body).toContain('Send 1 learner the invitation again')

  await server.db.delete(tables.users).where(eq(tables.users.id, 'imported'))
})

it('a formula in the subject becomes readable text', async () => {
  const path = await createDraft('owner', { subject: 'Why $x^2$ grows' })

  expect(await findAnnouncement(path)).toMatchObject({ subject: 'Why x² grows' })
})

it('a draft whose text would become too large is refused', async () => {
  const hugeTable = `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'||\n'.repeat(200)}`
  const form = { intent: 'create', ...draft, body: hugeTable }
  const { status, body } = await post('owner', `${listPath}/New`, form)

  expect(status).toBe(400)
  expect(body).toContain('This text becomes too large')
})

it('a teacher writes to the learners of their own courses only, and sees no other announcement', async () => {
  for (const course of ['', otherCourse]) {
    const { status } = await post('teacher', `${listPath}/New`, {
      intent: 'create',
      ...draft,
      course,
    })
    expect(status).toBe(400)
  }

  const ownDraft = await createDraft('teacher')
  const draftForOtherCourse = await createDraft('owner', { course: otherCourse })
  const draftForSchool = await createDraft('owner', { course: '' })

  const { body } = await getPage('teacher', listPath)
  expect(body).toContain(ownDraft)
  expect(body).not.toContain(draftForOtherCourse)
  expect(body).not.toContain(draftForSchool)

  for (const path of [draftForOtherCourse, draftForSchool]) {
    expect((await getPage('teacher', path)).status).toBe(404)
    expect((await send('teacher', path)).status).toBe(400)
    expect((await post('teacher', path, { intent: 'delete' })).status).toBe(400)
  }

  // The teacher can't move their own draft to the other course, either.
  expect((await save('teacher', ownDraft, { course: otherCourse })).status).toBe(400)
})

it('a sent announcement is counted and recorded in the audit', async () => {
  const path = await createDraft('teacher')
  expect((await send('teacher', path)).body).toContain('It is being sent.')
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
  expect((await getPage('teacher', path)).body).toMatch(/Sent<\/dt><dd[^>]*>2</)
  expect(await listAuditedActions(path)).toEqual([
    ['announcement create', server.getUid('teacher')],
    ['announcement send', server.getUid('teacher')],
  ])

  // The actions on a draft are refused after it was sent.
  for (const intent of ['send', 'save', 'delete', 'cancel', 'stop', 'continue', 'resend']) {
    expect((await post('teacher', path, { intent, ...draft })).status, intent).toBe(400)
  }

  expect((await getPage('owner', `/Desk/People/${server.getUid('ada')}`)).body).toContain(
    'A new lesson',
  )
})

it('a draft is not sent if it has changed since it was displayed, or if the last proof of identity is older than 15 minutes', async () => {
  const path = await createDraft('owner')
  const version = await getVersion(path)
  await save('owner', path, { subject: 'Another' })
  expect((await send('owner', path, { version })).body).toContain(
    'Somebody has changed this announcement in the meantime.',
  )

  const setSignInAge = (minutes: number) =>
    server.db
      .update(tables.sessions)
      .set({ confirmedAt: sql`now() - make_interval(mins => ${minutes})` })
      .where(eq(tables.sessions.userId, server.getUid('owner')))

  await setSignInAge(20)
  expect((await send('owner', path)).status).toBe(403)

  await setSignInAge(0)
  expect((await findAnnouncement(path))?.state).toBe('draft')
})

it('a draft that somebody else has saved in the meantime is not overwritten, and the form keeps its input', async () => {
  const path = await createDraft('owner')
  const version = await getVersion(path)
  await save('owner', path, { subject: 'Theirs' })
  const refusal = await save('owner', path, { version, subject: 'Mine', body: 'My words' })
  expect(refusal.status).toBe(400)

  for (const text of [
    'This draft has been changed in the meantime',
    'value="Mine"',
    'My words',
    '>Theirs<',
  ]) {
    expect(refusal.body).toContain(text)
  }

  expect(await findAnnouncement(path)).toMatchObject({ subject: 'Theirs' })
  // The form now contains the newer version.
  expect(refusal.body).toContain(`name="version" value="${await getVersion(path)}"`)

  const responses = await Promise.all(['A', 'B'].map((subject) => save('owner', path, { subject })))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

it('an announcement without recipients is refused', async () => {
  const path = await createDraft('owner', { audience: 'away', days: '300' })
  expect((await send('owner', path)).body).toContain('No learner would get it.')
})

it('an announcement is scheduled in the time zone of the member of staff, and can be canceled', async () => {
  const path = await createDraft('owner')
  const schedule = async (at: string) =>
    post('owner', path, { intent: 'schedule', version: await getVersion(path), at })
  for (const [at, sentence] of [
    ['', 'Choose a day and a time'],
    ['2020-01-01T10:00', 'This time has passed.'],
    ['2999-01-01T10:00', 'within a year'],
  ]) {
    expect((await schedule(at ?? '')).body).toContain(sentence)
  }

  // Both days have summer time, and the chosen one is always within the next 365 days.
  const isFirstHalfOfYear = new Date().getUTCMonth() < 6
  const year = new Date().getUTCFullYear() + (isFirstHalfOfYear ? 0 : 1)
  const day = isFirstHalfOfYear ? `${year}-07-01` : `${year}-06-30`
  const displayedDay = isFirstHalfOfYear ? `Jul 1, ${year}` : `Jun 30, ${year}`
  expect((await schedule(`${day}T10:00`)).body).toContain(
    `It is sent on ${displayedDay}, 10:00 AM GMT+2.`,
  )
  expect(await findAnnouncement(path)).toMatchObject({
    state: 'scheduled',
    dueAt: new Date(`${day}T08:00Z`),
  })
  expect(await deliver()).toEqual([])

  await post('owner', path, { intent: 'cancel' })
  expect(await findAnnouncement(path)).toMatchObject({ state: 'draft', dueAt: null })
})

it('the announcement of a teacher who has lost the course becomes a draft with the reason, which somebody else can send', async () => {
  const path = await createDraft('teacher')
  await send('teacher', path)
  await server.db.delete(tables.staffCourses)
  expect(await deliver()).toEqual([])
  expect((await getPage('owner', path)).body).toContain('may no longer write to these learners')
  expect((await send('owner', path)).status).toBe(200)
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
  expect((await getPage('owner', path)).body).not.toContain('may no longer write to these learners')

  await server.db
    .insert(tables.staffCourses)
    .values({ uid: server.getUid('teacher'), courseId: teacherCourse })
})

it('the sending can be stopped, and continued later', async () => {
  const path = await createDraft('owner')
  await send('owner', path)
  await server.db
    .update(tables.announcements)
    .set({ state: 'sending' })
    .where(eq(tables.announcements.id, getAnnouncementId(path)))
  const at = new Date(Date.now() - 1000)
  const mails = ['ada', 'ben'].map((name) => ({
    uid: server.getUid(name),
    announcementId: getAnnouncementId(path),
    at,
  }))

  await server.db.insert(tables.announcementMails).values(mails)
  await post('owner', path, { intent: 'stop' })
  expect(await deliver()).toEqual([])
  expect((await getPage('owner', path)).body).toMatch(
    /Not sent, because it was stopped<\/dt><dd[^>]*>2</,
  )

  await post('owner', path, { intent: 'continue' })
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
})

it('failed and uncertain mails are listed, and only failed ones are sent again', async () => {
  const path = await createDraft('teacher')
  await send('teacher', path)
  const throwRefusal = (to: string) => {
    const errorCodes = to.startsWith('ada')
      ? { code: 'EENVELOPE', responseCode: 552 }
      : { code: 'ECONNECTION' }
    throw Object.assign(new Error(`552 5.2.2 The mailbox ${to} is full`), errorCodes)
  }

  expect(await deliver(throwRefusal)).toEqual([])

  const { body } = await getPage('owner', path)
  expect(body).toContain('552 5.2.2 The mailbox ada@learnify.example is full')
  expect(body).toMatch(/Failed<\/dt><dd[^>]*>1<.*Uncertain<\/dt><dd[^>]*>1</s)
  // The reason contains an email address, which this teacher may not see.
  expect((await getPage('teacher', path)).body).not.toContain('ada@learnify.example')
  expect((await post('teacher', path, { intent: 'resend' })).body).toContain(
    '1 mail is sent again.',
  )
  expect(await deliver()).toEqual(['ada@learnify.example'])
  expect((await post('teacher', path, { intent: 'resend' })).status).toBe(400)
})

it('mails that bounced are not sent again', async () => {
  const path = await createDraft('owner')
  await send('owner', path)
  const throwBounce = (to: string) => {
    const errorCodes = { code: 'EENVELOPE', responseCode: 550 }
    throw Object.assign(new Error(`550 5.1.1 ${to} is unknown`), errorCodes)
  }

  expect(await deliver(throwBounce)).toEqual([])

  const { status, body } = await post('owner', path, { intent: 'resend' })
  expect(status).toBe(400)
  expect(body).toContain('No mail has failed that could be sent again.')
  expect(await deliver()).toEqual([])
  await server.db.delete(tables.announcementMails)
})

it('the list counts the sent, failed and stopped emails', async () => {
  const path = await createDraft('owner', { subject: 'Counted' })
  const readCounts = async () => {
    const { body } = await getPage('owner', listPath)
    const [row = ''] = /<tr[^>]*>(?:(?!<\/tr>).)*Counted.*?<\/tr>/s.exec(body) ?? []
    return [...row.matchAll(/<td[^>]*tabular-nums[^>]*>(.*?)<\/td>/gs)].map(
      ([, cell = '']) => /^[^<]*/.exec(cell)?.[0],
    )
  }

  expect(await readCounts()).toEqual(['–', '–', '–'])

  const mails = (['sent', 'failed', 'due', 'claimed'] as const).map((state, index) => ({
    uid: server.getUid(['ada', 'ben', 'eve', 'owner'][index] ?? ''),
    announcementId: getAnnouncementId(path),
    state,
    at: new Date(),
  }))
  await server.db.insert(tables.announcementMails).values(mails)
  const updateAnnouncement = (changes: object) =>
    server.db
      .update(tables.announcements)
      .set(changes)
      .where(eq(tables.announcements.id, getAnnouncementId(path)))

  await updateAnnouncement({ state: 'stopped', endedAt: new Date() })
  expect(await readCounts()).toEqual(['1', '1', '2'])

  // The list of emails is removed after 400 days. Only the stored counts remain, and nothing can be
  // sent.
  await updateAnnouncement({
    counted: { sent: 70_000, failed: 5 },
    endedAt: new Date('2024-01-01'),
  })
  expect(await readCounts()).toEqual(['70,000', '5', '–'])
  expect((await getPage('owner', path)).body).not.toContain('Send the rest')
  expect((await post('owner', path, { intent: 'continue' })).body).toContain(
    'more than 400 days ago',
  )
})

it('a test email is sent only to the member of staff', async () => {
  const path = await createDraft('teacher')
  await post('teacher', path, { intent: 'test' })
  const [mail] = await server.db
    .select()
    .from(tables.outbox)
    .where(eq(tables.outbox.kind, 'announcement-test'))
  expect(mail).toMatchObject({ uid: server.getUid('teacher'), topic: getAnnouncementId(path) })

  const { composeTestEmail } = await import(
    '~/features/desk/announcements/announcement-mail.server'
  )
  expect(await composeTestEmail(server.db, mail?.uid ?? '', mail?.topic ?? '')).toMatchObject({
    to: 'teacher@learnify.example',
    subject: 'A new lesson',
  })
})

it('test emails of announcements and of the site have one limit per hour for each member of staff', async () => {
  const path = await createDraft('owner')
  const sendTestEmail = () => post('owner', path, { intent: 'test' })
  for (let count = 0; count < attemptLimits.testMailByAccount.max; count++) {
    expect((await sendTestEmail()).status).toBe(200)
  }

  const countEmails = () =>
    server.db.$count(tables.outbox, eq(tables.outbox.uid, server.getUid('owner')))
  const countAtLimit = await countEmails()
  for (const refusal of [
    await sendTestEmail(),
    await post('owner', '/Desk/Site', { intent: 'testMail', sure: 'on' }),
  ]) {
    expect(refusal.status).toBe(400)
    expect(refusal.body).toMatch(/You can send the next one after \w+ \d+, \d+, [\d:]+ [AP]M GMT/)
  }

  expect(await countEmails()).toBe(countAtLimit)

  // The limit counts each person separately, and ends after an hour.
  expect((await post('teacher', await createDraft('teacher'), { intent: 'test' })).status).toBe(200)

  await server.db.update(tables.rateLimits).set({ startedAt: sql`started_at - 3600000` })
  expect((await sendTestEmail()).status).toBe(200)
})

it('announcements are stopped by one click on a link without a session; opening the link changes nothing', async () => {
  const { getStopUrl } = await import('~/features/desk/announcements/announcement-opt-out.server')
  const stopUrl = await getStopUrl(server.getUid('ben'))
  const wantsAnnouncements = async () => {
    const [ben] = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.id, server.getUid('ben')))
    return ben?.wantsAnnouncements
  }

  expect((await getPage('nobody', stopUrl)).body).toContain('Stop announcements?')
  expect(await wantsAnnouncements()).toBe(true)

  // An email program sends no Origin header.
  const { Origin: _origin, ...headers } = server.headers
  const unsubscribe = (url: string) =>
    server.request(url, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  const forgedUrl = stopUrl.replace(/key=(.)/, (_, first) => `key=${first === 'x' ? 'y' : 'x'}`)
  const urlForReminders = stopUrl.replace('mails=announcements', '')
  expect((await unsubscribe(forgedUrl)).status).toBe(403)
  expect((await unsubscribe(urlForReminders)).status).toBe(403)
  expect(await wantsAnnouncements()).toBe(true)

  const { status, body } = await unsubscribe(stopUrl)
  expect(status).toBe(200)
  expect(body).toContain('Announcements stopped')
  expect(await wantsAnnouncements()).toBe(false)

  expect((await getPage('ben', '/Profile/settings')).body).toMatch(
    /name="announcements"(?![^>]*checked)/,
  )

  await post('ben', '/Profile/settings?form=announcements', { announcements: 'on' })
  expect(await wantsAnnouncements()).toBe(true)
})

it('the preview names the sender that the owner has chosen', async () => {
  const sender = { intent: 'sender', seen: '0', name: 'Knot School', address: 'news@knots.example' }

  expect((await post('owner', '/Desk/Site', sender)).status).toBeLessThan(400)
  expect((await getPage('owner', await createDraft('owner'))).body).toContain(
    'From Knot School &lt;news@knots.example&gt;',
  )
})
