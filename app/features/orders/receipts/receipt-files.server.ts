import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { orders, receiptFiles, receipts } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { IssuedReceipt } from './issue-receipt.server'
import { receiptPdf } from './receipt-pdf.server'
import { receiptFileName } from './receipt-text'

export type ReceiptFile = { name: string; bytes: Buffer }

/**
 * The stored PDF of a receipt or credit note. In the seconds before it is stored, it is drawn for
 * this request.
 */
export async function readReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  return {
    name: receiptFileName(receipt),
    bytes: (await findBytes(db, receipt.number)) ?? (await draw(receipt)),
  }
}

const draw = (receipt: IssuedReceipt) =>
  receiptPdf(receipt, `${env.PUBLIC_URL}/Profile/purchases/${receipt.number}`)

/** Draws and stores the PDF. From then on its bytes never change. */
async function keepReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  const { number, document } = receipt
  const file = await readReceiptFile(db, receipt)
  // Another process may have stored it first. If the account was deleted meanwhile, the document
  // has lost the buyer's name, and this drawing must not be stored.
  await db.execute(sql`
    insert into receipt_files (number, bytes)
    select number, ${file.bytes} from receipts where number = ${number} and document = ${JSON.stringify(document)}::jsonb for share
    on conflict do nothing`)

  return { ...file, bytes: (await findBytes(db, number)) ?? file.bytes }
}

const atOnce = 20

/**
 * Draws the receipts that no mail has drawn: those of earlier releases.
 *
 * @returns a function that continues after the last receipt it has seen.
 */
export function keepReceiptFiles(db: Database): (mayGoOn: () => boolean) => Promise<void> {
  let seen = 0
  return async (mayGoOn) => {
    for (let isMore = true; isMore && mayGoOn(); ) {
      const missing = await db
        .select({ number: receipts.number, document: receipts.document })
        .from(receipts)
        .innerJoin(orders, eq(orders.id, receipts.orderId))
        .leftJoin(receiptFiles, eq(receiptFiles.number, receipts.number))
        .where(and(gt(receipts.number, seen), isNull(receiptFiles.number), isNotNull(orders.uid)))
        .orderBy(receipts.number)
        .limit(atOnce)

      for (const receipt of missing) {
        if (!mayGoOn()) {
          return
        }

        await keepReceiptFile(db, receipt)
        seen = receipt.number
      }

      isMore = missing.length === atOnce
    }
  }
}

async function findBytes(db: Database, number: number): Promise<Buffer | null> {
  const [file] = await db
    .select({ bytes: receiptFiles.bytes })
    .from(receiptFiles)
    .where(eq(receiptFiles.number, number))
  return file?.bytes ?? null
}

/** For a mail about an order: its receipts, or its credit notes. */
export async function attachReceipts(
  db: Database,
  orderId: string,
  kind: IssuedReceipt['document']['kind'],
) {
  const issued = await db
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
    .orderBy(receipts.number)

  return attach(
    db,
    issued.filter(({ document }) => document.kind === kind),
  )
}

/** Stores the PDFs, too, so that the page later shows the same file as the mail. */
export async function attach(db: Database, issued: readonly IssuedReceipt[]) {
  const files = await Promise.all(issued.map((receipt) => keepReceiptFile(db, receipt)))
  return files.map(({ name, bytes }) => ({ filename: name, content: bytes }))
}

/** All of a learner's receipts and credit notes, for the archive of their data. */
export async function* listReceiptFiles(db: Database, uid: string): AsyncGenerator<ReceiptFile> {
  const issued = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(eq(orders.uid, uid))
    .orderBy(receipts.number)

  for (const receipt of issued) {
    const { name, bytes } = await readReceiptFile(db, receipt)
    yield { name: `receipts/${name}`, bytes }
  }
}
