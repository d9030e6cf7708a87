/**
 * `node bench/announcements.ts [LEARNERS] [KILLS]`: sends an announcement to 100,000 learners,
 * while the product is killed (SIGKILL) and restarted 20 times at random, every second time with
 * its database. No mail may reach the mail server twice, and the desk has to list mails that a kill
 * left uncertain. Then a second announcement is stopped, and no mail may begin more than a second
 * later. Ends with status 1 otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import {
  connectDatabase,
  findFreePort,
  type Product,
  startProduct,
} from '../tests/support/product.ts'
import { addResult } from './figures.ts'
import { killProduct } from './kill-product.ts'
import { addSignedInLearners, courseId } from './learners.ts'
import { waitUntil } from './visitors.ts'

const [learners = 100_000, kills = 20] = process.argv.slice(2).map(Number)
const stopAfter = Math.min(2_000, Math.floor(learners / 4))

/** A mail server that counts the mails to each recipient. */
async function startMailServer() {
  const counts = new Map<string, number>()
  const seen = { counts, messages: 0, begunAt: 0 }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom(_address, _session, done) {
      seen.begunAt = performance.now()
      done()
    },
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        for (const { address } of session.envelope.rcptTo) {
          counts.set(address, (counts.get(address) ?? 0) + 1)
        }

        seen.messages++
        done()
      })
    },
  })

  // Killing the product breaks its connections.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return { seen, port: (server.server.address() as AddressInfo).port, close: () => server.close() }
}

const folder = await mkdtemp(path.join(tmpdir(), 'learnify-announcements-'))
const mailServer = await startMailServer()
const port = await findFreePort()
const variables = {
  SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  ANNOUNCEMENTS_PER_MINUTE: '100000',
}
const start = () => startProduct({ folder, port, variables })
let product: Product = await start()
try {
  const cookie = await openSchool()
  await testSentOnce(cookie)
  await testStop(cookie)
} finally {
  await product.stop()
  mailServer.close()
  await rm(folder, { recursive: true, force: true })
}

/** @returns the owner's cookie. */
async function openSchool(): Promise<string> {
  return withDatabase(async (database) => {
    const { learners: staff } = await addSignedInLearners(database, {
      count: 1,
      folder,
      publicUrl: product.url,
    })
    const [owner] = staff
    await database.query(`insert into staff (uid, role) values ($1, 'owner')`, [owner?.uid])
    // The owner is enrolled in the course, too.
    await database.query(
      `insert into users (id, name, first_name, email, email_verified)
        select 'learner-' || n, 'Learner ' || n, 'Learner', 'learner-' || n || '@bench.example', true
        from generate_series(2, $1::int) n`,
      [learners],
    )

    await database.query(
      `insert into enrollments (uid, course_id) select id, $1 from users where id like 'learner-%'`,
      [courseId],
    )
    await database.query('analyze')

    return owner?.cookie ?? ''
  })
}

async function withDatabase<Result>(work: (database: Client) => Promise<Result>): Promise<Result> {
  const database = await connectDatabase({ folder })
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

async function postToDesk(
  cookie: string,
  address: string,
  form: Record<string, string>,
): Promise<Response> {
  const headers = { Cookie: cookie, Origin: product.url }
  const response = await fetch(product.url + address, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  })

  if (response.status >= 400) {
    throw new Error(`${address} ${form.act}: ${response.status}`)
  }

  return response
}

/** Writes and sends an announcement at the desk. @returns the address of its page. */
async function sendAnnouncement(cookie: string): Promise<string> {
  // The owner's sign-in, which sending needs, lasts 15 minutes.
  await withDatabase((database) => database.query('update sessions set confirmed_at = now()'))
  const draft = {
    course: courseId,
    audience: 'all',
    days: '14',
    subject: 'A new lesson',
    body: 'Look at **it**.',
  }
  const { headers } = await postToDesk(cookie, '/Desk/Announcements/New', {
    act: 'create',
    ...draft,
  })
  const address = new URL(headers.get('location') ?? '', product.url).pathname
  const version = await withDatabase(async (database) => {
    const { rows } = await database.query<{ at: Date }>(
      'select updated_at as at from announcements where id = $1',
      [path.basename(address)],
    )
    return rows[0]?.at.toISOString() ?? ''
  })

  await postToDesk(cookie, address, { act: 'send', version })

  return address
}

async function countMails(address: string) {
  return withDatabase(async (database) => {
    const id = path.basename(address)
    const { rows } = await database.query<{ state: string; mails: number }>(
      'select state, count(*)::int as mails from announcement_mails where announcement_id = $1 group by state',
      [id],
    )
    const { rows: states } = await database.query('select state from announcements where id = $1', [
      id,
    ])

    return {
      state: states[0]?.state,
      counts: Object.fromEntries(rows.map(({ state, mails }) => [state, mails])),
    }
  })
}

async function testSentOnce(cookie: string): Promise<void> {
  const begunAt = performance.now()
  const address = await sendAnnouncement(cookie)
  for (let kill = 1; kill <= kills; kill++) {
    const due = (learners / (kills + 1)) * (kill - 0.5 + Math.random())
    await waitUntil('mails', 1_800, () => mailServer.seen.messages >= due)
    product = await killProduct(product, { shouldKillDatabase: kill % 2 === 0, start })
    process.stdout.write(
      `\rkilled ${kill} of ${kills} times, ${mailServer.seen.messages} mails${kill === kills ? '\n' : ''}`,
    )
  }

  const isDone = async () => {
    await pause(1_000)
    return (await countMails(address)).state === 'done'
  }
  await waitUntil('the end', 3_600, isDone)
  const seconds = Math.round((performance.now() - begunAt) / 1000)
  const { counts } = await countMails(address)
  const twice = [...mailServer.seen.counts.values()].filter((count) => count > 1).length
  const page = await fetch(product.url + address, { headers: { Cookie: cookie } }).then(
    (response) => response.text(),
  )
  const uncertain = counts.uncertain ?? 0
  const isListed =
    uncertain === 0 || (page.match(/>Uncertain</g) ?? []).length > Math.min(uncertain, 50)
  addResult({
    figure: `${learners} announcements through ${kills} kills`,
    value: `${twice} twice, ${counts.sent} sent, ${uncertain} uncertain and listed, ${seconds} s`,
    goal: 'none twice; what is uncertain is listed',
    isMet:
      twice === 0 &&
      isListed &&
      (counts.sent ?? 0) + uncertain === learners &&
      mailServer.seen.counts.size >= (counts.sent ?? 0),
  })
}

async function testStop(cookie: string): Promise<void> {
  mailServer.seen.messages = 0
  const address = await sendAnnouncement(cookie)
  await waitUntil('mails', 600, () => mailServer.seen.messages >= stopAfter)
  const pressedAt = performance.now()
  await postToDesk(cookie, address, { act: 'stop' })
  await pause(5_000)
  const lateMs = Math.max(0, mailServer.seen.begunAt - pressedAt)
  const { counts, state } = await countMails(address)
  addResult({
    figure: 'an announcement is stopped',
    value: `${Math.round(lateMs)} ms until the last mail began, ${mailServer.seen.messages} of ${learners} sent`,
    goal: 'within a second',
    isMet: lateMs <= 1_000 && state === 'stopped' && (counts.due ?? 0) > 0,
  })
}
