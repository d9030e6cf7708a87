/**
 * `node bench/announcements.ts [LEARNERS] [KILLS]`: sends an announcement to 100,000 learners,
 * while the product is killed (SIGKILL) and restarted 20 times at random, every second time with
 * its database. No email may reach the mail server twice, and the desk has to list the emails that
 * a kill left uncertain.
 *
 * Then a second announcement is stopped, and no email may start more than a second later. The
 * benchmark ends with status 1 if a goal is missed.
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

const [learnerCount = 100_000, killCount = 20] = process.argv.slice(2).map(Number)
/** The second announcement is stopped after this number of emails. */
const emailsBeforeStop = Math.min(2_000, Math.floor(learnerCount / 4))
/** The most emails that the desk lists on one page. */
const emailsPerPage = 50

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
  const ownerCookie = await addOwnerAndLearners()
  await testDeliveryDuringKills(ownerCookie)
  await testStop(ownerCookie)
} finally {
  await product.stop()
  mailServer.close()
  await rm(folder, { recursive: true, force: true })
}

/** Adds an owner and the learners, all enrolled in the same course. Returns the owner's cookie. */
async function addOwnerAndLearners(): Promise<string> {
  return withDatabase(async (database) => {
    const { learners: staff } = await addSignedInLearners(database, {
      count: 1,
      folder,
      publicUrl: product.url,
    })
    const [owner] = staff
    if (owner === undefined) {
      throw new Error('The owner was not added.')
    }

    await database.query(`insert into staff (uid, role) values ($1, 'owner')`, [owner.uid])

    // The owner is enrolled in the course, too, and therefore is the first learner.
    await database.query(
      `insert into users (id, name, first_name, email, email_verified)
        select 'learner-' || n, 'Learner ' || n, 'Learner', 'learner-' || n || '@bench.example', true
        from generate_series(2, $1::int) n`,
      [learnerCount],
    )
    await database.query(
      `insert into enrollments (uid, course_id) select id, $1 from users where id like 'learner-%'`,
      [courseId],
    )
    await database.query('analyze')

    return owner.cookie
  })
}

/** Sends an announcement while the product is killed, and checks that each email was sent once. */
async function testDeliveryDuringKills(ownerCookie: string): Promise<void> {
  const startedAt = performance.now()
  const announcementPath = await sendAnnouncement(ownerCookie)

  for (let kill = 1; kill <= killCount; kill++) {
    const emailsBeforeKill = (learnerCount / (killCount + 1)) * (kill - 0.5 + Math.random())
    await waitUntil('mails', 1_800, () => mailServer.received.emailCount >= emailsBeforeKill)
    product = await killProduct(product, { shouldKillDatabase: kill % 2 === 0, start })

    const lineEnd = kill === killCount ? '\n' : ''
    process.stdout.write(
      `\rkilled ${kill} of ${killCount} times, ${mailServer.received.emailCount} mails${lineEnd}`,
    )
  }

  await waitUntil('the end', 3_600, async () => {
    await pause(1_000)
    const { status } = await readDelivery(announcementPath)
    return status === 'done'
  })

  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { emailsByStatus } = await readDelivery(announcementPath)
  const sentCount = emailsByStatus.sent ?? 0
  const uncertainCount = emailsByStatus.uncertain ?? 0

  const { emailsByRecipient } = mailServer.received
  const twiceCount = [...emailsByRecipient.values()].filter((count) => count > 1).length
  const isListed = await listsUncertainEmails(ownerCookie, announcementPath, uncertainCount)

  addResult({
    figure: `${learnerCount} announcements through ${killCount} kills`,
    value: `${twiceCount} twice, ${emailsByStatus.sent} sent, ${uncertainCount} uncertain and listed, ${seconds} s`,
    goal: 'none twice; what is uncertain is listed',
    isMet:
      twiceCount === 0 &&
      isListed &&
      sentCount + uncertainCount === learnerCount &&
      emailsByRecipient.size >= sentCount,
  })
}

/**
 * Returns whether the page of an announcement lists the uncertain emails, or its first page of
 * them.
 */
async function listsUncertainEmails(
  ownerCookie: string,
  announcementPath: string,
  uncertainCount: number,
): Promise<boolean> {
  const response = await fetch(product.url + announcementPath, { headers: { Cookie: ownerCookie } })
  const page = await response.text()
  if (uncertainCount === 0) {
    return true
  }

  // The label is also in the summary above the list, which is why there has to be one more.
  const labels = page.match(/>Uncertain</g) ?? []
  return labels.length > Math.min(uncertainCount, emailsPerPage)
}

/** Stops an announcement while it is sent, and measures how long emails still start after that. */
async function testStop(ownerCookie: string): Promise<void> {
  mailServer.received.emailCount = 0
  const announcementPath = await sendAnnouncement(ownerCookie)
  await waitUntil('mails', 600, () => mailServer.received.emailCount >= emailsBeforeStop)

  const stoppedAt = performance.now()
  await postToDesk(ownerCookie, announcementPath, { intent: 'stop' })
  await pause(5_000)

  const lateMs = Math.max(0, mailServer.received.lastStartedAt - stoppedAt)
  const { emailsByStatus, status } = await readDelivery(announcementPath)
  addResult({
    figure: 'an announcement is stopped',
    value: `${Math.round(lateMs)} ms until the last mail began, ${mailServer.received.emailCount} of ${learnerCount} sent`,
    goal: 'within a second',
    isMet: lateMs <= 1_000 && status === 'stopped' && (emailsByStatus.due ?? 0) > 0,
  })
}

/** Writes and sends an announcement at the desk. Returns the path of its page. */
async function sendAnnouncement(ownerCookie: string): Promise<string> {
  // Sending needs a sign-in of the last 15 minutes.
  await withDatabase((database) => database.query('update sessions set confirmed_at = now()'))

  const { headers } = await postToDesk(ownerCookie, '/Desk/Announcements/New', {
    intent: 'create',
    course: courseId,
    audience: 'all',
    days: '14',
    subject: 'A new lesson',
    body: 'Look at **it**.',
  })
  const announcementPath = new URL(headers.get('location') ?? '', product.url).pathname

  const version = await readVersion(announcementPath)
  await postToDesk(ownerCookie, announcementPath, { intent: 'send', version })

  return announcementPath
}

/** Returns the version of an announcement, with which the desk notices simultaneous edits. */
async function readVersion(announcementPath: string): Promise<string> {
  return withDatabase(async (database) => {
    const { rows } = await database.query<{ updatedAt: Date }>(
      'select updated_at as "updatedAt" from announcements where id = $1',
      [path.basename(announcementPath)],
    )
    return rows[0]?.updatedAt.toISOString() ?? ''
  })
}

/** Returns the status of an announcement, and the number of its emails by their status. */
async function readDelivery(announcementPath: string) {
  return withDatabase(async (database) => {
    const id = path.basename(announcementPath)
    const { rows: emails } = await database.query<{ status: string; count: number }>(
      `select state as status, count(*)::int as count
       from announcement_mails
       where announcement_id = $1
       group by state`,
      [id],
    )
    const { rows: announcements } = await database.query<{ status: string }>(
      'select state as status from announcements where id = $1',
      [id],
    )
    const emailsByStatus: Record<string, number> = Object.fromEntries(
      emails.map(({ status, count }) => [status, count]),
    )

    return { status: announcements[0]?.status, emailsByStatus }
  })
}

async function postToDesk(
  ownerCookie: string,
  deskPath: string,
  form: Record<string, string>,
): Promise<Response> {
  const response = await fetch(product.url + deskPath, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: ownerCookie, Origin: product.url },
    body: new URLSearchParams(form),
  })

  if (response.status >= 400) {
    throw new Error(`${deskPath} ${form.intent}: ${response.status}`)
  }

  return response
}

/** Runs a function with a connection of its own, because a kill may end the database. */
async function withDatabase<Result>(run: (database: Client) => Promise<Result>): Promise<Result> {
  const database = await connectDatabase({ folder })
  try {
    return await run(database)
  } finally {
    await database.end()
  }
}

/** Starts a mail server that counts the emails to each recipient. */
async function startMailServer() {
  const received = {
    emailsByRecipient: new Map<string, number>(),
    emailCount: 0,
    /** The time at which the newest email started. */
    lastStartedAt: 0,
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom(_sender, _session, callback) {
      received.lastStartedAt = performance.now()
      callback()
    },
    onData(stream, session, callback) {
      stream.resume().on('end', () => {
        for (const { address: recipient } of session.envelope.rcptTo) {
          const emailCount = received.emailsByRecipient.get(recipient) ?? 0
          received.emailsByRecipient.set(recipient, emailCount + 1)
        }

        received.emailCount += 1
        callback()
      })
    },
  })

  // Killing the product breaks its connections.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  return { received, port, close: () => server.close() }
}
