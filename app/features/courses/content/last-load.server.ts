/**
 * Records what content the database holds: which files it was read from, and whether all of them
 * could be loaded. The next load compares its files with this record.
 *
 * The table stores one text for the files. It consists of a hash, the number of decimal places of
 * the prices after a dot, and the prefix 'partly' if courses with problems were left out.
 */
import { eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { contentHistory, contentState } from '~/server/database/schema'
import { getDecimalPlaces } from './content-hashes.server'

export type LastLoad = {
  /** What `hashContent` returned for the content. */
  contentHash: string
  /** False if courses with problems were left out. */
  isComplete: boolean
  /**
   * The number of decimal places of the stored prices; undefined if an older version stored them.
   */
  decimalPlaces: number | undefined
  /** How many migrations the version of the product had that loaded these files. */
  migrationCount: number
  /** When these files were loaded, or found unchanged, last; null if that is unknown. */
  loadedAt: Date | null
}

const incompletePrefix = 'partly '

/** Returns null before the first load. */
export async function findLastLoad(database: Database | Transaction): Promise<LastLoad | null> {
  const storedHash = sql`replace(${contentState.hash}, ${incompletePrefix}, '')`
  const [row] = await database
    .select({
      hash: contentState.hash,
      migrations: contentState.migrations,
      loadedAt: contentHistory.loadedAt,
    })
    .from(contentState)
    .leftJoin(contentHistory, eq(contentHistory.hash, storedHash))
  if (!row) {
    return null
  }

  const isComplete = !row.hash.startsWith(incompletePrefix)
  return {
    contentHash: isComplete ? row.hash : row.hash.slice(incompletePrefix.length),
    isComplete,
    decimalPlaces: getDecimalPlaces(row.hash),
    migrationCount: row.migrations,
    loadedAt: row.loadedAt,
  }
}

export function isSameLoad(a: LastLoad | null, b: LastLoad | null): boolean {
  return a?.contentHash === b?.contentHash && a?.isComplete === b?.isComplete
}

/**
 * Compares the stored prices with prices that have this number of decimal places.
 *
 * @returns 'unknown' if an older version of the product stored the prices
 */
export function compareDecimalPlaces(
  lastLoad: LastLoad,
  decimalPlaces: number,
): 'same' | 'different' | 'unknown' {
  if (lastLoad.decimalPlaces === undefined) {
    return 'unknown'
  }

  return lastLoad.decimalPlaces === decimalPlaces ? 'same' : 'different'
}

/** Returns whether content with this hash has been loaded before, at any time. */
export async function wasLoadedBefore(
  database: Database | Transaction,
  contentHash: string,
): Promise<boolean> {
  const [previousLoad] = await database
    .select()
    .from(contentHistory)
    .where(eq(contentHistory.hash, contentHash))

  return previousLoad !== undefined
}

export async function recordLoad(
  transaction: Transaction,
  {
    contentHash,
    migrationCount,
    isComplete,
  }: Pick<LastLoad, 'contentHash' | 'migrationCount' | 'isComplete'>,
): Promise<void> {
  const hash = isComplete ? contentHash : incompletePrefix + contentHash
  await transaction
    .insert(contentState)
    .values({ id: 1, hash, migrations: migrationCount })
    .onConflictDoUpdate({ target: contentState.id, set: { hash, migrations: migrationCount } })

  await recordLoadTime(transaction, contentHash)
}

/** Lets every server notice that these files were loaded, or that they were already loaded. */
export async function recordLoadTime(
  database: Database | Transaction,
  contentHash: string,
): Promise<void> {
  await database
    .insert(contentHistory)
    .values({ hash: contentHash })
    .onConflictDoUpdate({ target: contentHistory.hash, set: { loadedAt: sql`now()` } })
}
