/**
 * `node bench/fairness.mjs`: how much one account can slow everybody down. While it does one expensive thing over and
 * over, four at a time, the time of /healthz is taken; beside it the same while one visitor opens course pages that are
 * not stored. Ends with status 1 when a ratio of the two (p99) is 5 or more.
 */
import { Agent, request as send } from 'node:http'
import sharp from 'sharp'
import { startProduct } from './product.mjs'
import { addSignedInLearners, openProductDatabase } from './product-database.mjs'

const seconds = Number(process.argv[2] ?? 8)
const allowedRatio = 5
const courseId = 'python-from-zero'
const product = await startProduct()
const { port } = new URL(product.url)
const agent = new Agent({ keepAlive: true })
const probe = new Agent({ keepAlive: true, maxSockets: 1 })
try {
  const { cookie, uid, lessonId } = await oneLearner()
  const openPages = () => p99While(1, (turn) => ask('GET', `/OneCourse/${courseId}?page=${turn}&sort=newest`))
  // Once to warm up.
  await openPages()
  const baseline = await openPages()
  console.log(`one visitor, pages not stored   p99 ${baseline.p99.toFixed(1)} ms of /healthz`)
  console.log('one account, four at a time           p99 ms   ratio   done   answers')
  for (const [name, work] of Object.entries(await expensive({ cookie, uid, lessonId }))) {
    const { p99, done, statuses } = await p99While(4, work)
    const ratio = p99 / baseline.p99
    const cells = [p99.toFixed(1).padStart(9), ratio.toFixed(1).padStart(7), String(done).padStart(6)]
    console.log(`${name.padEnd(35)}${cells.join(' ')}   ${[...statuses].map((pair) => pair.join('×')).join(' ')}`)
    if (ratio >= allowedRatio) process.exitCode = 1
  }
} finally {
  agent.destroy()
  probe.destroy()
  await product.stop()
}

async function oneLearner() {
  const sql = await openProductDatabase(product.folder)
  const { learners } = await addSignedInLearners(sql, { count: 1, courseId, folder: product.folder, port })
  const [{ cookie, uid }] = learners
  const [{ id: lessonId }] = await sql`select id from course_lessons where course_id = ${courseId} limit 1`
  await sql`update exams set max_attempts = 100000 where course_id = ${courseId}`
  await sql.end()
  return { cookie, uid, lessonId }
}

/** Each the largest that the product takes from one account. */
async function expensive({ cookie, uid, lessonId }) {
  const photo = await sharp({
    create: {
      width: 5000,
      height: 5000,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .jpeg({ quality: 20 })
    .toBuffer()
  const settings = (turn) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({
      firstName: 'A',
      lastName: String(turn),
      phone: '',
      location: '',
    }))
      form.set(name, value)
    form.set('photo', new File([photo], 'x.jpg', { type: 'image/jpeg' }))
    return form
  }
  const wide = `|${'a|'.repeat(800)}\n|${'-|'.repeat(800)}\n|${'*b*|'.repeat(200)}`.slice(0, 5000)
  const note = () => new URLSearchParams({ intent: 'note', uid, id: crypto.randomUUID(), positionMs: '0', body: wide })
  const login = { email: 'demo@learnify.example', password: 'Wrong-password-1' }
  const json = { 'Content-Type': 'application/json' }
  return {
    'own data, archive': () => ask('GET', '/OwnData', { cookie }),
    'photo of 25 megapixels': (turn) => ask('POST', '/Profile/settings', { cookie, form: settings(turn) }),
    'note with a wide table': () => ask('POST', `/Learn/${courseId}/${lessonId}`, { cookie, form: note() }),
    'lesson page with those notes': () => ask('GET', `/Learn/${courseId}/${lessonId}`, { cookie }),
    'sign-in': () => ask('POST', '/account/login', { headers: json, body: JSON.stringify(login) }),
    'exam, start': () => ask('POST', `/Exam/${courseId}`, { cookie, form: new URLSearchParams({ intent: 'start' }) }),
    'profile page': () => ask('GET', '/Profile', { cookie }),
    search: (turn) => ask('GET', `/AllCourses?q=${'learn code web '.repeat(20)}${turn}`.replaceAll(' ', '+')),
    'form of 64 KB': () =>
      ask('POST', '/Enrollments', { cookie, form: new URLSearchParams(Array(3000).fill(['courseIds', 'x'])) }),
    'JSON of 64 KB': () =>
      ask('POST', '/ExamAnswers', { cookie, headers: json, body: `{"value":[${'1,'.repeat(30_000)}1]}` }),
  }
}

/** Does `work` over and over, so many at a time, and takes the time of /healthz meanwhile. */
async function p99While(atOnce, work) {
  const until = performance.now() + seconds * 1000
  const times = []
  const statuses = new Map()
  let done = 0
  const worker = async () => {
    while (performance.now() < until) {
      const status = await work(done++).catch((error) => error.code ?? 'failed')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const watch = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await ask('GET', '/healthz', { through: probe })
      times.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.all([watch(), ...Array.from({ length: atOnce }, worker)])
  times.sort((a, b) => a - b)
  return { p99: times[Math.floor(times.length * 0.99)] ?? 0, done, statuses }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ cookie?: string, form?: URLSearchParams | FormData, body?: string, headers?: Record<string, string>, through?: Agent }} [options]
 */
async function ask(method, path, { cookie, form, body, headers = {}, through = agent } = {}) {
  // Encodes a form and gives it its type.
  const encoded = form && new Response(form)
  const bytes = encoded ? Buffer.from(await encoded.arrayBuffer()) : Buffer.from(body ?? '')
  const type = encoded && { 'Content-Type': encoded.headers.get('content-type') ?? '' }
  const all = {
    Origin: product.url,
    'Content-Length': bytes.length,
    ...(cookie && { Cookie: cookie }),
    ...type,
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const sent = send(product.url + path, { method, agent: through, headers: all }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}
