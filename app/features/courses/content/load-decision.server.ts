/**
 * Decides whether content files have to be stored, by comparing them with the last load.
 *
 * - Content that was stored completely, and has not changed since, is not stored again.
 * - Content that newer content has replaced is "superseded". A server that restarts with an old
 *   folder does not bring such content back, but a manual load does.
 */
import type { Database, Transaction } from '~/server/database/client.server'
import type { ContentHashes } from './content-hashes.server'
import { compareDecimalPlaces, type LastLoad, wasLoadedBefore } from './last-load.server'

/** What decides whether files have to be stored. */
export type LoadRequest = {
  /** The hashes of the files. */
  hashes: ContentHashes
  /** How many migrations this version of the product has. */
  migrationCount: number
  /**
   * Whether a person caused this load: by running a command, by saving a file in development, or by
   * changing the currency. The start of a server is not a manual load.
   */
  isManual: boolean
}

/** Returns why the files need not be stored, or null if they have to be. */
export async function findSkipReason(
  database: Database | Transaction,
  lastLoad: LastLoad | null,
  { hashes, migrationCount, isManual }: LoadRequest,
): Promise<'unchanged' | 'superseded' | null> {
  if (lastLoad === null) {
    return null
  }

  if (lastLoad.contentHash === hashes.content) {
    // A newer version of the product has also filled the columns that this version needs.
    const isUpToDate = lastLoad.isComplete && lastLoad.migrationCount >= migrationCount
    return isUpToDate ? 'unchanged' : null
  }

  if (isManual) {
    return null
  }

  // Wrong prices are worse than older content. So the files are stored, even superseded ones.
  const hasRightPrices = compareDecimalPlaces(lastLoad, hashes.decimalPlaces) === 'same'
  if (!hasRightPrices) {
    return null
  }

  const isSuperseded = await wasLoadedBefore(database, hashes.content)
  return isSuperseded ? 'superseded' : null
}
