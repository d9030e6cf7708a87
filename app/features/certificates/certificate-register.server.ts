/**
 * The register of all certificates, and the indexes of its entries in the status lists.
 *
 * A status list says which certificates are revoked (Bitstring Status List). A certificate names
 * its list and its index in the list. The index is random, so that it says nothing about when the
 * certificate was issued.
 */
import { randomInt } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { certificateRegister } from '~/server/database/schema'
import { type CertifiedProgress, statusListLength } from './certificate-rules'
import { newestWordingVersion } from './credential/credential-document'

/** Half of a status list stays unused, so that a random index is nearly always free. */
const maxEntriesPerStatusList = statusListLength / 2
const maxTriedIndexes = 100

type RegisterEntry = CertifiedProgress & {
  courseId: string
  courseTitle: string
  issuedAt: Date | SQL
}

/**
 * Adds an entry to the register. The entry stores the version of the sentences in its credential.
 *
 * @returns the ID of the entry, which is also the ID of the new certificate
 */
export async function createRegisterEntry(
  transaction: Transaction,
  entry: RegisterEntry,
): Promise<string> {
  const id = randomId()
  const statusListNumber = await chooseStatusList(transaction)

  for (let triedIndexes = 0; triedIndexes < maxTriedIndexes; triedIndexes++) {
    const insertedRows = await transaction
      .insert(certificateRegister)
      .values({
        ...entry,
        id,
        wordingVersion: newestWordingVersion,
        statusListNumber,
        statusIndex: randomInt(statusListLength),
      })
      .onConflictDoNothing({
        target: [certificateRegister.statusListNumber, certificateRegister.statusIndex],
      })
      .returning({ id: certificateRegister.id })

    if (insertedRows.length > 0) {
      return id
    }
  }

  throw new Error(`None of ${maxTriedIndexes} random indexes of the status list was free.`)
}

/** Returns the number of the newest status list or, if that is full, of the next one. */
async function chooseStatusList(transaction: Transaction): Promise<number> {
  const {
    rows: [newestList],
  } = await transaction.execute<{ listNumber: number; entryCount: number }>(sql`
    select
      newest.list_number as "listNumber",
      (
        select count(*)::int
        from certificate_register
        where status_list = newest.list_number
      ) as "entryCount"
    from (
      select coalesce(max(status_list), 1) as list_number
      from certificate_register
    ) newest`)

  if (!newestList) {
    throw new Error('A maximum without a group always has one row.')
  }

  const isFull = newestList.entryCount >= maxEntriesPerStatusList

  return isFull ? newestList.listNumber + 1 : newestList.listNumber
}
