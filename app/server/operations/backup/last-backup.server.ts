import { sql } from 'drizzle-orm'
import { type Database, db } from '../../database/client.server'
import { lastBackup } from '../../database/schema'
import { env, isLoopback } from '../../env.server'
import { log, reportError } from '../log.server'
import { type Readiness, readiness } from '../readiness.server'

const hourMs = 60 * 60_000
const checkEveryMs = 5 * 60_000

export async function recordBackup(database: Database, bytes: number): Promise<void> {
  const row = { id: 1, finishedAt: sql`now()`, bytes }
  await database
    .insert(lastBackup)
    .values(row)
    .onConflictDoUpdate({ target: lastBackup.id, set: row })
}

/**
 * The warning about the last backup, if any.
 *
 * @param last null without a backup, which only matters if other machines can reach the product.
 * @param hours 0 never warns.
 */
export function backupWarning(
  last: Date | null,
  now: Date,
  hours: number,
  isPublic: boolean,
): string | null {
  if (hours === 0) {
    return null
  }

  if (!last) {
    return isPublic ? 'There is no backup yet.' : null
  }

  const age = (now.getTime() - last.getTime()) / hourMs

  return age > hours ? `The last backup is ${Math.floor(age)} hours old.` : null
}

/** Lets `/readyz` and the log warn while the last backup is too old. @returns ends the watch. */
export async function watchBackups(): Promise<() => void> {
  const check = backupCheck(db, readiness)
  await check()
  const timer = setInterval(() => void check().catch(reportError), checkEveryMs).unref()

  return () => clearInterval(timer)
}

/** @returns checks once. The log gets the first warning of a row. */
export function backupCheck(
  database: Database,
  ready: Pick<Readiness, 'warn'>,
  { hours = env.BACKUP_WARN_AFTER_HOURS, isPublic = !isLoopback, clock = () => new Date() } = {},
): () => Promise<void> {
  let isLogged = false
  return async () => {
    const [row] = await database.select().from(lastBackup)
    const warning = backupWarning(row?.finishedAt ?? null, clock(), hours, isPublic)
    ready.warn('backup', warning)
    if (warning && !isLogged) {
      log.warn({ lastBackup: row?.finishedAt ?? null }, warning)
    }

    isLogged = warning !== null
  }
}
