import type { ChildProcess } from 'node:child_process'
import { copyFile, open, readFile, stat, truncate, unlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../env.server'
import { type Attachment, attach } from './postgres-attachment.server'
import { type Cluster, closeFormerSuperuser, findPostmaster, isServing, openCluster } from './postgres-cluster.server'
import { findPostgresPrograms } from './postgres-programs.server'

export type RunningDatabase = { url: string; stop(): Promise<void> }

const patienceMs = 60_000
const pollMs = 15
const logLimitBytes = 5_000_000
const logCheckMs = 3_600_000

/**
 * For a laptop. What decides whether an acknowledged change is kept (fsync, synchronous_commit) stays at its default.
 */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements reach the product's own log, without the learners' data that PostgreSQL would quote here.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // A query of a killed product ends, and with it its locks.
  client_connection_check_interval: '5s',
}

/**
 * Starts the PostgreSQL kept in `folder`, or joins the one that a killed product left running or a second product uses.
 * Everything it keeps is in `folder`: the cluster with its password, and `postgres.log`.
 *
 * Each product holds a shared lock in the database while it runs. `stop()` gives its own back and shuts the database
 * down, waiting until it is down, only if nobody else holds one: the last one out turns off the light. A database that is
 * killed meanwhile is started again.
 *
 * @param options.settings server settings to add or replace; they count only if this call starts the server.
 * @throws {StartError} if the server can't run here.
 */
export async function startEmbeddedPostgres(options: {
  folder: string
  log?(message: string): void
  settings?: Record<string, string>
}): Promise<RunningDatabase> {
  const log = options.log ?? (() => {})
  const cluster = await openCluster(options.folder, log)
  const logFile = join(dirname(cluster.home), 'postgres.log')
  const settings = { ...serverSettings, ...options.settings }
  const giveUpAt = performance.now() + patienceMs
  let child: ChildProcess | undefined
  let failures = 0
  for (;;) {
    const postmaster = await findPostmaster(cluster.dataFolder)
    const port = postmaster?.serving ? postmaster.port : null
    const address = `postgres://learnify:${cluster.password}@127.0.0.1:${port}`
    const attachment = port ? await attach(address, reviver(cluster, logFile, settings, log)) : null
    if (attachment) {
      await closeFormerSuperuser(cluster, address)
      log(child ? 'The database is running.' : 'Joined the database that was already running.')
      return present(cluster, attachment, logFile)
    }
    if (child && hasEnded(child)) {
      child = undefined
      failures += 1
      const reason = await findLastFailure(logFile)
      if (performance.now() > giveUpAt || (failures >= 3 && !isPassing(reason))) {
        throw new StartError(`The database can't start: ${reason}. Its log is ${logFile}.`)
      }
      await delay(100)
    } else if (!child && !postmaster?.serving) {
      child = await spawnPostmaster(cluster, logFile, settings, postmaster?.pid)
    } else if (performance.now() > giveUpAt) {
      throw new StartError(`The database didn’t respond within ${patienceMs / 1000} seconds. Its log is ${logFile}.`)
    }
    await delay(pollMs)
  }
}

/**
 * Restarts a database that was killed while the product was running; its address stays the same, so the product keeps
 * working.
 */
function reviver(cluster: Cluster, logFile: string, settings: Record<string, string>, log: (message: string) => void) {
  let child: ChildProcess | undefined
  return async () => {
    const postmaster = await findPostmaster(cluster.dataFolder)
    if (postmaster?.serving || (child && !hasEnded(child))) return
    log('The database stopped. Starting it again.')
    child = await spawnPostmaster(cluster, logFile, settings, postmaster?.pid)
  }
}

function present(cluster: Cluster, attachment: Attachment, logFile: string): RunningDatabase {
  const logCheck = setInterval(() => void limitLog(logFile), logCheckMs).unref()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    clearInterval(logCheck)
    await attachment.release(async () => {
      const postmaster = await findPostmaster(cluster.dataFolder)
      if (!postmaster?.serving) return
      // SIGINT is PostgreSQL's fast shutdown: it ends every session and writes everything down.
      process.kill(postmaster.pid, 'SIGINT')
      while (await isServing(postmaster.pid, cluster.dataFolder)) await delay(pollMs)
    })
  }
  return { url: `${attachment.url}/learnify`, stop: () => (stopped ??= stop()) }
}

/** `stalePid` is in the lock file, but not of this server: PostgreSQL would trust it, and is told not to. */
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
async function limitLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size < logLimitBytes) return
  await copyFile(path, `${path}.old`)
  await truncate(path)
}

async function findLastFailure(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '')
  const lines = text.trim().split('\n').slice(-5)
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

/** Another server on this folder starts or ends, a killed one's last sessions end, or somebody took the port. */
function isPassing(reason: string): boolean {
  return /lock file|shared memory block|TCP\/IP sockets/.test(reason)
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
