import type { RouteConfigEntry } from '@react-router/dev/routes'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { startAttempt } from '~/features/exams/attempt/attempt-queries.server'
import routes from '~/routes'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'
import * as tables from '../database/schema'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
const course = 'python-from-zero'
let server: ProductServer
let lesson = ''
let attempt = ''
let certificate = ''

/** Returns the path of each route, with and without an optional parameter at its end. */
function listPaths(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path = '', children }) => {
    const routePath = `${above}/${path}`.replace(/\/+/g, '/')
    const shorter = routePath.replace(/\/:\w+\?$/, '')
    return children ? listPaths(children, routePath) : [...new Set([routePath, shorter])]
  })
}

function fillParameters(routePath: string): string {
  const examples = {
    course,
    lesson,
    attempt,
    slug: course,
    section: 'nope',
    id: certificate,
    list: '1',
    part: 'Pages.xml',
    code: 'NOSUCHCODE222222',
    number: '1',
    order: 'ABCDEFGH23',
    kind: 'refund',
  }
  const filled = routePath.replace(
    /:(\w+)\??/g,
    (_, name) => examples[name as keyof typeof examples],
  )
  return filled.replace('overview?', '').replace('*', 'nowhere')
}

/**
 * Creates a learner for whom everything is pending: a course to complete, a certificate, an attempt
 * and a note to render.
 */
async function createLearnerWithPendingWork({ db, request: ask }: ProductServer) {
  const person = {
    email: 'ada@learnify.example',
    password: 'Analytical-1843',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }
  const registered = await ask('/account/register', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  })

  headers.Cookie = (registered.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const [learner] = await db.select().from(tables.users).where(sql`email = ${person.email}`)
  const uid = learner?.id ?? ''
  const longAgo = new Date(Date.now() - 86_400_000)
  const { rows: others } = await db.execute<{ id: string }>(
    sql`select course_id as id from exams where course_id <> ${course}`,
  )
  for (const id of [course, ...others.map((other) => other.id)]) {
    await db.insert(tables.enrollments).values({ uid, courseId: id, lastAccessedAt: longAgo })
  }

  const lessons = await db.select().from(tables.courseLessons).where(sql`course_id = ${course}`)
  lesson = lessons.find(({ kind }) => kind === 'video')?.id ?? ''
  for (const { id } of lessons) {
    await db
      .insert(tables.lessonProgress)
      .values({ uid, courseId: course, lessonId: id, earnedAt: longAgo })
  }

  const note = {
    uid,
    id: 'note-0001',
    courseId: course,
    lessonId: lesson,
    body: 'Mine',
    html: 'Old',
    rendering: 0,
  }

  await db.insert(tables.notes).values(note)
  await db.execute(sql`update users set email_verified = true where id = ${uid}`)
  const started = await startAttempt(learningContext(db), { uid, courseId: course }, longAgo)
  attempt = started.refusal === null ? started.attemptId : ''
  const certificateCourseId = others[0]?.id ?? ''
  await db.insert(tables.examAttempts).values({
    ...{ uid, id: 'passed', courseId: certificateCourseId, title: 'Exam', maxScore: 1, score: 1 },
    ...{ submittedAt: longAgo, startedAt: longAgo, deadlineAt: longAgo },
  })
  await db.execute(
    sql`update enrollments set completed_at = now() where course_id = ${certificateCourseId}`,
  )
  await db.transaction((transaction) =>
    learningContext(db).grantDueRewards(
      transaction,
      { uid, courseId: certificateCourseId },
      longAgo,
    ),
  )
  certificate = (await db.select().from(tables.certificates))[0]?.id ?? ''
  await db.execute(
    sql`update enrollments set certificate_waits_since = now() where course_id = ${course}`,
  )
}

/** Makes all new connections read-only, and ends the existing ones. */
async function makeDatabaseReadOnly({ db }: ProductServer) {
  await db.execute(sql`do $$ begin
    execute format('alter database %I set default_transaction_read_only = on', current_database());
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
  end $$`)

  await vi.waitFor(async () => expect((await get('/Profile')).status).toBe(200), 10_000)
}

/** Text types must have an encoding, except types that are always UTF-8. */
const namedType =
  /^(text\/\w+|application\/xml|image\/svg\+xml); ?charset=utf-8$|^application\/(\w+\+)?(json|pdf|vc)$|^image\/(png|jpeg|webp)$/i

const get = (routePath: string) =>
  server.request(routePath, { headers: { ...headers, Accept: 'text/html' } })

beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
  await createLearnerWithPendingWork(server)
  await makeDatabaseReadOnly(server)
})
afterAll(() => server.stop())

it('the database refuses changes, so that the following tests can prove something', async () => {
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await server.request(`/Exam/${course}`, {
    method: 'POST',
    headers: form,
    body: 'intent=start',
  })

  // The product treats a read-only database as an outage.
  expect(response.status).toBe(503)
})

// Downloads of one's own data are rate-limited, so the request writes a count.
it.each(listPaths(routes).filter((routePath) => routePath !== '/OwnData'))(
  'a GET request of %s stores nothing, and the response has a content type with an encoding',
  async (routePath) => {
    const { status, headers: answered, body } = await get(fillParameters(routePath))
    if (body) {
      expect(answered['content-type']).toMatch(namedType)
    }

    const changesOnly = [
      '/ExamAnswers',
      '/PracticeAnswers',
      '/TimeZone',
      '/Reviews',
      '/Moments',
      '/Learn/:course/:lesson/progress',
      '/Learn/:course/:lesson/notes',
    ].includes(routePath)
    const notFound =
      routePath.startsWith('/Desk') ||
      [
        '/Profile/:section',
        '/Profile/purchases/:number',
        '/Gift/:code',
        '/Profile/purchases/:number/document.pdf',
        '/Profile/purchases/:order/:requestKind',
        '/Refund',
        '/Pages/:slug',
        '/Reviews/:review/Report',
        '/Checkout/:course/paid',
        '/Learn/:course/:lesson/downloads/:file',
        '/*',
      ].includes(routePath)

    if (changesOnly) {
      expect([400, 405]).toContain(status)
    } else if (notFound) {
      expect(status).toBe(404)
    } else {
      expect([200, 302], `to ${answered.location}`).toContain(status)
    }
  },
)
