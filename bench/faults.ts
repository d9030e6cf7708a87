/**
 * `node bench/faults.ts [NAMES]`: learners report, sign up and read while something fails:
 * disk-full, read-only, mail-away, storage-away, database-away. Failures have to be answered with a
 * sentence, cached pages have to work, and afterwards every acknowledged change has to be stored
 * exactly once. The first two need root, for mounts; database-away needs Debian's PostgreSQL. Ends
 * with status 1 otherwise.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import {
  connectDatabase,
  findFreePort,
  type Product,
  startProduct,
} from '../tests/support/product.ts'
import { missingServer, startDatabaseServer } from './database-server.ts'
import { endWith } from './figures.ts'
import { addSignedInLearners, type Learner, password } from './learners.ts'
import { until } from './visitors.ts'
import { type Counts, type Reply, Workload } from './workload.ts'

type Parts = { workload: Workload; product: Product; learner: Learner }
type Place = { folder?: string; databaseUrl?: string; variables?: Record<string, string> }

const noStorage = 'We can’t store photos right now'
const needsRoot = () => (process.getuid?.() === 0 ? null : 'root')
const faults: Record<string, { missing?: () => string | null; run: () => Promise<void> }> = {
  'disk-full': { missing: needsRoot, run: diskFull },
  'read-only': { missing: needsRoot, run: readOnly },
  'mail-away': { run: mailAway },
  'storage-away': { run: storageAway },
  'database-away': { missing: () => missingServer[0] ?? null, run: databaseAway },
}

const problems: string[] = []
let name = ''
for (name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(faults)) {
  const missing = faults[name]?.missing?.()
  console.log(`\n── ${name}`)
  if (missing) {
    problem(`NOT RUN, needs ${missing}`)
  } else {
    await faults[name]?.run().catch((error) => problem(error.stack))
  }
}

endWith(problems)

function problem(text: string): void {
  problems.push(`${name}: ${text}`)
}

/** A product with learners at work; `breakAndRepair` breaks something and repairs it. */
async function withLearners(
  place: Place,
  breakAndRepair: (parts: Parts) => Promise<void>,
): Promise<void> {
  const { folder, variables = {} } = place
  const log: string[] = []
  const product = await startProduct({
    folder,
    variables,
    onLine: (line) => log.push(line),
  })
  const workload = new Workload(product.url)
  const database = place.databaseUrl ? { url: place.databaseUrl } : { folder: product.folder }
  try {
    const connection = await connectDatabase(database)
    const options = { count: 6, folder: product.folder, publicUrl: product.url }
    const { learners, signVisit } = await addSignedInLearners(connection, options)
    await connection.end()
    await until('the first page', 60, async () => (await fetch(product.url)).ok)
    const [learner, ...watching] = learners
    if (!learner) {
      return
    }

    workload.start({ watching, readers: 1, pages: ['/'], newcomers: 1, signVisit, everyMs: 60 })
    await pause(1_500)
    say('before', workload.takeFigures().counts)

    await breakAndRepair({ workload, product, learner })

    const { written } = workload
    const repairedAt = performance.now()
    await until('reports are taken again', 60, () => workload.written > written)
    console.log(
      `changes are taken again after ${((performance.now() - repairedAt) / 1000).toFixed(1)} s`,
    )
    await pause(1_500)
    await workload.stop()
    const again = await connectDatabase(database)
    for (const found of await workload.ledger.listProblems(again)) {
      problem(found)
    }

    await again.end()
    console.log(`${workload.ledger.count()} acknowledged facts looked for`)
    const uncaught = log.filter((line) => /unhandled rejection|uncaught exception/.test(line))
    if (uncaught.length > 0) {
      problem(`${uncaught.length} uncaught errors, the first: ${uncaught[0]}`)
    }
  } finally {
    await workload.stop().catch(() => {})
    await product.stop()
    await rm(product.folder, { recursive: true, force: true })
  }
}

/** Cached pages have to go on; anything else may ask to be tried again. */
function judge({ counts }: { counts: Counts }): void {
  say('meanwhile', counts)
  for (const [kind, statuses] of Object.entries(counts)) {
    for (const status of Object.keys(statuses)) {
      if (kind === 'page' ? status !== '200' : status !== '503' && !/^[23]/.test(status)) {
        problem(`${kind}: ${statuses[status]} times ${status}`)
      }
    }
  }
}

function say(when: string, counts: Counts): void {
  console.log(`${when}: ${JSON.stringify(counts)}`)
}

/** @returns the status of an answer that has to say these words. */
async function expectWords(what: string, reply: Promise<Reply>, words: string): Promise<number> {
  const { status, text } = await reply
  console.log(`${what}: ${status}`)
  if (!text.includes(words)) {
    problem(`${what} (${status}) doesn’t say '${words}'`)
  }

  return status
}

function readProfile({ workload, learner }: Parts): Promise<Reply> {
  return workload.ask('profile', '/Profile/current-courses', { cookie: learner.cookie })
}

function signUp({ workload }: Parts, email: string): Promise<Reply> {
  const json = { email, password, firstName: 'Ada', lastName: 'Lovelace' }
  return workload.ask('sign-up', '/account/register', { json })
}

async function uploadPhoto({ workload, learner }: Parts): Promise<Reply> {
  const form = new FormData()
  for (const [field, value] of Object.entries({
    firstName: 'Bench',
    lastName: 'L',
    phone: '',
    location: '',
  })) {
    form.set(field, value)
  }

  const picture = sharp({ create: { width: 300, height: 300, channels: 3, background: '#5140e0' } })
  form.set('photo', new File([new Uint8Array(await picture.png().toBuffer())], 'photo.png'))

  return workload.ask('photo', '/Profile/settings', { form, cookie: learner.cookie })
}

async function diskFull(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  try {
    await withLearners({ folder: path.join(folder, 'data') }, async (parts) => {
      // The last blocks go one by one.
      const fill = `dd if=/dev/zero of=${folder}/filler bs=64k; dd if=/dev/zero of=${folder}/rest bs=1; true`
      execFileSync('sh', ['-c', fill], { stdio: 'ignore' })
      await pause(10_000)
      await expectWords('photo', uploadPhoto(parts), 'Please try again')
      await expectWords('profile', readProfile(parts), 'Current Courses')
      judge(parts.workload.takeFigures())
      for (const file of ['filler', 'rest']) {
        await rm(path.join(folder, file))
      }
    })
  } finally {
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

async function readOnly(): Promise<void> {
  await withLearners({}, async (parts) => {
    const files = path.join(parts.product.folder, 'files')
    execFileSync('mount', ['--bind', files, files])
    execFileSync('mount', ['-o', 'remount,bind,ro', files])
    try {
      await expectWords('photo', uploadPhoto(parts), noStorage)
      await expectWords('profile', readProfile(parts), 'Current Courses')
      judge(parts.workload.takeFigures())
    } finally {
      execFileSync('umount', [files])
    }

    const { status } = await uploadPhoto(parts)
    if (status >= 400) {
      problem(`afterwards a photo got ${status}`)
    }
  })
}

async function mailAway(): Promise<void> {
  const port = await findFreePort()
  await withLearners({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}` } }, async (parts) => {
    const { status } = await signUp(parts, 'waits@bench.example')
    if (status >= 300) {
      problem(`a sign-up got ${status}`)
    }

    await pause(3_000)
    judge(parts.workload.takeFigures())
    const received: string[] = []
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, session, done) {
        stream.resume().on('end', () => {
          received.push(...session.envelope.rcptTo.map(({ address }) => address))
          done()
        })
      },
    })

    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
    await until('the mail that waited', 90, () => received.includes('waits@bench.example'))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
}

async function storageAway(): Promise<void> {
  const port = await findFreePort()
  const startStorage = () =>
    createServer((request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(request.method === 'GET' ? 404 : 200).end())
    }).listen(port, '127.0.0.1')
  const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const variables = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'bucket', ...keys }
  let storage = startStorage()
  await withLearners({ variables }, async (parts) => {
    storage.closeAllConnections()
    await new Promise((resolve) => storage.close(resolve))
    await expectWords('photo', uploadPhoto(parts), noStorage)
    const status = await expectWords('profile', readProfile(parts), 'Current Courses')
    if (status !== 200) {
      problem(`the profile got ${status}`)
    }

    if (!(await fetch(`${parts.product.url}/readyz`)).ok) {
      problem('the process counts as unable')
    }

    judge(parts.workload.takeFigures())
    storage = startStorage()
    const { status: after } = await uploadPhoto(parts)
    if (after >= 400) {
      problem(`afterwards a photo got ${after}`)
    }
  })

  storage.closeAllConnections()
  storage.close()
}

async function databaseAway(): Promise<void> {
  const database = await startDatabaseServer()
  try {
    const place = { databaseUrl: database.url, variables: { DATABASE_URL: database.url } }
    await withLearners(place, async (parts) => {
      await database.halt()
      const goneAt = performance.now()
      await pause(3_000)
      await expectWords('sign-up', signUp(parts, 'away@bench.example'), 'internal-error')
      await expectWords('profile', readProfile(parts), 'Please try again')
      await pause(60_000 - (performance.now() - goneAt))
      judge(parts.workload.takeFigures())
      await database.start()
    })
  } finally {
    await database.stop()
  }
}
