/**
 * Starts the product as `npm start` does, for the browser tests and the benchmarks: on a free port
 * and with a data folder of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

const repositoryRoot = path.resolve(import.meta.dirname, '../..')

/** The port is on the fourth line of PostgreSQL's `postmaster.pid`. */
const portLineIndex = 3
const retryDelayMs = 100

export type Product = Awaited<ReturnType<typeof startProduct>>

type Options = {
  /** The product's DATA_DIR. By default it is a temporary folder, which `stop` removes. */
  folder?: string
  port?: number
  variables?: Record<string, string>
  /** Receives each line that the product writes to its output. */
  onLine?: (line: string) => void
  /** The folder with the product's files. A test of an upgrade passes another release's folder. */
  root?: string
  /** The longest wait until the product is ready. The start includes a build if one is missing. */
  startTimeoutSeconds?: number
}

/**
 * Starts the product and waits until `/healthz` answers.
 *
 * @throws if the product is not ready in time
 */
export async function startProduct({
  folder,
  port,
  variables,
  onLine,
  root = repositoryRoot,
  startTimeoutSeconds = 300,
}: Options = {}) {
  const dataFolder = folder ?? (await mkdtemp(path.join(tmpdir(), 'learnify-product-')))
  const productPort = port ?? (await findFreePort())
  const child = spawn('sh', ['-c', readPackageScript('start', root)], {
    cwd: root,
    env: {
      ...createProductEnvironment(root),
      PORT: String(productPort),
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: onLine ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit'],
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  for (const output of [child.stdout, child.stderr]) {
    if (output && onLine) {
      createInterface({ input: output }).on('line', onLine)
    }
  }

  const url = `http://localhost:${productPort}`
  await waitForResponse(`${url}/healthz`, child, startTimeoutSeconds)

  return {
    url,
    folder: dataFolder,
    pid: Number(child.pid),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await closed
      if (!folder) {
        await rm(dataFolder, { recursive: true, force: true })
      }
    },
  }
}

/** Returns the command line of a script in package.json. `sh -c` runs it as npm does. */
export function readPackageScript(script: string, root = repositoryRoot): string {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts[script]
}

/**
 * Returns the environment that npm gives to a script, in which `node` is the product's own Node.js.
 * A developer's `.env` file is not read.
 */
export function createProductEnvironment(root = repositoryRoot): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ENV_FILE: '/dev/null',
    PATH: `${root}/node_modules/.bin:${process.env.PATH}`,
  }
}

/** Connects to the running embedded database of a data folder, or to the database with a URL. */
export async function connectDatabase(
  target: { folder: string } | { url: string },
): Promise<Client> {
  const url = 'url' in target ? target.url : await readEmbeddedDatabaseUrl(target.folder)
  const database = new Client(url)
  // An error also rejects the current query. Without a listener the error would end this process.
  database.on('error', () => {})
  await database.connect()

  return database
}

async function readEmbeddedDatabaseUrl(dataFolder: string): Promise<string> {
  const cluster = path.join(dataFolder, 'database/cluster')
  const password = (await readFile(path.join(cluster, 'password'), 'utf8')).trim()
  const pidFile = await readFile(path.join(cluster, 'data/postmaster.pid'), 'utf8')
  const port = pidFile.split('\n')[portLineIndex]

  return `postgres://learnify:${password}@127.0.0.1:${port}/learnify`
}

/** Returns a port of the loopback interface on which nothing listens. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function waitForResponse(
  url: string,
  child: ChildProcess,
  startTimeoutSeconds: number,
): Promise<void> {
  const deadline = Date.now() + startTimeoutSeconds * 1000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) {
      throw new Error('The product stopped while starting.')
    }

    const response = await fetch(url).catch(() => null)
    if (response?.ok) {
      return
    }

    await pause(retryDelayMs)
  }

  throw new Error(`${url} did not answer within ${startTimeoutSeconds} seconds.`)
}
