/**
 * The product as `npm start` runs it, for journeys and benches: on a free port, with a data folder
 * of its own.
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

const ownRoot = path.resolve(import.meta.dirname, '../..')

export type Product = Awaited<ReturnType<typeof startProduct>>

type Options = {
  /** Its DATA_DIR; without one it gets a temporary folder, which `stop` removes. */
  folder?: string
  port?: number
  variables?: Record<string, string>
  /** Gets each line that the product writes. */
  onLine?: (line: string) => void
  /** Where the product's files are: another release's, for an upgrade. */
  root?: string
  /** How long its first answer may take; it may have to build before. */
  patienceSeconds?: number
}

/**
 * Starts the product and waits until `/healthz` answers.
 *
 * @throws if it does not answer in time.
 */
export async function startProduct({
  folder,
  port,
  variables,
  onLine,
  root = ownRoot,
  patienceSeconds = 300,
}: Options = {}) {
  const dataFolder = folder ?? (await mkdtemp(path.join(tmpdir(), 'learnify-product-')))
  const ownPort = port ?? (await findFreePort())
  const child = spawn('sh', ['-c', readPackageScript('start', root)], {
    cwd: root,
    env: {
      ...createProductEnvironment(root),
      PORT: String(ownPort),
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: onLine ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  for (const output of [child.stdout, child.stderr]) {
    if (output && onLine) {
      createInterface({ input: output }).on('line', onLine)
    }
  }

  const url = `http://localhost:${ownPort}`
  await answers(`${url}/healthz`, child, patienceSeconds)

  return {
    url,
    folder: dataFolder,
    pid: Number(child.pid),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await ended
      if (!folder) {
        await rm(dataFolder, { recursive: true, force: true })
      }
    },
  }
}

/** @returns a script of package.json, which `sh -c` runs as npm does. */
export function readPackageScript(script: string, root = ownRoot): string {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts[script]
}

/** The environment as npm makes it: `node` is the product's own Node.js. No `.env` file counts. */
export function createProductEnvironment(root = ownRoot): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ENV_FILE: '/dev/null',
    PATH: `${root}/node_modules/.bin:${process.env.PATH}`,
  }
}

/**
 * A connection to the embedded database in a data folder, which has to be running, or to another
 * one.
 */
export async function connectDatabase(
  place: { folder: string } | { url: string },
): Promise<Client> {
  const database = new Client('url' in place ? place.url : await embeddedDatabaseUrl(place.folder))
  // The query under way fails with the same error; without a listener it would end this process.
  database.on('error', () => {})
  await database.connect()

  return database
}

async function embeddedDatabaseUrl(dataFolder: string): Promise<string> {
  const cluster = path.join(dataFolder, 'database/cluster')
  const password = (await readFile(path.join(cluster, 'password'), 'utf8')).trim()
  const [, , , port] = (await readFile(path.join(cluster, 'data/postmaster.pid'), 'utf8')).split(
    '\n',
  )

  return `postgres://learnify:${password}@127.0.0.1:${port}/learnify`
}

/** @returns a port of loopback on which nothing listens. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function answers(url: string, child: ChildProcess, patienceSeconds: number): Promise<void> {
  for (let tries = 0; tries < patienceSeconds * 10; tries++) {
    if (child.exitCode !== null) {
      throw new Error('The product stopped while starting.')
    }

    const response = await fetch(url).catch(() => null)
    if (response?.ok) {
      return
    }

    await pause(100)
  }

  throw new Error(`${url} did not answer within ${patienceSeconds} seconds.`)
}
