import { sql } from 'drizzle-orm'
import { type Database, db } from '../../database/client.server'
import { lastBackup } from '../../database/schema'
import { isLoopback } from '../../env.server'
import { log, reportError } from '../log.server'
import { readiness } from '../readiness.server'

const hourMs = 60 * 60_000
/** A daily backup has two hours to finish. */
const maxBackupAgeHours = 26
const logIntervalMs = 5 * 60_000

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
  readiness.addWarningCheck('backup', () => readBackupWarning(db))

  let lastWarning: string | null = null
  const logNewWarning = async () => {
    const warning = await readBackupWarning(db)
    // The log gets only the first of several warnings in a row.
    if (warning !== null && lastWarning === null) {
      log.warn(warning)
    }

    lastWarning = warning
  }

  await logNewWarning()
  const timer = setInterval(() => void logNewWarning().catch(reportError), logIntervalMs).unref()

  return () => clearInterval(timer)
}

/** Returns a warning if the last backup of the database is too old, or null. */
export async function readBackupWarning(
  database: Database,
  now = new Date(),
  isPublic = !isLoopback,
): Promise<string | null> {
  const [backup] = await database.select().from(lastBackup)
  return findBackupWarning(backup?.finishedAt ?? null, now, isPublic)
}
