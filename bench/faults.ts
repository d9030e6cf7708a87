/**
 * `node bench/faults.ts [NAMES]`: learners watch videos, sign up and read while something fails:
 * disk-full, read-only, mail-away, storage-away or database-away. Responses about the failure have
 * to explain it in a sentence, and cached pages have to work. Afterwards, every acknowledged change
 * has to be stored exactly once. Ends with status 1 otherwise.
 *
 * disk-full and read-only need root, because they mount file systems. database-away needs Debian's
 * PostgreSQL.
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

type Fault = {
  /**
   * Names what the fault needs and this machine does not have. Null means that the fault can run.
   */
  missingRequirement: string | null
  run: () => Promise<void>
}

const photoStorageSentence = 'We can’t store photos right now'
const missingRoot = process.getuid?.() === 0 ? null : 'root'
const faults: Record<string, Fault> = {
  'disk-full': { missingRequirement: missingRoot, run: fillDisk },
  'read-only': { missingRequirement: missingRoot, run: makeFolderReadOnly },
  'mail-away': { missingRequirement: null, run: stopMailServer },
  'storage-away': { missingRequirement: null, run: stopPhotoStorage },
  'database-away': { missingRequirement: missingPackages[0] ?? null, run: stopDatabase },
}

const chosenNames = process.argv.slice(2)
const problems: string[] = []
let faultName = ''
for (faultName of chosenNames.length > 0 ? chosenNames : Object.keys(faults)) {
  const fault = faults[faultName]
  console.log(`\n── ${faultName}`)
  if (fault?.missingRequirement) {
    addProblem(`NOT RUN, needs ${fault.missingRequirement}`)
  } else {
    await fault?.run().catch((error) => addProblem(error.stack))
  }
}

exitWithProblems(problems)

function addProblem(text: string): void {
  problems.push(`${faultName}: ${text}`)
}

type ProductOptions = {
  folder?: string
  /** The URL of the database, unless the product runs its own. */
  databaseUrl?: string
  variables?: Record<string, string>
}

/** A running product with learners at work. */
type FaultTest = {
  workload: Workload
  product: Product
  /** A learner who is signed in and does nothing else. */
  learner: Learner
}

/**
 * Starts a product and learners, and checks that everything works again after a fault.
 *
 * @param breakAndRepair breaks something, checks the responses meanwhile, and repairs it
 */
async function testFault(
  { folder, databaseUrl, variables = {} }: ProductOptions,
  breakAndRepair: (test: FaultTest) => Promise<void>,
): Promise<void> {
  const log: string[] = []
  const product = await startProduct({
    folder,
    variables,
    onLine: (line) => log.push(line),
  })
  const workload = new Workload(product.url)
  const databaseTarget = databaseUrl ? { url: databaseUrl } : { folder: product.folder }
  try {
    const database = await connectDatabase(databaseTarget)
    const { learners, signVisit } = await addSignedInLearners(database, {
      count: 6,
      folder: product.folder,
      publicUrl: product.url,
    })
    await database.end()

    await waitUntil('the first page', 60, async () => (await fetch(product.url)).ok)
    const [learner, ...watching] = learners
    if (!learner) {
      return
    }

    workload.start({ watching, readers: 1, pages: ['/'], newcomers: 1, signVisit, everyMs: 60 })
    await pause(1_500)
    printStatuses('before', workload.readAndResetFigures().counts)

    await breakAndRepair({ workload, product, learner })

    await waitForNextWrite(workload)
    await pause(1_500)
    await workload.stop()

    const databaseAfterwards = await connectDatabase(databaseTarget)
    const ledgerProblems = await workload.ledger.listProblems(databaseAfterwards)
    await databaseAfterwards.end()
    for (const problem of ledgerProblems) {
      addProblem(problem)
    }

    console.log(`${workload.ledger.countAcknowledged()} acknowledged facts looked for`)
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

/** Waits for the next acknowledged change, and prints how long it took. */
async function waitForNextWrite(workload: Workload): Promise<void> {
  const writesBefore = workload.writeCount
  const repairedAt = performance.now()
  await waitUntil('reports are taken again', 60, () => workload.writeCount > writesBefore)

  const seconds = (performance.now() - repairedAt) / 1000
  console.log(`changes are taken again after ${seconds.toFixed(1)} s`)
}

/** Checks the statuses during the fault. Cached pages have to work. Other responses may be 503. */
function checkStatuses({ workload }: FaultTest): void {
  const { counts } = workload.readAndResetFigures()
  printStatuses('meanwhile', counts)

  for (const [kind, countByStatus] of Object.entries(counts)) {
    for (const [status, count] of Object.entries(countByStatus)) {
      const isAllowed = kind === 'page' ? status === '200' : /^([23]|503)/.test(status)
      if (!isAllowed) {
        addProblem(`${kind}: ${count} times ${status}`)
      }
    }
  }
}

function printStatuses(when: string, counts: StatusCounts): void {
  console.log(`${when}: ${JSON.stringify(counts)}`)
}

/** Checks that a response contains a text. Returns the status of the response. */
async function expectText(
  name: string,
  response: Promise<WorkloadResponse>,
  expectedText: string,
): Promise<number> {
  const { status, text } = await response
  console.log(`${name}: ${status}`)
  if (!text.includes(expectedText)) {
    addProblem(`${name} (${status}) doesn’t say '${expectedText}'`)
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
  const picture = sharp({ create: { width: 300, height: 300, channels: 3, background: '#5140e0' } })
  const photo = new File([new Uint8Array(await picture.png().toBuffer())], 'photo.png')

  const form = new FormData()
  form.set('firstName', 'Bench')
  form.set('lastName', 'L')
  form.set('phone', '')
  form.set('location', '')
  form.set('photo', photo)

  return workload.request('photo', '/Profile/settings', { form, cookie: learner.cookie })
}

/** Puts the product's data into a small file system, and fills the file system. */
async function fillDisk(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  try {
    await testFault({ folder: path.join(folder, 'data') }, async (test) => {
      // The second command fills the last block byte by byte.
      const fillCommands = `dd if=/dev/zero of=${folder}/filler bs=64k; dd if=/dev/zero of=${folder}/rest bs=1; true`
      execFileSync('sh', ['-c', fillCommands], { stdio: 'ignore' })
      await pause(10_000)
      await expectText('photo', uploadPhoto(test), 'Please try again')
      await expectText('profile', readProfile(test), 'Current Courses')
      checkStatuses(test)
      for (const file of ['filler', 'rest']) {
        await rm(path.join(folder, file))
      }
    })
  } finally {
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the folder of photos and other files read-only. */
async function makeFolderReadOnly(): Promise<void> {
  await testFault({}, async (test) => {
    const filesFolder = path.join(test.product.folder, 'files')
    execFileSync('mount', ['--bind', filesFolder, filesFolder])
    execFileSync('mount', ['-o', 'remount,bind,ro', filesFolder])
    try {
      await expectText('photo', uploadPhoto(test), photoStorageSentence)
      await expectText('profile', readProfile(test), 'Current Courses')
      checkStatuses(test)
    } finally {
      execFileSync('umount', [filesFolder])
    }

    const { status } = await uploadPhoto(test)
    if (status >= 400) {
      addProblem(`afterwards a photo got ${status}`)
    }
  })
}

/** Starts the product without a mail server, which then starts later. */
async function stopMailServer(): Promise<void> {
  const port = await findFreePort()
  await testFault({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}` } }, async (test) => {
    const { status } = await signUp(test, 'waits@bench.example')
    if (status >= 300) {
      addProblem(`a sign-up got ${status}`)
    }

    await pause(3_000)
    checkStatuses(test)

    const recipients: string[] = []
    const mailServer = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, session, callback) {
        stream.resume().on('end', () => {
          recipients.push(...session.envelope.rcptTo.map(({ address }) => address))
          callback()
        })
      },
    })

    await new Promise<void>((resolve) => mailServer.listen(port, '127.0.0.1', () => resolve()))
    await waitUntil('the mail that waited', 90, () => recipients.includes('waits@bench.example'))
    await new Promise<void>((resolve) => mailServer.close(() => resolve()))
  })
}

/** Stops the S3 storage of photos, and starts it again. */
async function stopPhotoStorage(): Promise<void> {
  const port = await findFreePort()
  // This storage accepts every file and has none.
  const startStorage = () =>
    createServer((request, response) => {
      const status = request.method === 'GET' ? 404 : 200
      request.resume().on('end', () => response.writeHead(status).end())
    }).listen(port, '127.0.0.1')
  const variables = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  let storage = startStorage()
  await testFault({ variables }, async (test) => {
    storage.closeAllConnections()
    await new Promise((resolve) => storage.close(resolve))
    await expectText('photo', uploadPhoto(test), photoStorageSentence)
    const status = await expectText('profile', readProfile(test), 'Current Courses')
    if (status !== 200) {
      addProblem(`the profile got ${status}`)
    }

    if (!(await fetch(`${test.product.url}/readyz`)).ok) {
      addProblem('the process counts as unable')
    }

    checkStatuses(test)
    storage = startStorage()
    const { status: statusAfterwards } = await uploadPhoto(test)
    if (statusAfterwards >= 400) {
      addProblem(`afterwards a photo got ${statusAfterwards}`)
    }
  })

  storage.closeAllConnections()
  storage.close()
}

/** Stops the PostgreSQL server for a minute. */
async function stopDatabase(): Promise<void> {
  const server = await startDatabaseServer()
  const options = { databaseUrl: server.url, variables: { DATABASE_URL: server.url } }
  try {
    await testFault(options, async (test) => {
      await server.stopImmediately()
      const stoppedAt = performance.now()
      await pause(3_000)
      await expectText('sign-up', signUp(test, 'away@bench.example'), 'internal-error')
      await expectText('profile', readProfile(test), 'Please try again')
      await pause(60_000 - (performance.now() - stoppedAt))
      checkStatuses(test)
      await server.start()
    })
  } finally {
    await server.stop()
  }
}
