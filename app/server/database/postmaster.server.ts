/** The server process of a cluster: found, started and stopped. */

import type { ChildProcess } from 'node:child_process'
import { copyFile, open, readFile, stat, truncate, unlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, findPostmaster, isServing } from './postgres-cluster.server'
import { findPostgresPrograms } from './postgres-programs.server'

const pollMs = 15
const logLimitBytes = 5_000_000

export class Postmaster {
  readonly logFile: string
  readonly #cluster: Cluster
  readonly #settings: Record<string, string>
  #child: ChildProcess | undefined

  constructor(cluster: Cluster, logFile: string, settings: Record<string, string>) {
    this.#cluster = cluster
    this.logFile = logFile
    this.#settings = settings
  }

  addressAt(port: number): string {
    return `postgres://learnify:${this.#cluster.password}@127.0.0.1:${port}`
  }

  /** Whether this process started it, and it lives. */
  get isOwn(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child)
  }

  find() {
    return findPostmaster(this.#cluster.dataFolder)
  }

  /** @param stalePid in the lock file, but not of this server: PostgreSQL would trust it, and is told not to. */
  async start(stalePid: number | undefined): Promise<void> {
    this.#child = await spawnPostmaster(this.#cluster, this.logFile, this.#settings, stalePid)
  }

  /**
   * Waits until it is down. One that was just started isn't in the lock file yet.
   *
   * @param options.onlyOwn leaves one alone that another process started.
   */
  async stop({ onlyOwn = false } = {}): Promise<void> {
    const found = onlyOwn ? null : await this.find()
    const pid = found?.serving ? found.pid : undefined
    const isUp = async () => this.isOwn || (pid !== undefined && (await isServing(pid, this.#cluster.dataFolder)))
    // SIGINT is PostgreSQL's fast shutdown: it ends every session and writes everything down.
    if (this.isOwn) this.#child?.kill('SIGINT')
    else if (pid && (await isUp())) process.kill(pid, 'SIGINT')
    while (await isUp()) await delay(pollMs)
  }
}

async function spawnPostmaster(
  cluster: Cluster,
  logFile: string,
  settings: Record<string, string>,
  stalePid: number | undefined,
): Promise<ChildProcess> {
  const programs = await findPostgresPrograms(cluster.home)
  await removeEmptyLock(join(cluster.dataFolder, 'postmaster.pid'))
  await limitLog(logFile)
  const port = await findFreePort(await findFormerPort(cluster.dataFolder))
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = await open(logFile, 'a', 0o600)
  try {
    const child = programs.spawn('postgres', ['-D', cluster.dataFolder, '-p', String(port), ...args], {
      // In a session of its own, a Ctrl-C in the terminal leaves it alone until the product has closed its pool.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      // The pid that PostgreSQL does not count as a living server; pg_ctl passes its own parent so.
      env: stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {},
    })
    child.once('error', () => {})
    child.unref()
    return child
  } finally {
    await output.close()
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** A lock without a pid is what a power cut leaves; PostgreSQL asks for a hand then. A server fills its own at once. */
async function removeEmptyLock(path: string): Promise<void> {
  const lock = await stat(path).catch(() => null)
  if (lock?.size === 0 && Math.abs(Date.now() - lock.mtimeMs) > 2000) await unlink(path)
}

/** Truncates in place, because PostgreSQL keeps the file open. The old text is kept in a second file. */
export async function limitLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size < logLimitBytes) return
  await copyFile(path, `${path}.old`)
  await truncate(path)
}

/** PostgreSQL writes down the command that started it. */
async function findFormerPort(dataFolder: string): Promise<number> {
  const command = await readFile(join(dataFolder, 'postmaster.opts'), 'utf8').catch(() => '')
  return Number(/"-p" "(\d+)"/.exec(command)?.[1] ?? 0)
}

/** The wanted port, or any other if it is taken. */
async function findFreePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', () => findFreePort(0).then(resolve, reject))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port.')),
      )
    })
  })
}
