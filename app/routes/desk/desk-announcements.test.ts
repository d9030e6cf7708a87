import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const own = 'python-from-zero'
const foreign = 'typography-for-screens'

let server: DeskServer
let AnnouncementSender: typeof import('~/features/desk/announcements/announcement-sender.server').AnnouncementSender

const get: DeskServer['get'] = (...request) => server.get(...request)
const post: DeskServer['post'] = (...request) => server.post(...request)

const draft = {
  course: own,
  audience: 'all',
  days: '14',
  subject: 'A new lesson',
  body: 'Look at **it**.',
}
const list = '/Desk/Announcements'

/** @returns the address of a new draft. */
async function write(name: string, more: object = {}): Promise<string> {
  const { headers: answered } = await post(name, `${list}/New`, {
    intent: 'create',
    ...draft,
    ...more,
  })

  return answered.location ?? ''
}

const idOf = (address: string) => address.slice(list.length + 1)
const rowOf = async (address: string) =>
  (
    await server.db
      .select()
      .from(tables.announcements)
      .where(eq(tables.announcements.id, idOf(address)))
  )[0]
const versionOf = async (address: string) => (await rowOf(address))?.updatedAt.toISOString() ?? ''
const send = async (name: string, address: string, more: Record<string, string> = {}) =>
  post(name, address, { intent: 'send', version: await versionOf(address), ...more })
const save = async (name: string, address: string, more: Record<string, string>) =>
  post(name, address, { intent: 'save', version: await versionOf(address), ...draft, ...more })
const acts = async (address: string) =>
  (
    await server.db
      .select()
      .from(tables.operatorActs)
      .where(eq(tables.operatorActs.subject, idOf(address)))
      .orderBy(tables.operatorActs.at)
  ).map(({ act, by }) => [act, by])

/** Sends the mails that are due. @param refuse may throw an error of the mail server. */
async function deliver(refuse: (to: string) => void = () => {}): Promise<string[]> {
  const recipients: string[] = []
  const sender = new AnnouncementSender({
    db: server.db,
    checkMailServer: async () => {},
    emailsPerMinute: 60_000,
    sleep: async () => {},
    async send({ to }) {
      refuse(to)
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
  const { signUp, getUid: uid } = server
  await signUp('owner', 'owner')
  await signUp('teacher', 'teacher', [own])
  for (const name of ['ada', 'ben', 'eve']) {
    await signUp(name)
  }

  await server.db.update(tables.users).set({ timezone: 'Europe/Berlin' })
  await server.db.insert(tables.enrollments).values([
    { uid: uid('ada'), courseId: own },
    { uid: uid('ben'), courseId: own },
    { uid: uid('eve'), courseId: foreign },
  ])
})
afterAll(() => server.stop())

it('a draft is saved, shown as learners will see it with how many it reaches, changed, and deleted', async () => {
  const address = await write('owner')
  const { status, body } = await get('owner', address)
  expect(status).toBe(200)
  expect(body).toContain('<strong>it</strong>')
  expect(body).toContain('Send to 2 learners')
  expect(body).toContain('Day and time in Europe/Berlin')
  expect((await get('owner', list)).body).toContain(address)

  await save('owner', address, { course: '', subject: 'Everybody' })
  expect(await rowOf(address)).toMatchObject({
    courseId: null,
    subject: 'Everybody',
    state: 'draft',
  })

  expect((await get('owner', address)).body).toContain('Send to 5 learners')
  expect((await post('owner', address, { intent: 'delete' })).headers.location).toBe(list)
  expect((await get('owner', address)).status).toBe(404)
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
])('a draft with %j is refused, and what was typed stays', async (wrong, sentence) => {
  const typed = { intent: 'create', ...draft, body: 'My words', ...wrong }
  const { status, body } = await post('owner', `${list}/New`, typed)
  expect([status, body.includes(sentence)]).toEqual([400, true])

  if (typed.body) {
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
  const draftUrl = await write('owner', { course: '' })
  const { body } = await get('owner', draftUrl)
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
  await server.db.insert(tables.enrollments).values({ uid: 'imported', courseId: own })
  await server.db.insert(tables.operatorActs).values({
    id: 'import-ivo',
    by: 'owner',
    act: 'learners import',
    subject: 'imported',
    arguments: { courses: [own] },
    outcome: 'Imported.',
  })

  const { body } = await get('owner', await write('owner'))
  expect(body).toContain('Send to 3 learners')
  expect(body).not.toContain('Left out:')
  expect(body).toContain('Send 1 learner the invitation again')
  await server.db.delete(tables.users).where(eq(tables.users.id, 'imported'))
})

it('a draft whose text would become too large is refused', async () => {
  const hugeTable = `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'||\n'.repeat(200)}`
  const form = { intent: 'create', ...draft, body: hugeTable }
  const { status, body } = await post('owner', `${list}/New`, form)

  expect(status).toBe(400)
  expect(body).toContain('This text becomes too large')
})

it('a teacher writes to the learners of their own courses only, and sees no other announcement', async () => {
  for (const course of ['', foreign]) {
    const { status } = await post('teacher', `${list}/New`, { intent: 'create', ...draft, course })
    expect(status).toBe(400)
  }

  const [mine, other, school] = [
    await write('teacher'),
    await write('owner', { course: foreign }),
    await write('owner', { course: '' }),
  ]
  const { body } = await get('teacher', list)
  expect([mine, other, school].map((address) => body.includes(address))).toEqual([
    true,
    false,
    false,
  ])

  for (const address of [other, school]) {
    expect((await get('teacher', address)).status).toBe(404)
    expect((await send('teacher', address)).status).toBe(400)
    expect((await post('teacher', address, { intent: 'delete' })).status).toBe(400)
  }

  // The teacher can't move their own draft to the foreign course, either.
  expect((await save('teacher', mine, { course: foreign })).status).toBe(400)
})

it('it is sent, counted and in the audit', async () => {
  const address = await write('teacher')
  expect((await send('teacher', address)).body).toContain('It is being sent.')
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
  expect((await get('teacher', address)).body).toMatch(/Sent<\/dt><dd[^>]*>2</)
  expect(await acts(address)).toEqual([
    ['announcement create', server.getUid('teacher')],
    ['announcement send', server.getUid('teacher')],
  ])

  // After the sending, the acts of a draft are refused.
  for (const intent of ['send', 'save', 'delete', 'cancel', 'stop', 'continue', 'resend']) {
    expect((await post('teacher', address, { intent, ...draft })).status, intent).toBe(400)
  }

  expect((await get('owner', `/Desk/People/${server.getUid('ada')}`)).body).toContain(
    'A new lesson',
  )
})

it('nothing is sent that was changed after it was looked at, and nothing without a proof of the last 15 minutes', async () => {
  const address = await write('owner')
  const version = await versionOf(address)
  await save('owner', address, { subject: 'Another' })
  expect((await send('owner', address, { version })).body).toContain(
    'Somebody has changed this announcement in the meantime.',
  )

  const confirmed = (minutes: number) =>
    server.db
      .update(tables.sessions)
      .set({ confirmedAt: sql`now() - make_interval(mins => ${minutes})` })
      .where(eq(tables.sessions.userId, server.getUid('owner')))

  await confirmed(20)
  expect((await send('owner', address)).status).toBe(403)

  await confirmed(0)
  expect((await rowOf(address))?.state).toBe('draft')
})

it('a draft that somebody else saved meanwhile is not overwritten, and what was typed stays', async () => {
  const address = await write('owner')
  const version = await versionOf(address)
  await save('owner', address, { subject: 'Theirs' })
  const late = await save('owner', address, { version, subject: 'Mine', body: 'My words' })
  expect([late.status, late.body.includes('This draft has been changed in the meantime')]).toEqual([
    400,
    true,
  ])

  for (const shown of ['value="Mine"', 'My words', '>Theirs<']) {
    expect(late.body).toContain(shown)
  }

  expect(await rowOf(address)).toMatchObject({ subject: 'Theirs' })
  // The form now contains the newer version.
  expect(late.body).toContain(`name="version" value="${await versionOf(address)}"`)

  const both = await Promise.all(['A', 'B'].map((subject) => save('owner', address, { subject })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

it('one that reaches nobody is refused', async () => {
  const address = await write('owner', { audience: 'away', days: '300' })
  expect((await send('owner', address)).body).toContain('No learner would get it.')
})

it('it waits for its time, as clocks of the member of staff show it, and can be canceled', async () => {
  const address = await write('owner')
  const schedule = async (at: string) =>
    post('owner', address, { intent: 'schedule', version: await versionOf(address), at })
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
  expect(await rowOf(address)).toMatchObject({
    state: 'scheduled',
    dueAt: new Date(`${day}T08:00Z`),
  })
  expect(await deliver()).toEqual([])

  await post('owner', address, { intent: 'cancel' })
  expect(await rowOf(address)).toMatchObject({ state: 'draft', dueAt: null })
})

it('that of a teacher who has lost the course is a draft again, says why, and is sent by somebody else', async () => {
  const address = await write('teacher')
  await send('teacher', address)
  await server.db.delete(tables.staffCourses)
  expect(await deliver()).toEqual([])
  expect((await get('owner', address)).body).toContain('may no longer write to these learners')
  expect((await send('owner', address)).status).toBe(200)
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
  expect((await get('owner', address)).body).not.toContain('may no longer write to these learners')

  await server.db
    .insert(tables.staffCourses)
    .values({ uid: server.getUid('teacher'), courseId: own })
})

it('a stop holds, and the rest can be sent later', async () => {
  const address = await write('owner')
  await send('owner', address)
  await server.db
    .update(tables.announcements)
    .set({ state: 'sending' })
    .where(eq(tables.announcements.id, idOf(address)))
  const at = new Date(Date.now() - 1000)
  const mails = ['ada', 'ben'].map((name) => ({
    uid: server.getUid(name),
    announcementId: idOf(address),
    at,
  }))

  await server.db.insert(tables.announcementMails).values(mails)
  await post('owner', address, { intent: 'stop' })
  expect(await deliver()).toEqual([])
  expect((await get('owner', address)).body).toMatch(
    /Not sent, because it was stopped<\/dt><dd[^>]*>2</,
  )

  await post('owner', address, { intent: 'continue' })
  expect(await deliver()).toEqual(['ada@learnify.example', 'ben@learnify.example'])
})

it('failed and uncertain mails are listed, and only failed ones are sent again', async () => {
  const address = await write('teacher')
  await send('teacher', address)
  const refuse = (to: string) => {
    const code = to.startsWith('ada')
      ? { code: 'EENVELOPE', responseCode: 550 }
      : { code: 'ECONNECTION' }
    throw Object.assign(new Error(`550 5.1.1 ${to} is unknown`), code)
  }

  expect(await deliver(refuse)).toEqual([])

  const { body } = await get('owner', address)
  expect(body).toContain('550 5.1.1 ada@learnify.example is unknown')
  expect(body).toMatch(/Failed<\/dt><dd[^>]*>1<.*Uncertain<\/dt><dd[^>]*>1</s)
  // The reason contains an address, and this teacher sees none.
  expect((await get('teacher', address)).body).not.toContain('ada@learnify.example')
  expect((await post('teacher', address, { intent: 'resend' })).body).toContain(
    '1 mail is sent again.',
  )
  expect(await deliver()).toEqual(['ada@learnify.example'])
  expect((await post('teacher', address, { intent: 'resend' })).status).toBe(400)
})

it('the list counts what was sent, failed and was stopped', async () => {
  const address = await write('owner', { subject: 'Counted' })
  const numbers = async () => {
    const [row = ''] =
      /<tr[^>]*>(?:(?!<\/tr>).)*Counted.*?<\/tr>/s.exec((await get('owner', list)).body) ?? []
    return [...row.matchAll(/<td[^>]*tabular-nums[^>]*>(.*?)<\/td>/gs)].map(
      ([, cell = '']) => /^[^<]*/.exec(cell)?.[0],
    )
  }

  expect(await numbers()).toEqual(['–', '–', '–'])

  const mails = (['sent', 'failed', 'due', 'claimed'] as const).map((state, index) => ({
    ...{ uid: server.getUid(['ada', 'ben', 'eve', 'owner'][index] ?? ''), state },
    ...{ announcementId: idOf(address), at: new Date() },
  }))
  await server.db.insert(tables.announcementMails).values(mails)
  const set = (more: object) =>
    server.db
      .update(tables.announcements)
      .set(more)
      .where(eq(tables.announcements.id, idOf(address)))

  await set({ state: 'stopped', endedAt: new Date() })
  expect(await numbers()).toEqual(['1', '1', '2'])

  // After the mails are removed, the stored counts are shown, and no more mails can be sent.
  await set({ counted: { sent: 70_000, failed: 5 }, endedAt: new Date('2024-01-01') })
  expect(await numbers()).toEqual(['70,000', '5', '–'])
  expect((await get('owner', address)).body).not.toContain('Send the rest')
  expect((await post('owner', address, { intent: 'continue' })).body).toContain(
    'more than 400 days ago',
  )
})

it('a test goes to the member of staff alone', async () => {
  const address = await write('teacher')
  await post('teacher', address, { intent: 'test' })
  const [mail] = await server.db
    .select()
    .from(tables.outbox)
    .where(eq(tables.outbox.kind, 'announcement-test'))
  expect(mail).toMatchObject({ uid: server.getUid('teacher'), topic: idOf(address) })

  const { composeTestEmail } = await import(
    '~/features/desk/announcements/announcement-mail.server'
  )
  expect(await composeTestEmail(server.db, mail?.uid ?? '', mail?.topic ?? '')).toMatchObject({
    to: 'teacher@learnify.example',
    subject: 'A new lesson',
  })
})

it('a member of staff gets so many tests within an hour, of announcements and the site together', async () => {
  const address = await write('owner')
  const test = () => post('owner', address, { intent: 'test' })
  for (let testMails = 0; testMails < attemptLimits.testMailByAccount.max; testMails++) {
    expect((await test()).status).toBe(200)
  }

  const sent = () => server.db.$count(tables.outbox, eq(tables.outbox.uid, server.getUid('owner')))
  const before = await sent()
  for (const refused of [
    await test(),
    await post('owner', '/Desk/Site', { intent: 'testMail', sure: 'on' }),
  ]) {
    expect(refused.status).toBe(400)
    expect(refused.body).toMatch(/You can send the next one after \w+ \d+, \d+, [\d:]+ [AP]M GMT/)
  }

  expect(await sent()).toBe(before)
  // The limit counts each person separately, and ends after an hour.
  expect((await post('teacher', await write('teacher'), { intent: 'test' })).status).toBe(200)

  await server.db.update(tables.rateLimits).set({ startedAt: sql`started_at - 3600000` })
  expect((await test()).status).toBe(200)
})

it('a link stops them by its button or one click without a session; opening it changes nothing', async () => {
  const { getStopUrl } = await import('~/features/desk/announcements/announcement-opt-out.server')
  const address = await getStopUrl(server.getUid('ben'))
  const wants = async () =>
    (
      await server.db
        .select()
        .from(tables.users)
        .where(eq(tables.users.id, server.getUid('ben')))
    )[0]?.wantsAnnouncements

  expect((await get('nobody', address)).body).toContain('Stop announcements?')
  expect(await wants()).toBe(true)

  const wrong = address.replace(/key=(.)/, (_, first) => `key=${first === 'x' ? 'y' : 'x'}`)
  const { Origin: _, ...oneClick } = server.headers
  const click = (target: string) =>
    server.request(target, {
      method: 'POST',
      headers: oneClick,
      body: 'List-Unsubscribe=One-Click',
    })
  expect((await click(wrong)).status).toBe(403)
  // The signature isn't valid for reminders.
  expect((await click(address.replace('mails=announcements', ''))).status).toBe(403)
  expect(await wants()).toBe(true)

  const { status, body } = await click(address)
  expect([status, await wants(), body.includes('Announcements stopped')]).toEqual([
    200,
    false,
    true,
  ])

  expect((await get('ben', '/Profile/settings')).body).toMatch(
    /name="announcements"(?![^>]*checked)/,
  )

  await post('ben', '/Profile/settings?form=announcements', { announcements: 'on' })
  expect(await wants()).toBe(true)
})

it('the preview names the sender that the owner has chosen', async () => {
  const sender = { intent: 'sender', seen: '0', name: 'Knot School', address: 'news@knots.example' }

  expect((await post('owner', '/Desk/Site', sender)).status).toBeLessThan(400)
  expect((await get('owner', await write('owner'))).body).toContain(
    'From Knot School &lt;news@knots.example&gt;',
  )
})
