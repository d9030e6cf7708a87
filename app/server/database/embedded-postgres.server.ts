/**
 * The PostgreSQL server that Learnify runs itself if `DATABASE_URL` is not set.
 *
 * Several Learnify processes may use the server of one folder. Each of them holds a shared advisory
 * lock, the usage lock, in a session of its own. The last process that stops shuts the server down.
 *
 * - If a Learnify process is killed, the server keeps running, and the next process connects to it.
 * - If the server is killed while Learnify runs, Learnify starts it again at the same URL.
 */
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
  updateCluster,
} from './postgres-cluster.server'
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.server'

export type RunningDatabase = { url: string; stop(): Promise<void> }

type EmbeddedPostgresOptions = {
  /** The folder that contains the cluster, the log and the links to libraries. */
  folder: string
  log?(message: string): void
  /** Server settings to add or replace. They have no effect on a server that is already running. */
  settings?: Record<string, string>
}

/** Settings for a laptop. Durability settings (fsync, synchronous_commit) keep their defaults. */
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Learnify logs failed statements itself. PostgreSQL would quote learners' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // Ends the queries of a killed Learnify process, so that their locks are released.
  client_connection_check_interval: '5s',
}

/**
 * Starts the PostgreSQL server of a folder, or connects to it if it is already running.
 *
 * @throws {StartError} if the server can't run here. Then nothing is left running.
 */
export async function startEmbeddedPostgres({
  folder,
  log = () => {},
  settings,
}: EmbeddedPostgresOptions): Promise<RunningDatabase> {
  const cluster = await openCluster(folder, log)
  const server = new EmbeddedServer(cluster, { ...defaultSettings, ...settings }, log)

  try {
    await server.connectOrStart()
  } catch (error) {
    await server.stop()
    throw error
  }

  let stopped: Promise<void> | undefined
  return {
    url: `${server.url}/learnify`,
    // A second call waits for the first one.
    stop: () => (stopped ??= server.stop()),
  }
}

/** How long a new server may take to start. It is started again when it exits during this time. */
const startTimeoutMs = 5_000
/** How long a running server may take to accept connections, for example after a crash. */
const recoveryTimeoutMs = 60_000
const connectionTimeoutMs = 5_000
const restartDelayMs = 300
const reconnectDelayMs = 1_000
const pollIntervalMs = 15
/** A larger log is moved to `postgres.log.old` when the server starts. */
const maxLogBytes = 5_000_000
/** The key of the usage lock. It can be any number that nothing else locks. */
const usageLockKey = 5_327_684_100

class EmbeddedServer {
  /** The URL of the server with user name and password, but without a database. */
  url = ''
  readonly #logFile: string
  /** The server process, if this process has started it. */
  #child: ChildProcess | undefined
  /** The session that holds the usage lock, or null while there is no connection to the server. */
  #lockSession: pg.Client | null = null
  #reconnecting: Promise<void> | undefined
  #isStopping = false

  constructor(
    readonly cluster: Cluster,
    readonly settings: Record<string, string>,
    readonly log: (message: string) => void,
  ) {
    this.#logFile = join(dirname(cluster.folder), 'postgres.log')
  }

  /**
   * Waits until the server accepts a connection. If no server is running, this method starts one.
   */
  async connectOrStart(): Promise<void> {
    const startedAt = performance.now()
    let startCount = 0

    while (true) {
      const server = await findServer(this.cluster.dataFolder)
      if (server?.isServing && server.port && (await this.#connect(server.port))) {
        return
      }

      const isRunning = server?.isServing || this.#isChildRunning
      const elapsedMs = performance.now() - startedAt
      const isRecoveryOverdue = isRunning && elapsedMs > recoveryTimeoutMs
      const isStartOverdue = !isRunning && startCount > 0 && elapsedMs > startTimeoutMs
      if (isRecoveryOverdue || isStartOverdue) {
        throw await this.#createStartError()
      }

      if (!isRunning) {
        if (this.#isStopping) {
          return
        }

        await this.#start({ isFirstStart: startCount === 0, stalePid: server?.pid })
        startCount += 1
      }

      await delay(pollIntervalMs)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#reconnecting

    if (await this.#shouldShutDown()) {
      await this.#shutDown()
    }

    await this.#lockSession?.end()
  }

  /** Returns whether no other Learnify process uses the server. */
  async #shouldShutDown(): Promise<boolean> {
    try {
      return await this.#takeExclusiveLock()
    } catch {
      // The server has crashed, so it first has to recover.
    }

    try {
      await this.connectOrStart()
      return await this.#takeExclusiveLock()
    } catch {
      // Other processes may use a server that does not respond here, unless this process has
      // started it.
      return this.#isChildRunning
    }
  }

  /** Returns whether this process has started the server, and the server is still running. */
  get #isChildRunning(): boolean {
    return (
      this.#child?.pid !== undefined &&
      this.#child.exitCode === null &&
      this.#child.signalCode === null
    )
  }

  /** Connects and takes the shared usage lock. Returns false if the server does not respond. */
  async #connect(port: number): Promise<boolean> {
    this.url = `postgres://learnify:${this.cluster.password}@127.0.0.1:${port}`

    let session: pg.Client
    try {
      session = await openConnection(`${this.url}/postgres`, {
        application_name: 'learnify presence',
        connectionTimeoutMillis: connectionTimeoutMs,
        query_timeout: connectionTimeoutMs,
      })
    } catch {
      return false
    }

    try {
      await session.query(`select pg_advisory_lock_shared(${usageLockKey})`)
    } catch {
      await session.end()
      return false
    }

    this.log(
      this.#isChildRunning
        ? 'The database is running.'
        : 'Joined the database that was already running.',
    )
    this.#lockSession = session
    session.once('end', () => {
      if (this.#lockSession === session) {
        this.#lockSession = null
      }

      if (!this.#isStopping) {
        this.#reconnecting ??= this.#reconnect()
      }
    })

    return true
  }

  /**
   * Connects to the server again, and starts it if it was killed. A running server ends all
   * sessions when one of its processes crashes.
   */
  async #reconnect(): Promise<void> {
    this.log('The database was lost. Starting it again unless it runs.')

    while (!this.#lockSession && !this.#isStopping) {
      try {
        await this.connectOrStart()
      } catch (error) {
        this.log((error as Error).message)
        // Without this pause, starts that fail at once would keep the processor busy.
        await delay(reconnectDelayMs)
      }
    }

    this.#reconnecting = undefined
  }

  /**
   * Replaces the shared usage lock by an exclusive one. While this session is open, no other
   * process can use the server.
   *
   * @returns false if another process uses the server
   */
  async #takeExclusiveLock(): Promise<boolean> {
    const session = this.#lockSession
    if (!session) {
      throw new Error('The database was lost.')
    }

    await session.query('select pg_advisory_unlock_all()')
    const { rows } = await session.query(
      `select pg_try_advisory_lock(${usageLockKey}) as "isLocked"`,
    )

    return rows[0]?.isLocked
  }

  /** @param options.stalePid the pid in a lock file that remained from a killed server */
  async #start(options: { isFirstStart: boolean; stalePid: number | undefined }): Promise<void> {
    // After a failed start, sessions of a killed server may still be ending, or another process may
    // have the port.
    if (!options.isFirstStart) {
      await delay(restartDelayMs)
    }

    const { folder, dataFolder } = this.cluster
    const programs = await findPostgresPrograms(folder, options.stalePid)
    await this.#updateCluster(programs)
    await this.#rotateLog()

    const port = await choosePort(dataFolder)
    const settingArgs = Object.entries(this.settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const command = programs.command('postgres', [
      '-D',
      dataFolder,
      '-p',
      String(port),
      ...settingArgs,
    ])

    const output = await open(this.#logFile, 'a', 0o600)
    this.#child = spawn(...command, {
      ...programs.options,
      // In a session of its own, the server does not get the Ctrl-C of the terminal. Learnify first
      // closes its pool, and then stops the server.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    // The log explains a failed start. Without a listener, the error would end this process.
    this.#child.once('error', () => {})
    this.#child.unref()
    await output.close()
  }

  async #updateCluster(programs: PostgresPrograms): Promise<void> {
    try {
      await updateCluster(this.cluster, programs)
    } catch (error) {
      // The update fails if another process has started the server in the meantime.
      const server = await findServer(this.cluster.dataFolder)
      if (!server?.isServing) {
        throw error
      }
    }
  }

  async #rotateLog(): Promise<void> {
    const { size } = await stat(this.#logFile).catch(() => ({ size: 0 }))
    if (size > maxLogBytes) {
      await rename(this.#logFile, `${this.#logFile}.old`)
    }
  }

  async #createStartError(): Promise<StartError> {
    const logText = await readFile(this.#logFile, 'utf8').catch(() => '')
    const lastLines = logText.trim().split('\n').slice(-5)
    const fatalLine = lastLines.findLast((line) => /FATAL|PANIC/.test(line))
    const reason = fatalLine ?? lastLines.at(-1) ?? ''

    return new StartError(`The database can't start: ${reason}. Its log is ${this.#logFile}.`)
  }

  async #shutDown(): Promise<void> {
    const server = await findServer(this.cluster.dataFolder)
    const serverPid = server?.isServing ? server.pid : undefined
    // A server that was just started is not in the lock file yet.
    const pid = this.#isChildRunning ? this.#child?.pid : serverPid
    if (!pid) {
      return
    }

    // SIGINT requests PostgreSQL's fast shutdown, which ends all sessions and writes everything to
    // disk.
    process.kill(pid, 'SIGINT')
    while (await isServing(pid, this.cluster.dataFolder)) {
      await delay(pollIntervalMs)
    }
  }
}

/**
 * Returns the port of the last start, or a free port if another program uses that one. PostgreSQL
 * stores its last command line in `postmaster.opts`.
 */
async function choosePort(dataFolder: string): Promise<number> {
  const lastCommand = await readFile(join(dataFolder, 'postmaster.opts'), 'utf8').catch(() => '')
  const lastPort = Number(/"-p" "(\d+)"/.exec(lastCommand)?.[1] ?? 0)

  return new Promise((resolve) => {
    const server = createServer()
    // With port 0, the operating system chooses a free one.
    server.on('error', () => server.listen(0, '127.0.0.1'))
    server.on('listening', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
    server.listen(lastPort, '127.0.0.1')
  })
}
