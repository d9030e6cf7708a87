import { sql } from 'drizzle-orm'
import { type Database, db } from '../../database/client.server'
import { lastBackup } from '../../database/schema'
import { isLoopback } from '../../env.server'
import { log, reportError } from '../log.server'
import { type Readiness, readiness } from '../readiness.server'

const hourMs = 60 * 60_000
/** A daily backup has two hours to finish. */
const maxBackupAgeHours = 26
const checkIntervalMs = 5 * 60_000

export async function recordBackup(database: Database, bytes: number): Promise<void> {
  const row = { id: 1, finishedAt: sql`now()`, bytes }
  await database
    .insert(lastBackup)
    .values(row)
    .onConflictDoUpdate({ target: lastBackup.id, set: row })
}

/**
 * Returns a warning if the last backup is too old, or null.
 *
 * @param lastBackupAt null without a backup, which is fine if only this machine reaches the product
 */
export function findBackupWarning(
  lastBackupAt: Date | null,
  now: Date,
  isPublic = !isLoopback,
): string | null {
  if (!lastBackupAt) {
    return isPublic ? 'There is no backup yet.' : null
  }

  const ageHours = (now.getTime() - lastBackupAt.getTime()) / hourMs
  if (ageHours <= maxBackupAgeHours) {
    return null
  }

  return `The last backup is ${Math.floor(ageHours)} hours old.`
}

/**
 * Lets `/readyz` and the log warn while the last backup is too old.
 *
 * @returns a function that stops the checks
 */
export async function watchBackups(): Promise<() => void> {
  const checkBackup = createBackupCheck(db, readiness)
  await checkBackup()
  const timer = setInterval(() => void checkBackup().catch(reportError), checkIntervalMs).unref()

  return () => clearInterval(timer)
}

/** Returns a check of the last backup. Of several warnings in a row, the log gets the first. */
export function createBackupCheck(
  database: Database,
  ready: Pick<Readiness, 'warn'>,
  { isPublic = !isLoopback, clock = () => new Date() } = {},
): () => Promise<void> {
  let hasWarned = false
  return async () => {
    const [backup] = await database.select().from(lastBackup)
    const warning = findBackupWarning(backup?.finishedAt ?? null, clock(), isPublic)
    ready.warn('backup', warning)
    if (warning && !hasWarned) {
      log.warn({ lastBackup: backup?.finishedAt ?? null }, warning)
    }

    hasWarned = warning !== null
  }
}
