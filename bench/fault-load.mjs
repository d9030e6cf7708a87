/** Learners at work and visitors who read while something fails, and what has to be stored afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import sharp from 'sharp'
import { addSignedInLearners, readStoredStudy } from './product-database.mjs'

const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const pieceMs = 10
const stepMs = 15

/**
 * @param {{ url: string, folder: string, databaseUrl: string }} place of the product under test.
 * @returns a load that runs until it is stopped.
 */
export async function startLoad({ url, folder, databaseUrl }) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const port = Number(new URL(url).port)
  const { learners, signVisit } = await addSignedInLearners(sql, { count: 6, courseId, folder, port })
  await sql.end()
  const load = {
    /** Nobody reports for this one: it is the browser’s. */
    reader: learners[5],
    learners: learners.slice(0, 5).map((learner) => ({ ...learner, sent: 0, acknowledged: new Set() })),
    /** Of each kind of request: how often it got which status since the last `take`. */
    statuses: /** @type {Record<string, Record<string, number>>} */ ({}),
    lastTaken: Date.now(),
    running: true,
  }
  const count = (kind, status) => {
    load.statuses[kind] ??= {}
    load.statuses[kind][status] = (load.statuses[kind][status] ?? 0) + 1
  }
  const ask = (kind, address, options = {}) =>
    fetch(url + address, { redirect: 'manual', signal: AbortSignal.timeout(15_000), ...options }).then(
      async (response) => {
        const body = await response.text()
        count(kind, response.status)
        const { headers } = response
        return {
          status: response.status,
          body,
          type: headers.get('content-type') ?? '',
          date: headers.get('date') ?? '',
        }
      },
      (error) => {
        count(kind, error.name === 'TimeoutError' ? 'timeout' : 'no answer')
        return { status: 0, body: '', type: '', date: '' }
      },
    )
  const openedAt = Date.now() - 3_600_000

  const report = (learner, part) => {
    const { uid, cookie } = learner
    const signature = signVisit(uid, lessonId, part.openedAt)
    const headers = { 'Content-Type': 'application/json', Origin: url, Cookie: cookie }
    const body = JSON.stringify({ uid, signature, ...part })
    return ask('report', `/Learn/${courseId}/${lessonId}/progress`, { method: 'POST', headers, body })
  }

  /** Like a browser: what isn't acknowledged is kept and sent again; every third is sent twice all the same. */
  async function learn(learner) {
    while (load.running) {
      const start = learner.sent * stepMs
      const part = {
        openedAt,
        watched: [[start, start + pieceMs]],
        studied: [[openedAt + start, openedAt + start + pieceMs]],
      }
      const { status } = await report(learner, part)
      if (status === 200) {
        load.lastTaken = Date.now()
        learner.acknowledged.add(learner.sent)
        if (learner.sent % 3 === 0) await report(learner, part)
        learner.sent += 1
        await pause(60)
      } else await pause(250)
    }
  }

  async function read() {
    while (load.running) {
      await ask('kept page', '/')
      await pause(100)
    }
  }

  await keepPage(url)
  // A page is stored once it was made, which a product that is behind refuses.
  while ((await ask('kept page', '/')).status !== 200) await pause(100)
  const work = [...load.learners.map(learn), read()]
  return Object.assign(load, {
    ask,
    report,
    /** What a signed-in page says just now. */
    profile: () => ask('profile', '/Profile/current-courses', { headers: { Cookie: learners[0].cookie } }),
    register: (email) =>
      ask('sign-up', '/account/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: url },
        body: JSON.stringify({ email, password: 'Correct-horse-7', firstName: 'Ada', lastName: 'Lovelace' }),
      }),
    upload: async () => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ firstName: 'Bench', lastName: 'L', phone: '', location: '' }))
        body.set(name, value)
      const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#5140e0' } })
        .png()
        .toBuffer()
      body.set('photo', new File([new Uint8Array(picture)], 'photo.png'))
      return ask('photo', '/Profile/settings', {
        method: 'POST',
        body,
        headers: { Origin: url, Cookie: learners[0].cookie },
      })
    },
    readiness: async () => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
      return { status: response?.status ?? 0, ...(response ? await response.json() : {}) }
    },
    take() {
      const { statuses } = load
      load.statuses = {}
      return statuses
    },
    async stop() {
      load.running = false
      await Promise.all(work)
    },
  })
}

/** Has the product keep the page that visitors read: while it is busy with its start, it may refuse to render one. */
async function keepPage(url) {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(url)
    await response.arrayBuffer()
    if (response.ok) return
    await pause(200)
  }
  throw new Error('The first page was not rendered within 20 seconds.')
}

/** @returns a sentence for every acknowledged report that is missing, and for each that is there twice or was never sent. */
export async function findLosses(load, databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const problems = []
  for (const { uid, acknowledged, sent } of load.learners) {
    const { stored, studied } = await readStoredStudy(sql, uid, lessonId)
    const found = new Set(stored.map(({ start }) => start / stepMs))
    const lost = [...acknowledged].filter((piece) => !found.has(piece))
    if (lost.length > 0) problems.push(`${uid}: ${lost.length} acknowledged reports are lost`)
    if ([...found].some((piece) => piece > sent)) problems.push(`${uid}: a report was never sent`)
    if (studied !== found.size * pieceMs) problems.push(`${uid}: ${studied} ms studied, ${found.size * pieceMs} stored`)
  }
  await sql.end()
  return problems
}

/** What a page or an answer says to the person who meets it. */
export function sentenceOf({ body, type }) {
  if (type.includes('json')) {
    const { message, code } = JSON.parse(body)
    return message ?? `The form has a sentence for ${code}.`
  }
  const main = /<main[\s\S]*<\/main>/.exec(body)?.[0] ?? body
  const alert = /role="alert"[^>]*>([\s\S]*?)<\/(?:p|div)>/.exec(main)?.[1]
  const text = (alert ?? main)
    .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text.slice(0, 160)
}
