import { type Database, db } from '~/server/database/client.server'
import { readPublic } from '~/server/database/read-replica.server'

/**
 * Reads a certificate for everybody. What the replica doesn't know yet may have been issued a moment ago, so the primary is asked
 * before anybody hears that there is no such certificate.
 */
export async function readCertificate<T>(find: (db: Database) => Promise<T | null>): Promise<T | null> {
  return (await readPublic(find)) ?? find(db)
}
