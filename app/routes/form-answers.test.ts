import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMailedToken } from '~/features/accounts/mail/mailed-tokens.server'
import * as tables from '~/server/database/schema'
import { startProductFront } from '../../tests/support/product-front'

const host = 'localhost:3000'
const form = { Host: host, Origin: `http://${host}`, 'Content-Type': 'application/x-www-form-urlencoded' }
const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  password: 'Analytical-1843',
  confirmPassword: 'Analytical-1843',
}

let front: Awaited<ReturnType<typeof startProductFront>>
beforeAll(async () => {
  front = await startProductFront({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
})
afterAll(() => front.stop())

const post = (address: string, entered: Record<string, string>) =>
  front.ask(address, { method: 'POST', headers: form, body: new URLSearchParams(entered).toString() })

it('somebody who was signed out meanwhile is led to the login by ‘Delete my account’, and a script is told', async () => {
  const plain = await post('/OwnData', { confirmation: 'anything' })
  expect([plain.status, plain.headers.location]).toEqual([303, '/Login?from=%2FProfile%2Fsettings'])
  const script = await post('/OwnData.data', { confirmation: 'anything' })
  expect(script.status).toBe(401)
  expect(script.body).toContain('You are signed out.')
})

it.each([
  ['/Login', {}, 400],
  ['/Login', { email: 'nobody@learnify.example', password: 'Analytical-1843' }, 404],
  ['/SignUp', { firstName: 'Ada' }, 400],
  ['/SignUp', { ...person, email: 'ada@learnify.example', terms: 'on' }, 200],
  ['/Login', { email: 'ada@learnify.example', password: 'wrong-password' }, 401],
  ['/Login', { email: 'ada@learnify.example', password: person.password }, 200],
])('nobody keeps what %s answers to %o, neither to a script nor to a plain form', async (address, entered, status) => {
  const script = await post(`${address}.data`, entered)
  expect([script.status, script.headers['cache-control']]).toEqual([status, 'no-store'])
  const plain = await post(address, entered)
  expect(plain.headers['cache-control']).toBe('no-store')
})

it('an address is confirmed although other learners’ certificates cannot be issued just now', async () => {
  const { db } = front
  const learner = { firstName: 'Ben', name: 'Ben', emailVerified: true }
  const [earned, newcomer] = ['ben', 'cleo'].map((id) => ({ ...learner, id, email: `${id}@learnify.example` }))
  if (!earned || !newcomer) throw new Error('There are two.')
  await db.insert(tables.users).values([earned, { ...newcomer, emailVerified: false }])
  const [exam] = await db.select().from(tables.exams)
  const work = { uid: earned.id, courseId: exam?.courseId ?? '' }
  const now = new Date()
  await db.insert(tables.enrollments).values({ ...work, completedAt: now, certificateWaitsSince: now })
  const attempt = { id: 'passed', title: 'Exam', maxScore: 1, score: 1, submittedAt: now, deadlineAt: now }
  await db.insert(tables.examAttempts).values({ ...work, ...attempt })
  await db.execute(sql`
    create function refuse_certificates() returns trigger language plpgsql as $$ begin
      raise exception 'No certificate can be stored.';
    end $$`)
  await db.execute(sql`
    create trigger refuse before insert on certificates for each row execute function refuse_certificates()`)

  const token = await createMailedToken(db, 'verify-email', newcomer.id)
  const answer = await post('/ConfirmEmail', { intent: 'confirm', token })
  expect(answer.status).toBe(303)
  const [confirmed] = await db.select().from(tables.users).where(sql`id = ${newcomer.id}`)
  expect(confirmed?.emailVerified).toBe(true)
})
