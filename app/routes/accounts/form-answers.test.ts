import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createOneTimeToken } from '~/features/accounts/one-time-tokens.server'
import { createRecoveryLink } from '~/features/accounts/security/account-recovery.server'
import * as tables from '~/server/database/schema'
import { Mailbox } from '../../../tests/support/mailbox'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const formHeaders = {
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

/**
 * Submits a form. A path that ends with `.data` stands for a submission by React Router's script.
 */
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  server.request(path, {
    method: 'POST',
    headers: { ...formHeaders, ...headers },
    body: new URLSearchParams(fields).toString(),
  })

it('‘Delete my account’ leads a visitor to the login, and a script gets an error', async () => {
  const response = await post('/OwnData', { confirmation: 'anything' })
  expect([response.status, response.headers.location]).toEqual([
    303,
    '/Login?from=%2FProfile%2Fsettings',
  ])

  const scriptResponse = await post('/OwnData.data', { confirmation: 'anything' })
  expect(scriptResponse.status).toBe(401)
  expect(scriptResponse.body).toContain('signed out')
})

it('the request for celebrations gets null if the learner is signed out', async () => {
  const response = await post('/Moments', {})
  expect([response.status, response.body]).toEqual([200, 'null'])
})

it.each([
  ['/Login', {}, 400],
  ['/Login', { email: 'nobody@learnify.example', password: 'Analytical-1843' }, 404],
  ['/SignUp', { firstName: 'Ada' }, 400],
  ['/SignUp', { ...person, email: 'ada@learnify.example', terms: 'on' }, 200],
  ['/Login', { email: 'ada@learnify.example', password: 'wrong-password' }, 401],
  ['/Login', { email: 'ada@learnify.example', password: person.password }, 200],
])('the response of %s to %o must not be cached', async (path, fields, status) => {
  const scriptResponse = await post(`${path}.data`, fields)
  expect([scriptResponse.status, scriptResponse.headers['cache-control']]).toEqual([
    status,
    'no-store',
  ])

  const response = await post(path, fields)
  expect(response.headers['cache-control']).toBe('no-store')
})

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

  const lockdown = await post('/NotMe', { key })

  expect([lockdown.status, lockdown.headers.location]).toEqual([
    303,
    '/Login?notice=account-secured',
  ])
  expect((await post('/NotMe', { key })).status).toBe(410)
})

it('an email address is confirmed even if the waiting certificate of another learner cannot be issued', async () => {
  const { db } = server
  const createLearner = (id: string, emailVerified: boolean) => ({
    id,
    firstName: 'Ben',
    name: 'Ben',
    email: `${id}@learnify.example`,
    emailVerified,
  })
  const certificateEarner = createLearner('ben', true)
  const newcomer = createLearner('cleo', false)
  await db.insert(tables.users).values([certificateEarner, newcomer])

  const [exam] = await db.select().from(tables.exams)
  const enrollment = { uid: certificateEarner.id, courseId: exam?.courseId ?? '' }
  const now = new Date()
  await db
    .insert(tables.enrollments)
    .values({ ...enrollment, completedAt: now, certificateWaitsSince: now })
  await db.insert(tables.examAttempts).values({
    ...enrollment,
    id: 'passed',
    title: 'Exam',
    maxScore: 1,
    score: 1,
    submittedAt: now,
    deadlineAt: now,
  })
  await db.execute(sql`
    create function refuse_certificates() returns trigger language plpgsql as $$ begin
      raise exception 'No certificate can be stored.';
    end $$`)
  await db.execute(sql`
    create trigger refuse before insert on certificates for each row execute function refuse_certificates()`)

  const token = await createOneTimeToken(db, 'verify-email', newcomer.id)
  const response = await post('/ConfirmEmail', { intent: 'confirm', token })
  expect(response.status).toBe(303)

  const [user] = await db.select().from(tables.users).where(eq(tables.users.id, newcomer.id))
  expect(user?.emailVerified).toBe(true)
})

async function signUp(email: string) {
  const { headers } = await post('/SignUp', { ...person, email, terms: 'on' })
  const [learner] = await server.db.select().from(tables.users).where(eq(tables.users.email, email))
  const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')

  return { uid: learner?.id ?? '', cookie: { Cookie: cookies } }
}

it('the page of a confirmation link says in the school’s time zone when the account was created', async () => {
  const { refreshSite } = await import('~/server/site/site.server')
  const { uid } = await signUp('gil@learnify.example')
  const createdAt = new Date('2026-11-26T23:30:00Z')
  await server.db.update(tables.users).set({ createdAt }).where(eq(tables.users.id, uid))
  const timeZone = { part: 'timeZone', version: 1, value: 'Europe/Berlin', by: uid }
  await server.db.insert(tables.siteVersions).values(timeZone)
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
  const openLink = async (token: string) => {
    const headers = { ...formHeaders, ...cookie }
    const { body } = await server.request(`/ConfirmEmail?token=${token}`, { headers })
    return body
  }
  const expiredPage = await openLink('unknown-token')
  expect(expiredPage).toContain('This link has expired or has already been used')
  expect(expiredPage).toMatch(/<button[^>]*value="resend"[^>]*>Send a new link/)

  const { body } = await post('/ConfirmEmail', { intent: 'resend' }, cookie)
  expect(body).toContain('We’ve sent you a new link')

  const mailbox = new Mailbox(server.db, `http://${host}`)
  const token = await mailbox.readTokenSentTo(email)
  expect(mailbox.deliveredMails.filter(({ to }) => to === email)).toHaveLength(2)

  const linkPage = await openLink(token)
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

  const profile = await server.request('/Profile', { headers: { ...formHeaders, ...cookie } })
  expect(profile.headers.location).toBe('/Login')
})

it('a confirmed email address leads to the profile if its learner is signed in, and otherwise to the login', async () => {
  const [eve, fay] = [await signUp('eve@learnify.example'), await signUp('fay@learnify.example')]
  const confirm = async ({ uid }: { uid: string }, cookie?: { Cookie: string }) => {
    const token = await createOneTimeToken(server.db, 'verify-email', uid)
    const { headers } = await post('/ConfirmEmail', { intent: 'confirm', token }, cookie)
    return headers.location ?? ''
  }
  const profilePath = await confirm(eve, eve.cookie)
  expect(profilePath).toBe('/Profile?notice=email-verified')

  const headers = { ...formHeaders, ...eve.cookie }
  const { body } = await server.request(profilePath, { headers })
  expect(body).toContain('Your email address is confirmed.')
  expect(await confirm(fay, eve.cookie)).toBe('/Login?notice=email-verified')
  expect(await confirm(fay)).toBe('/Login?notice=email-verified')
})

it('a learner who returns to a course whose only unfinished lesson was removed has completed it', async () => {
  const { db } = server
  const { uid, cookie } = await signUp('gus@learnify.example')
  const courseId = 'typography-for-screens'
  const lessons = await db.select().from(tables.countingLessons).where(sql`course_id = ${courseId}`)
  const enroll = () => post('/Enrollments.data', { courseIds: courseId }, cookie)
  const countCompletedCourses = () =>
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

  expect(await countCompletedCourses()).toBe(0)
  expect((await enroll()).status).toBe(200)
  expect(await countCompletedCourses()).toBe(1)
})

it.each(['/Enrollments.data', '/Enrollments'])(
  'an enrollment in a course that no longer exists gets an error from %s',
  async (path) => {
    const { cookie } = await signUp(`learner-of${path.replace('/', '-')}@learnify.example`)

    const { status, body } = await post(path, { courseIds: 'no-such-course' }, cookie)

    expect(status).toBe(404)
    expect(body).toContain('no longer available')
  },
)

it('a machine whose clock is hours ahead ends no exam', async () => {
  const { db } = server
  const { uid, cookie } = await signUp('dora@learnify.example')
  const [exam] = await db.select().from(tables.exams)
  const examPath = `/Exam/${exam?.courseId}`
  await db.update(tables.users).set({ emailVerified: true }).where(eq(tables.users.id, uid))
  await db.insert(tables.enrollments).values({ uid, courseId: exam?.courseId ?? '' })

  const start = await post(examPath, { intent: 'start' }, cookie)
  expect(start.headers.location).toBe(examPath)

  const isExamRunning = async () => {
    const { body } = await server.request(examPath, { headers: { ...formHeaders, ...cookie } })
    return body.includes('role="timer"')
  }
  expect(await isExamRunning()).toBe(true)

  const threeHoursMs = 3 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + threeHoursMs })
  try {
    expect(await isExamRunning()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
