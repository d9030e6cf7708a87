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
import { missingPackages, startDatabaseServer } from './database-server.ts'
import { exitWithProblems } from './figures.ts'
import { addSignedInLearners, benchPassword, type Learner } from './learners.ts'
import { waitUntil } from './visitors.ts'
import { type StatusCounts, Workload, type WorkloadResponse } from './workload.ts'

type FaultTest = { workload: Workload; product: Product; learner: Learner }
type Place = { folder?: string; databaseUrl?: string; variables?: Record<string, string> }

const noStorage = 'We can’t store photos right now'
const needsRoot = () => (process.getuid?.() === 0 ? null : 'root')
const faults: Record<string, { missing?: () => string | null; run: () => Promise<void> }> = {
  'disk-full': { missing: needsRoot, run: fillDisk },
  'read-only': { missing: needsRoot, run: makeFolderReadOnly },
  'mail-away': { run: stopMailServer },
  'storage-away': { run: stopPhotoStorage },
  'database-away': { missing: () => missingPackages[0] ?? null, run: stopDatabase },
}

const problems: string[] = []
let name = ''
for (name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(faults)) {
  const missing = faults[name]?.missing?.()
  console.log(`\n── ${name}`)
  if (missing) {
    addProblem(`NOT RUN, needs ${missing}`)
  } else {
    await faults[name]?.run().catch((error) => addProblem(error.stack))
  }
}

exitWithProblems(problems)

function addProblem(text: string): void {
  problems.push(`${name}: ${text}`)
}

/** A product with learners at work; `breakAndRepair` breaks something and repairs it. */
async function withLearners(
  place: Place,
  breakAndRepair: (parts: FaultTest) => Promise<void>,
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
    await waitUntil('the first page', 60, async () => (await fetch(product.url)).ok)
    const [learner, ...watching] = learners
    if (!learner) {
      return
    }

    workload.start({ watching, readers: 1, pages: ['/'], newcomers: 1, signVisit, everyMs: 60 })
    await pause(1_500)
    printStatuses('before', workload.readAndResetFigures().counts)

    await breakAndRepair({ workload, product, learner })

    const { writeCount: written } = workload
    const repairedAt = performance.now()
    await waitUntil('reports are taken again', 60, () => workload.writeCount > written)
    console.log(
      `changes are taken again after ${((performance.now() - repairedAt) / 1000).toFixed(1)} s`,
    )
    await pause(1_500)
    await workload.stop()
    const again = await connectDatabase(database)
    for (const found of await workload.ledger.listProblems(again)) {
      addProblem(found)
    }

    await again.end()
    console.log(`${workload.ledger.count()} acknowledged facts looked for`)
    const uncaught = log.filter((line) => /unhandled rejection|uncaught exception/.test(line))
    if (uncaught.length > 0) {
      addProblem(`${uncaught.length} uncaught errors, the first: ${uncaught[0]}`)
    }
  } finally {
    await workload.stop().catch(() => {})
    await product.stop()
    await rm(product.folder, { recursive: true, force: true })
  }
}

/** Cached pages have to go on; anything else may ask to be tried again. */
function checkStatuses({ counts }: { counts: StatusCounts }): void {
  printStatuses('meanwhile', counts)
  for (const [kind, statuses] of Object.entries(counts)) {
    for (const status of Object.keys(statuses)) {
      if (kind === 'page' ? status !== '200' : status !== '503' && !/^[23]/.test(status)) {
        addProblem(`${kind}: ${statuses[status]} times ${status}`)
      }
    }
  }
}

function printStatuses(when: string, counts: StatusCounts): void {
  console.log(`${when}: ${JSON.stringify(counts)}`)
}

/** @returns the status of an answer that has to say these words. */
async function expectText(
  what: string,
  reply: Promise<WorkloadResponse>,
  words: string,
): Promise<number> {
  const { status, text } = await reply
  console.log(`${what}: ${status}`)
  if (!text.includes(words)) {
    addProblem(`${what} (${status}) doesn’t say '${words}'`)
  }

  return status
}

function readProfile({ workload, learner }: FaultTest): Promise<WorkloadResponse> {
  return workload.request('profile', '/Profile/current-courses', { cookie: learner.cookie })
}

function signUp({ workload }: FaultTest, email: string): Promise<WorkloadResponse> {
  const json = { email, password: benchPassword, firstName: 'Ada', lastName: 'Lovelace' }
  return workload.request('sign-up', '/account/register', { json })
}

async function uploadPhoto({ workload, learner }: FaultTest): Promise<WorkloadResponse> {
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

  return workload.request('photo', '/Profile/settings', { form, cookie: learner.cookie })
}

async function fillDisk(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  try {
    await withLearners({ folder: path.join(folder, 'data') }, async (parts) => {
      // The last blocks go one by one.
      const fill = `dd if=/dev/zero of=${folder}/filler bs=64k; dd if=/dev/zero of=${folder}/rest bs=1; true`
      execFileSync('sh', ['-c', fill], { stdio: 'ignore' })
      await pause(10_000)
      await expectText('photo', uploadPhoto(parts), 'Please try again')
      await expectText('profile', readProfile(parts), 'Current Courses')
      checkStatuses(parts.workload.readAndResetFigures())
      for (const file of ['filler', 'rest']) {
        await rm(path.join(folder, file))
      }
    })
  } finally {
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeFolderReadOnly(): Promise<void> {
  await withLearners({}, async (parts) => {
    const files = path.join(parts.product.folder, 'files')
    execFileSync('mount', ['--bind', files, files])
    execFileSync('mount', ['-o', 'remount,bind,ro', files])
    try {
      await expectText('photo', uploadPhoto(parts), noStorage)
      await expectText('profile', readProfile(parts), 'Current Courses')
      checkStatuses(parts.workload.readAndResetFigures())
    } finally {
      execFileSync('umount', [files])
    }

    const { status } = await uploadPhoto(parts)
    if (status >= 400) {
      addProblem(`afterwards a photo got ${status}`)
    }
  })
}

async function stopMailServer(): Promise<void> {
  const port = await findFreePort()
  await withLearners({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}` } }, async (parts) => {
    const { status } = await signUp(parts, 'waits@bench.example')
    if (status >= 300) {
      addProblem(`a sign-up got ${status}`)
    }

    await pause(3_000)
    checkStatuses(parts.workload.readAndResetFigures())
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
    await waitUntil('the mail that waited', 90, () => received.includes('waits@bench.example'))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
}

async function stopPhotoStorage(): Promise<void> {
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
    await expectText('photo', uploadPhoto(parts), noStorage)
    const status = await expectText('profile', readProfile(parts), 'Current Courses')
    if (status !== 200) {
      addProblem(`the profile got ${status}`)
    }

    if (!(await fetch(`${parts.product.url}/readyz`)).ok) {
      addProblem('the process counts as unable')
    }

    checkStatuses(parts.workload.readAndResetFigures())
    storage = startStorage()
    const { status: after } = await uploadPhoto(parts)
    if (after >= 400) {
      addProblem(`afterwards a photo got ${after}`)
    }
  })

  storage.closeAllConnections()
  storage.close()
}

async function stopDatabase(): Promise<void> {
  const database = await startDatabaseServer()
  try {
    const place = { databaseUrl: database.url, variables: { DATABASE_URL: database.url } }
    await withLearners(place, async (parts) => {
      await database.stopImmediately()
      const goneAt = performance.now()
      await pause(3_000)
      await expectText('sign-up', signUp(parts, 'away@bench.example'), 'internal-error')
      await expectText('profile', readProfile(parts), 'Please try again')
      await pause(60_000 - (performance.now() - goneAt))
      checkStatuses(parts.workload.readAndResetFigures())
      await database.start()
    })
  } finally {
    await database.stop()
  }
}
