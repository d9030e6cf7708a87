import { eq, sql } from 'drizzle-orm'
import { type Database, db, type Statements } from '../database/client.server'
import { databaseTime } from '../database/database-time.server'
import { type Maintenance, productState } from '../database/schema'
import { log } from '../operations/log.server'
import { readiness } from '../operations/readiness.server'

/**
 * The row that every process reads each second: the version of the public pages, and whether
 * maintenance is on. So a process notices within two seconds what another one has changed. While
 * the database is down, the processes use the row of the last read.
 */
type SharedState = {
  /** Grows whenever cached pages have to be rendered again. */
  version: number
  /** Null in normal operation. */
  maintenance: Maintenance | null
}

const readIntervalMs = 1_000

let sharedState: SharedState | null = null

/** Returns the maintenance as of the last read, or null in normal operation. */
export function currentMaintenance(): Maintenance | null {
  return sharedState?.maintenance ?? null
}

/** Returns the version of the public pages as of the last read, or null before the first read. */
export function currentVersion(): number | null {
  return sharedState?.version ?? null
}

export async function readSharedState(database: Database): Promise<SharedState> {
  const [row] = await database
    .select({ version: productState.version, maintenance: productState.maintenance })
    .from(productState)
    .where(eq(productState.id, 1))
  return row ?? { version: 0, maintenance: null }
}

/**
 * Reads the row now and then every second.
 *
 * @param onNewVersion clears the caches of the previous version
 * @returns a function that stops the reading
 */
export async function followSharedState(
  onNewVersion: () => void | Promise<void>,
  database: Database = db,
): Promise<() => void> {
  const read = () =>
    updateSharedState(onNewVersion, database).catch((error) =>
      log.debug({ err: error }, 'the shared state is unknown'),
    )
  await read()

  let isReading = false
  const timer = setInterval(async () => {
    // A slow database gets no second query while the first one is still running.
    if (isReading) {
      return
    }

    isReading = true
    await read()
    isReading = false
  }, readIntervalMs)

  return () => clearInterval(timer)
}

/** Reads the row once and applies its changes. Exported for tests. */
export async function updateSharedState(
  onNewVersion: () => void | Promise<void>,
  database: Database,
): Promise<void> {
  const previousState = sharedState
  const newState = await readSharedState(database)

  // The versions are compared with !==, because a restored database may have an older version. If
  // `onNewVersion` throws an error, the next read tries again.
  if (newState.version !== previousState?.version) {
    await onNewVersion()
  }

  sharedState = newState

  const isOn = newState.maintenance !== null
  const wasOn = previousState !== null && previousState.maintenance !== null
  if (isOn !== wasOn) {
    log.warn(isOn ? 'maintenance mode is on' : 'maintenance mode is off')
  }

  readiness.setWarning(
    'maintenance',
    isOn ? 'Maintenance mode is on: changes and signed-in pages are refused.' : null,
  )
}

/**
 * Makes every process render its public pages again once the transaction commits. This is the last
 * statement of a transaction, because it locks the row.
 */
export async function renewPublicPages(transaction: Pick<Statements, 'insert'>): Promise<void> {
  await transaction
    .insert(productState)
    .values({ id: 1, version: 1 })
    .onConflictDoUpdate({
      target: productState.id,
      set: { version: sql`${productState.version} + 1` },
    })
}

/**
 * Starts or ends maintenance, or changes its message.
 *
 * @param maintenance null ends it
 * @param onEnd runs in the same transaction when maintenance ends
 * @returns whether maintenance started or ended
 */
export async function recordMaintenance(
  database: Database,
  maintenance: Omit<Maintenance, 'since'> | null,
  onEnd?: (transaction: Statements, since: Date, now: Date) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('maintenance', 0))`)
    const [row] = await transaction
      .select({ maintenance: productState.maintenance })
      .from(productState)
    const previousMaintenance = row?.maintenance ?? null
    const since = previousMaintenance?.since

    const now = await databaseTime(transaction)
    if (!maintenance && since) {
      await onEnd?.(transaction, new Date(since), now)
    }

    const newMaintenance = maintenance && { ...maintenance, since: since ?? now.toISOString() }
    await transaction
      .insert(productState)
      .values({ id: 1, maintenance: newMaintenance })
      .onConflictDoUpdate({ target: productState.id, set: { maintenance: newMaintenance } })

    const wasOn = previousMaintenance !== null
    return wasOn !== (maintenance !== null)
  })
}
