import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../env.server'
import { openConnection } from './pool.server'
import {
  type Cluster,
  findServer,
  isServing,
  openCluster,
  updateSettings,
} from './postgres-cluster.server'
import { findPostgresPrograms } from './postgres-programs.server'

export type RunningDatabase = { url: string; stop(): Promise<void> }
type Options = { folder: string; log?(message: string): void; settings?: Record<string, string> }

/** How long a server that exits at once is started again and again. */
const startTimeoutMs = 5_000
/** How long a server may recover from a crash. */
const answerTimeoutMs = 60_000
const sessionTimeoutMs = 5_000
const retryMs = 300
const rejoinPauseMs = 1_000
const pollMs = 15
const logLimitBytes = 5_000_000
/** The lock that each running product holds. It can be any number that nothing else locks. */
const presenceLock = 5_327_684_100

/** Settings for a laptop. Durability settings (fsync, synchronous_commit) keep their defaults. */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The product logs failed statements itself. PostgreSQL would quote learners' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // Queries of a killed product end, so that their locks are released.
  client_connection_check_interval: '5s',
}

/**
 * Starts the PostgreSQL of `folder`, or joins one that is already running because a killed product
 * left it running or a second product uses it.
 *
 * - Each running product holds a shared lock in a session. `stop()` releases the lock, and shuts the
 *   database down if no other product holds one.
 * - A database that is killed while a product runs is started again at the same URL.
 *
 * @param options.settings server settings to add or replace if this call starts the server
 * @throws {StartError} if the server can't run here. Then nothing is left running.
 */
export async function startEmbeddedPostgres({
  folder,
  log = () => {},
  settings,
}: Options): Promise<RunningDatabase> {
  const server = new EmbeddedServer(
    await openCluster(folder, log),
    { ...serverSettings, ...settings },
    log,
  )

  await server.join().catch(async (error) => {
    await server.stop()
    throw error
  })
  let stopped: Promise<void> | undefined

  return { url: `${server.url}/learnify`, stop: () => (stopped ??= server.stop()) }
}

class EmbeddedServer {
  /** The URL of the server with name and password, but without a database. */
  url = ''
  readonly #logFile: string
  #child: ChildProcess | undefined
  #presence: pg.Client | null = null
  #rejoining: Promise<void> | undefined
  #isStopping = false

  constructor(
    readonly cluster: Cluster,
    readonly settings: Record<string, string>,
    readonly log: (message: string) => void,
  ) {
    this.#logFile = join(dirname(cluster.home), 'postgres.log')
  }

  /** Waits until a server responds, and starts one if none is running. */
  async join(): Promise<void> {
    const startedAt = performance.now()
    let startCount = 0
    while (true) {
      const server = await findServer(this.cluster.dataFolder)
      if (server?.isServing && server.port && (await this.#takePresence(server.port))) {
        this.log(
          this.#isOwn
            ? 'The database is running.'
            : 'Joined the database that was already running.',
        )
        return
      }

      const isRunning = server?.isServing || this.#isOwn
      await this.#requireTimeLeft({ isRunning, startCount, startedAt })
      if (this.#isStopping && !isRunning) {
        return
      }

      if (!isRunning) {
        startCount += 1
        await this.#startAgain(startCount, server?.pid)
      }

      await delay(pollMs)
    }
  }

  async #requireTimeLeft({
    isRunning,
    startCount,
    startedAt,
  }: {
    isRunning: boolean
    startCount: number
    startedAt: number
  }): Promise<void> {
    const timeoutMs = isRunning ? answerTimeoutMs : startTimeoutMs
    const isOverdue = performance.now() - startedAt > timeoutMs
    if (isOverdue && (isRunning || startCount > 0)) {
      throw await this.#createStartError()
    }
  }

  async #startAgain(startCount: number, pid: number | undefined): Promise<void> {
    // The sessions of a killed server may still be ending, or another process may have the port.
    if (startCount > 1) {
      await delay(retryMs)
    }

    await this.#start(pid)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#rejoining
    // After a crash, the server first has to recover. If it does not respond, other products may use it,
    // so only a server that this process has started is stopped.
    const isLast = await this.#isLast()
      .catch(() => this.join().then(() => this.#isLast()))
      .catch(() => this.#isOwn)
    if (isLast) {
      await this.#shutDown()
    }

    await this.#presence?.end()
  }

  /** Whether this process has started the server, and the server is still running. */
  get #isOwn(): boolean {
    return (
      this.#child?.pid !== undefined &&
      this.#child.exitCode === null &&
      this.#child.signalCode === null
    )
  }

  /** Takes the presence lock in a new session. Returns false if the server does not respond. */
  async #takePresence(port: number): Promise<boolean> {
    this.url = `postgres://learnify:${this.cluster.password}@127.0.0.1:${port}`
    const limits = { connectionTimeoutMillis: sessionTimeoutMs, query_timeout: sessionTimeoutMs }
    const connecting = openConnection(`${this.url}/postgres`, {
      application_name: 'learnify presence',
      ...limits,
    })
    const client = await connecting.catch(() => null)
    if (!client) {
      return false
    }

    try {
      await client.query(`select pg_advisory_lock_shared(${presenceLock})`)
    } catch {
      await client.end()
      return false
    }

    this.#presence = client
    client.once('end', () => {
      if (this.#presence === client) {
        this.#presence = null
      }

      if (!this.#isStopping) {
        this.#rejoining ??= this.#rejoin()
      }
    })

    return true
  }

  /**
   * Joins the database again after its session has ended, and starts it if it was killed. PostgreSQL
   * ends all sessions and continues when one of its processes crashes.
   */
  async #rejoin(): Promise<void> {
    this.log('The database was lost. Starting it again unless it runs.')
    while (!this.#presence && !this.#isStopping) {
      await this.join().catch((error) => {
        this.log(error.message)
        // Without this pause, starts that fail at once would keep the processor busy.
        return delay(rejoinPauseMs)
      })
    }

    this.#rejoining = undefined
  }

  /**
   * Returns whether no other product uses the server. If so, no other product can join until this session
   * ends.
   */
  async #isLast(): Promise<boolean> {
    const presence = this.#presence
    if (!presence) {
      throw new Error('The database was lost.')
    }

    await presence.query('select pg_advisory_unlock_all()')
    const { rows } = await presence.query(`select pg_try_advisory_lock(${presenceLock}) as alone`)

    return rows[0]?.alone
  }

  async #start(stalePid: number | undefined): Promise<void> {
    const { home, dataFolder } = this.cluster
    const programs = await findPostgresPrograms(home, stalePid)
    await updateSettings(this.cluster, programs).catch(async (error) => {
      // The update fails if another product has started its server in the meantime.
      if (!(await findServer(dataFolder))?.isServing) {
        throw error
      }
    })
    const { size } = await stat(this.#logFile).catch(() => ({ size: 0 }))
    if (size > logLimitBytes) {
      await rename(this.#logFile, `${this.#logFile}.old`)
    }

    const settings = Object.entries(this.settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const args = ['-D', dataFolder, '-p', String(await choosePort(dataFolder)), ...settings]
    const output = await open(this.#logFile, 'a', 0o600)
    this.#child = spawn(...programs.command('postgres', args), {
      ...programs.options,
      // In a session of its own, the server does not get the Ctrl-C of the terminal. The product first
      // closes its pool, and then stops the server.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    }).once('error', () => {})

    this.#child.unref()
    await output.close()
  }

  async #createStartError(): Promise<StartError> {
    const lines = (await readFile(this.#logFile, 'utf8').catch(() => ''))
      .trim()
      .split('\n')
      .slice(-5)
    const reason = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
    return new StartError(`The database can't start: ${reason}. Its log is ${this.#logFile}.`)
  }

  async #shutDown(): Promise<void> {
    const server = await findServer(this.cluster.dataFolder)
    const serverPid = server?.isServing ? server.pid : undefined
    // A server that was just started is not in the lock file yet.
    const pid = this.#isOwn ? this.#child?.pid : serverPid
    if (!pid) {
      return
    }

    // SIGINT requests PostgreSQL's fast shutdown, which ends all sessions and writes everything to disk.
    process.kill(pid, 'SIGINT')
    while (await isServing(pid, this.cluster.dataFolder)) {
      await delay(pollMs)
    }
  }
}

/**
 * Returns the port of the last start, which PostgreSQL stores with its command line. If that port is in
 * use, another one is chosen.
 */
async function choosePort(dataFolder: string): Promise<number> {
  const command = await readFile(join(dataFolder, 'postmaster.opts'), 'utf8').catch(() => '')
  const previousPort = Number(/"-p" "(\d+)"/.exec(command)?.[1] ?? 0)

  return new Promise((resolve) => {
    const server = createServer().on('error', () => server.listen(0, '127.0.0.1'))
    server.on('listening', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
    server.listen(previousPort, '127.0.0.1')
  })
}
