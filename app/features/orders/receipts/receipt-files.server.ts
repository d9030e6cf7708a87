/**
 * The PDFs of receipts and credit notes. A PDF is drawn once and then stored, so that its bytes
 * never change, even if a later version draws receipts differently. Deleting an account deletes its
 * PDFs, too.
 */
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { ArchiveFile } from '~/features/accounts/own-data/own-data-archive.server'
import type { Database } from '~/server/database/client.server'
import { orders, receiptFiles, receipts } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { drawReceiptPdf } from './receipt-pdf.server'
import { receiptFileName } from './receipt-text'
import type { IssuedReceipt } from './receipts.server'

type ReceiptFile = { name: string; bytes: Buffer }

/** Returns the stored PDF of a receipt. A PDF that is not stored yet is drawn, but not stored. */
export async function readReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  const storedBytes = await findStoredBytes(db, receipt.number)
  const bytes = storedBytes ?? (await drawWithPageUrl(receipt))
  return { name: receiptFileName(receipt), bytes }
}

/** Returns the PDFs of an order's receipts, or of its credit notes, as attachments of an email. */
export async function attachDocuments(
  db: Database,
  orderId: string,
  kind: IssuedReceipt['document']['kind'],
) {
  const issuedDocuments = await db
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
    .orderBy(receipts.number)

  return attachPdfs(
    db,
    issuedDocuments.filter(({ document }) => document.kind === kind),
  )
}

/** Returns PDFs as attachments, and stores them, so that the page later shows the same files. */
export async function attachPdfs(db: Database, issuedDocuments: readonly IssuedReceipt[]) {
  const files = await Promise.all(issuedDocuments.map((receipt) => storeReceiptFile(db, receipt)))
  return files.map(({ name, bytes }) => ({ filename: name, content: bytes }))
}

/** Yields all of a learner's receipts and credit notes, for the archive of their own data. */
export async function* listReceiptFiles(db: Database, uid: string): AsyncGenerator<ArchiveFile> {
  const issuedDocuments = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(eq(orders.uid, uid))
    .orderBy(receipts.number)

  for (const receipt of issuedDocuments) {
    yield {
      name: `receipts/${receiptFileName(receipt)}`,
      read: async () => (await readReceiptFile(db, receipt)).bytes,
    }
  }
}

const receiptsPerPart = 20

/**
 * Creates the background job that stores the PDFs which no email has stored, for example because
 * sending the email failed. Each run continues after the last receipt of the previous run. A
 * receipt that can't be drawn does not hold up the others: the run fails at its end, and the next
 * run begins again with the first receipt.
 */
export function createReceiptFilesJob(db: Database): (mayContinue: () => boolean) => Promise<void> {
  let lastNumber = 0

  return async (mayContinue) => {
    let part: IssuedReceipt[]
    const errors: unknown[] = []

    do {
      part = await listReceiptsWithoutFile(db, lastNumber)
      for (const receipt of part) {
        if (!mayContinue()) {
          return
        }

        await storeReceiptFile(db, receipt).catch((error) => errors.push(error))
        lastNumber = receipt.number
      }
    } while (part.length === receiptsPerPart && mayContinue())

    if (errors.length > 0) {
      lastNumber = 0
      throw errors[0]
    }
  }
}

/** Leaves out the receipts of deleted accounts, which have lost the buyer. */
async function listReceiptsWithoutFile(db: Database, lastNumber: number): Promise<IssuedReceipt[]> {
  return db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .leftJoin(receiptFiles, eq(receiptFiles.number, receipts.number))
    .where(and(gt(receipts.number, lastNumber), isNull(receiptFiles.number), isNotNull(orders.uid)))
    .orderBy(receipts.number)
    .limit(receiptsPerPart)
}

async function storeReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  const { number, document } = receipt
  const file = await readReceiptFile(db, receipt)

  // Another process may have stored a PDF first. If the account was deleted in the meantime, the
  // stored document has lost the buyer's name, and the PDF with the name must not be stored.
  await db.execute(sql`
    insert into receipt_files (number, bytes)
    select number, ${file.bytes} from receipts
    where number = ${number} and document = ${JSON.stringify(document)}::jsonb
    for share
    on conflict do nothing`)

  const storedBytes = await findStoredBytes(db, number)
  return { ...file, bytes: storedBytes ?? file.bytes }
}

async function drawWithPageUrl(receipt: IssuedReceipt): Promise<Buffer> {
  return drawReceiptPdf(receipt, `${env.PUBLIC_URL}/Profile/purchases/${receipt.number}`)
}

async function findStoredBytes(db: Database, number: number): Promise<Buffer | null> {
  const [file] = await db
    .select({ bytes: receiptFiles.bytes })
    .from(receiptFiles)
    .where(eq(receiptFiles.number, number))

  return file?.bytes ?? null
}
