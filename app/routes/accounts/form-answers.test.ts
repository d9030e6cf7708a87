import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createOneTimeToken } from '~/features/accounts/one-time-tokens.server'
import { createRecoveryLink } from '~/features/accounts/security/account-recovery.server'
import * as tables from '~/server/database/schema'
import { Mailbox } from '../../../tests/support/mailbox'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const form = {
  Host: host,
  Origin: `http://${host}`,
  'Content-Type': 'application/x-www-form-urlencoded',
}
const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  password: 'Analytical-1843',
  confirmPassword: 'Analytical-1843',
}

let server: ProductServer
beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
})
afterAll(() => server.stop())

const post = (
  address: string,
  entered: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  server.request(address, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(entered).toString(),
  })

it('somebody who was signed out meanwhile is led to the login by ‘Delete my account’, and a script is told', async () => {
  const plain = await post('/OwnData', { confirmation: 'anything' })

  expect([plain.status, plain.headers.location]).toEqual([303, '/Login?from=%2FProfile%2Fsettings'])

  const script = await post('/OwnData.data', { confirmation: 'anything' })

  expect(script.status).toBe(401)
  expect(script.body).toContain('signed out')
})

it('a page that asks by itself what there is to celebrate hears nothing once its learner is signed out', async () => {
  const answer = await post('/Moments', {})
  expect([answer.status, answer.body]).toEqual([200, 'null'])
})

it.each([
  ['/Login', {}, 400],
  ['/Login', { email: 'nobody@learnify.example', password: 'Analytical-1843' }, 404],
  ['/SignUp', { firstName: 'Ada' }, 400],
  ['/SignUp', { ...person, email: 'ada@learnify.example', terms: 'on' }, 200],
  ['/Login', { email: 'ada@learnify.example', password: 'wrong-password' }, 401],
  ['/Login', { email: 'ada@learnify.example', password: person.password }, 200],
])(
  'nobody keeps what %s answers to %o, neither to a script nor to a plain form',
  async (address, entered, status) => {
    const script = await post(`${address}.data`, entered)

    expect([script.status, script.headers['cache-control']]).toEqual([status, 'no-store'])

    const plain = await post(address, entered)

    expect(plain.headers['cache-control']).toBe('no-store')
  },
)

it('‘This wasn’t me’ shows a page with a button, which locks the account down once', async () => {
  const { db } = server
  const learner = { id: 'ida', name: 'Ida', firstName: 'Ida', email: 'ida@learnify.example' }
  await db.insert(tables.users).values(learner)
  const key = await createRecoveryLink(db, {
    uid: learner.id,
    since: new Date(),
    email: learner.email,
  })
  const page = await server.request(`/NotMe?key=${key}`, {
    headers: { Host: host, Accept: 'text/html' },
  })

  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.body).toContain('Lock down my account')

  const pressed = await post('/NotMe', { key })

  expect([pressed.status, pressed.headers.location]).toEqual([303, '/Login?notice=account-secured'])
  expect((await post('/NotMe', { key })).status).toBe(410)
})

it('an address is confirmed although other learners’ certificates cannot be issued just now', async () => {
  const { db } = server
  const learner = { firstName: 'Ben', name: 'Ben', emailVerified: true }
  const [earned, newcomer] = ['ben', 'cleo'].map((id) => ({
    ...learner,
    id,
    email: `${id}@learnify.example`,
  }))

  if (!earned || !newcomer) {
    throw new Error('There are two.')
  }

  await db.insert(tables.users).values([earned, { ...newcomer, emailVerified: false }])
  const [exam] = await db.select().from(tables.exams)
  const work = { uid: earned.id, courseId: exam?.courseId ?? '' }
  const now = new Date()
  await db
    .insert(tables.enrollments)
    .values({ ...work, completedAt: now, certificateWaitsSince: now })
  const attempt = {
    id: 'passed',
    title: 'Exam',
    maxScore: 1,
    score: 1,
    submittedAt: now,
    deadlineAt: now,
  }

  await db.insert(tables.examAttempts).values({ ...work, ...attempt })
  await db.execute(sql`
    create function refuse_certificates() returns trigger language plpgsql as $$ begin
      raise exception 'No certificate can be stored.';
    end $$`)
  await db.execute(sql`
    create trigger refuse before insert on certificates for each row execute function refuse_certificates()`)

  const token = await createOneTimeToken(db, 'verify-email', newcomer.id)
  const answer = await post('/ConfirmEmail', { intent: 'confirm', token })

  expect(answer.status).toBe(303)

  const [confirmed] = await db.select().from(tables.users).where(sql`id = ${newcomer.id}`)

  expect(confirmed?.emailVerified).toBe(true)
})

async function signUp(email: string) {
  const { headers } = await post('/SignUp', { ...person, email, terms: 'on' })
  const [learner] = await server.db.select().from(tables.users).where(sql`email = ${email}`)
  const cookie = (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')

  return { uid: learner?.id ?? '', cookie: { Cookie: cookie } }
}

it('the page of a confirmation link says in the school’s time zone when the account was created', async () => {
  const { refreshSite } = await import('~/server/site/site.server')
  const { uid } = await signUp('gil@learnify.example')
  const createdAt = new Date('2026-11-26T23:30:00Z')
  await server.db.update(tables.users).set({ createdAt }).where(eq(tables.users.id, uid))
  const zone = { part: 'timeZone', version: 1, value: 'Europe/Berlin', by: uid }
  await server.db.insert(tables.siteVersions).values(zone)
  await refreshSite(server.db)
  const token = await createOneTimeToken(server.db, 'verify-email', uid)
  const { body } = await server.request(`/ConfirmEmail?token=${token}`, { headers: { Host: host } })
  expect(body).toContain('Nov 27, 2026, 12:30 AM GMT+1')

  await server.db.delete(tables.siteVersions)
  await refreshSite(server.db)
})

it('a learner whose confirmation link has expired gets a new one, which works once', async () => {
  const email = 'jo@learnify.example'
  const { cookie } = await signUp(email)
  const open = async (token: string) =>
    (await server.request(`/ConfirmEmail?token=${token}`, { headers: { ...form, ...cookie } })).body
  const expiredPage = await open('never-was-one')
  expect(expiredPage).toContain('This link has expired or has already been used')
  expect(expiredPage).toMatch(/<button[^>]*value="resend"[^>]*>Send a new link/)

  const { body } = await post('/ConfirmEmail', { intent: 'resend' }, cookie)
  expect(body).toContain('We’ve sent you a new link')

  const mailbox = new Mailbox(server.db, `http://${host}`)
  const token = await mailbox.readTokenSentTo(email)
  expect(mailbox.deliveredMails.filter(({ to }) => to === email)).toHaveLength(2)

  const linkPage = await open(token)
  expect(linkPage).toContain('Someone created an account for')
  expect(linkPage).toContain(email)
  expect(linkPage).toMatch(/<button[^>]*value="confirm"[^>]*>Yes, confirm my address/)

  expect((await post('/ConfirmEmail', { intent: 'confirm', token })).status).toBe(303)
  expect((await post('/ConfirmEmail', { intent: 'confirm', token })).status).toBe(410)
})

it('the owner of an email address locks the account that somebody else created, which ends its sessions', async () => {
  const { uid, cookie } = await signUp('ivy@learnify.example')
  const token = await createOneTimeToken(server.db, 'verify-email', uid)
  const page = await server.request(`/ConfirmEmail?token=${token}`, { headers: { Host: host } })
  expect(page.body).toMatch(/<button[^>]*value="disown"[^>]*>No, it wasn’t me/)

  const { status, headers } = await post('/ConfirmEmail', { intent: 'disown', token })
  expect([status, headers.location]).toEqual([303, '/Login?notice=account-disowned'])

  const login = await server.request('/Login?notice=account-disowned', { headers: { Host: host } })
  expect(login.body).toContain('That account is now locked')

  const profile = await server.request('/Profile', { headers: { ...form, ...cookie } })
  expect(profile.headers.location).toBe('/Login')
})

it('who confirms an address lands on the profile when signed in to its account, otherwise at the login', async () => {
  const [eve, fay] = [await signUp('eve@learnify.example'), await signUp('fay@learnify.example')]
  const confirm = async ({ uid }: { uid: string }, cookie?: { Cookie: string }) => {
    const token = await createOneTimeToken(server.db, 'verify-email', uid)
    return (
      (await post('/ConfirmEmail', { intent: 'confirm', token }, cookie)).headers.location ?? ''
    )
  }
  const profile = await confirm(eve, eve.cookie)

  expect(profile).toBe('/Profile?notice=email-verified')

  const { body } = await server.request(profile, { headers: { ...form, ...eve.cookie } })

  expect(body).toContain('Your email address is confirmed.')
  expect(await confirm(fay, eve.cookie)).toBe('/Login?notice=email-verified')
  expect(await confirm(fay)).toBe('/Login?notice=email-verified')
})

it('who comes back to a course whose last open lesson is gone has completed it', async () => {
  const { db } = server
  const { uid, cookie } = await signUp('gus@learnify.example')
  const courseId = 'typography-for-screens'
  const lessons = await db.select().from(tables.countingLessons).where(sql`course_id = ${courseId}`)
  const enroll = () => post('/Enrollments.data', { courseIds: courseId }, cookie)
  const completed = () =>
    db.$count(tables.enrollments, sql`uid = ${uid} and completed_at is not null`)
  await enroll()
  for (const { id } of lessons.slice(1)) {
    await db
      .insert(tables.lessonProgress)
      .values({ uid, courseId, lessonId: id, earnedAt: new Date() })
  }

  await post('/Enrollments.data', { courseIds: courseId, leave: 'yes' }, cookie)
  await db.execute(
    sql`update course_lessons set retired = true where course_id = ${courseId} and id = ${lessons[0]?.id}`,
  )

  expect(await completed()).toBe(0)
  expect((await enroll()).status).toBe(200)
  expect(await completed()).toBe(1)
})

it('who enrolls in a course that is gone is told so', async () => {
  const { cookie } = await signUp('hal@learnify.example')
  const enroll = (address: string) => post(address, { courseIds: 'no-such-course' }, cookie)
  for (const { status, body } of [
    await enroll('/Enrollments.data'),
    await enroll('/Enrollments'),
  ]) {
    expect(status).toBe(404)
    expect(body).toContain('no longer available')
  }
})

it('a machine whose clock is hours ahead of another’s ends nobody’s exam', async () => {
  const { db } = server
  const { uid, cookie } = await signUp('dora@learnify.example')
  const [exam] = await db.select().from(tables.exams)
  const address = `/Exam/${exam?.courseId}`
  await db.update(tables.users).set({ emailVerified: true }).where(eq(tables.users.id, uid))
  await db.insert(tables.enrollments).values({ uid, courseId: exam?.courseId ?? '' })

  expect((await post(address, { intent: 'start' }, cookie)).headers.location).toBe(address)

  const page = () => server.request(address, { headers: { ...form, ...cookie } })
  const underWay = /role="timer"/

  expect((await page()).body).toMatch(underWay)

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 60 * 60_000 })
  try {
    expect((await page()).body).toMatch(underWay)
  } finally {
    vi.useRealTimers()
  }
})
