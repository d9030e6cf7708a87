import { eq, sql } from 'drizzle-orm'
import { type Database, db, type Statements } from '../database/client.server'
import { databaseTime } from '../database/database-time.server'
import { productState } from '../database/schema'
import type { Maintenance } from '../http/maintenance.server'
import { log } from '../operations/log.server'
import { readiness } from '../operations/readiness.server'

/**
 * The one row that every process reads each second: the version of the public pages, and whether
 * maintenance is on. The others notice a change within a second or two. While the database is down,
 * they use the last known row.
 */
export type SharedState = {
  /** Grows whenever cached pages have to be rendered anew. */
  version: number
  /** The message for visitors during maintenance; null in normal operation. */
  maintenance: Maintenance | null
}

const readEveryMs = 1_000

let known: SharedState | null = null

/** As of the last read. */
export function currentMaintenance(): Maintenance | null {
  return known?.maintenance ?? null
}

/** As of the last read; null before the first. */
export function currentVersion(): number | null {
  return known?.version ?? null
}

export async function readSharedState(database: Database): Promise<SharedState> {
  const [row] = await database
    .select({ version: productState.version, maintenance: productState.maintenance })
    .from(productState)
    .where(eq(productState.id, 1))
  return row ?? { version: 0, maintenance: null }
}

/**
 * Reads the row now and each second.
 *
 * @param onNewVersion clears the caches of the former version.
 * @returns stops the reading.
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
  let reading = false
  const timer = setInterval(async () => {
    // A slow database gets no second query.
    if (reading) {
      return
    }

    reading = true
    await read()
    reading = false
  }, readEveryMs)

  return () => clearInterval(timer)
}

/** Exported for tests. */
export async function updateSharedState(
  onNewVersion: () => void | Promise<void>,
  database: Database,
): Promise<void> {
  const before = known
  const read = await readSharedState(database)
  // Compares with !==, because a restored database may have an older version. After an error, the
  // next read tries again.
  if (read.version !== before?.version) {
    await onNewVersion()
  }

  known = read

  const { maintenance } = known
  const isOn = maintenance !== null
  const wasOn = before !== null && before.maintenance !== null
  if (isOn !== wasOn) {
    log.warn(isOn ? 'maintenance mode is on' : 'maintenance mode is off')
  }

  readiness.warn(
    'maintenance',
    isOn ? 'Maintenance mode is on: changes and signed-in pages are refused.' : null,
  )
}

/**
 * Makes every process render its public pages anew once the transaction commits. Make it the last
 * statement: the row is locked until then.
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
 * Begins or ends maintenance, or changes its words.
 *
 * @param onEnd runs in the same transaction when it ends.
 * @returns false if it was on, or off, already.
 */
export async function recordMaintenance(
  database: Database,
  maintenance: Omit<Maintenance, 'since'> | null,
  onEnd?: (transaction: Statements, since: Date, now: Date) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('maintenance', 0))`)
    const [before] = await transaction
      .select({ maintenance: productState.maintenance })
      .from(productState)
    const { maintenance: former = null } = before ?? {}
    const since = former?.since
    const now = await databaseTime(transaction)
    if (!maintenance && since) {
      await onEnd?.(transaction, new Date(since), now)
    }

    const stored = maintenance && { ...maintenance, since: since ?? now.toISOString() }
    await transaction
      .insert(productState)
      .values({ id: 1, maintenance: stored })
      .onConflictDoUpdate({ target: productState.id, set: { maintenance: stored } })

    return (former === null) !== (maintenance === null)
  })
}
