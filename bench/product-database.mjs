/** The embedded database of a benchmark's product, and learners in it who are signed in. */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'

/** @param folder the product's DATA_DIR; its database has to run. */
export async function openProductDatabase(folder) {
  const home = path.join(folder, 'database/cluster')
  const password = await readFile(path.join(home, 'password'), 'utf8')
  const [, , , port] = (await readFile(path.join(home, 'data/postmaster.pid'), 'utf8')).split('\n')
  return postgres(`postgres://learnify:${password.trim()}@127.0.0.1:${port}/learnify`, { max: 2, onnotice: () => {} })
}

/**
 * Puts learners, their enrollment and their sessions into the database.
 *
 * @returns each one's uid and cookie, and what signs a visit of a lesson like the product does.
 */
export async function addSignedInLearners(sql, { count, courseId, folder, port }) {
  const { authSecret } = JSON.parse(await readFile(path.join(folder, 'secrets.json'), 'utf8'))
  const hmac = (text) => createHmac('sha256', authSecret).update(text)
  const learners = Array.from({ length: count }, (_, index) => {
    const token = randomBytes(16).toString('hex')
    const cookie = `learnify-${port}.session_token=${encodeURIComponent(`${token}.${hmac(token).digest('base64')}`)}`
    return { uid: `bench-${index}`, token, cookie }
  })
  for (const { uid, token } of learners) {
    await sql`insert into users (id, name, first_name, email) values (${uid}, 'Bench', 'Bench', ${`${uid}@bench.example`})`
    await sql`insert into enrollments (uid, course_id) values (${uid}, ${courseId})`
    await sql`insert into sessions (id, token, user_id, expires_at) values (${token}, ${token}, ${uid}, now() + interval '1 day')`
  }
  const signVisit = (uid, lessonId, openedAt) =>
    hmac(JSON.stringify(['visit', uid, courseId, lessonId, openedAt])).digest('base64url')
  return { learners, signVisit }
}

/** The twelve learners of `upgrade-load.mjs`, who may sit the exam, with their cookies as a product with TLS sets them. */
export async function addLearnersBehindTls(sql, { courseId, folder, tlsPort }) {
  const added = await addSignedInLearners(sql, { count: 12, courseId, folder, port: tlsPort })
  const learners = added.learners.map(({ uid, cookie }) => ({
    uid,
    cookie: cookie.replace('learnify-', '__Host-learnify-'),
  }))
  await sql`update enrollments set completed_at = now() where uid = any(${learners.map(({ uid }) => uid)})`
  return { learners, signVisit: added.signVisit }
}

/** What is stored of a lesson that was watched: its parts, and the milliseconds that the learner studied in all. */
export async function readStoredStudy(sql, uid, lessonId) {
  const stored = await sql`
    select lower(part) as start, upper(part) as stop from lesson_progress, unnest(watched_ms) part
    where uid = ${uid} and lesson_id = ${lessonId}`
  const [{ studied }] = await sql`
    select coalesce(sum(extract(epoch from upper(part) - lower(part)) * 1000), 0)::int as studied
    from study_days, unnest(studied) part where uid = ${uid}`
  return { stored, studied }
}

/** Stores a learner's review as its form does. @returns the answer, whose body was read. */
export async function sendReview(url, cookie, courseId, comment) {
  const response = await fetch(`${url}/Reviews`, {
    method: 'POST',
    headers: { Origin: url, Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ intent: 'save', course: courseId, rating: '4', comment, showsName: 'on' }),
    redirect: 'manual',
  })
  await response.arrayBuffer()
  return response
}
