import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../env.server'
import { type Attachment, attach } from './postgres-attachment.server'
import { closeFormerSuperuser, openCluster } from './postgres-cluster.server'
import { limitLog, Postmaster } from './postmaster.server'

export type RunningDatabase = { url: string; stop(): Promise<void> }

const patienceMs = 60_000
const pollMs = 15
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
 * @throws {StartError} if the server can't run here; then none that this call started is left.
 */
export async function startEmbeddedPostgres(options: {
  folder: string
  log?(message: string): void
  settings?: Record<string, string>
}): Promise<RunningDatabase> {
  const log = options.log ?? (() => {})
  const cluster = await openCluster(options.folder, log)
  const logFile = join(dirname(cluster.home), 'postgres.log')
  const postmaster = new Postmaster(cluster, logFile, { ...serverSettings, ...options.settings })
  const attachment = await attachTo(postmaster, log).catch(async (error) => {
    await postmaster.stop({ onlyOwn: true })
    throw error
  })
  const database = present(postmaster, attachment)
  await closeFormerSuperuser(cluster, attachment.url).catch(async (error) => {
    await database.stop()
    throw error
  })
  return database
}

async function attachTo(postmaster: Postmaster, log: (message: string) => void): Promise<Attachment> {
  const giveUpAt = performance.now() + patienceMs
  let failures = 0
  for (let isStarted = false; ; ) {
    const found = await postmaster.find()
    const port = found?.serving ? found.port : null
    const attachment = port ? await attach(postmaster.addressAt(port), serverOf(postmaster, log)) : null
    if (attachment) {
      log(postmaster.isOwn ? 'The database is running.' : 'Joined the database that was already running.')
      return attachment
    }
    if (isStarted && !postmaster.isOwn) {
      isStarted = false
      failures += 1
      const reason = await findLastFailure(postmaster.logFile)
      if (performance.now() > giveUpAt || (failures >= 3 && !isPassing(reason))) {
        throw new StartError(`The database can't start: ${reason}. Its log is ${postmaster.logFile}.`)
      }
      await delay(100)
    } else if (!isStarted && !found?.serving) {
      await postmaster.start(found?.pid)
      isStarted = true
    } else if (performance.now() > giveUpAt) {
      throw new StartError(
        `The database didn’t respond within ${patienceMs / 1000} seconds. Its log is ${postmaster.logFile}.`,
      )
    }
    await delay(pollMs)
  }
}

/** A database that was killed while the product was running starts at the same address, so the product keeps working. */
function serverOf(postmaster: Postmaster, log: (message: string) => void) {
  const isUp = async () => postmaster.isOwn || (await postmaster.find())?.serving === true
  return {
    isUp,
    async revive() {
      if (await isUp()) return
      log('The database stopped. Starting it again.')
      await postmaster.start((await postmaster.find())?.pid)
    },
  }
}

function present(postmaster: Postmaster, attachment: Attachment): RunningDatabase {
  const logCheck = setInterval(() => void limitLog(postmaster.logFile), logCheckMs).unref()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    clearInterval(logCheck)
    await attachment.release((isSilent) => postmaster.stop({ onlyOwn: isSilent }))
  }
  return { url: `${attachment.url}/learnify`, stop: () => (stopped ??= stop()) }
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
