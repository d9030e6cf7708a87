import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { orders, receiptFiles, receipts } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { IssuedReceipt } from '../receipts.server'
import { receiptPdf } from './receipt-pdf.server'
import { receiptFileName } from './receipt-text'

export type ReceiptFile = { name: string; bytes: Buffer }

/** The PDF of a receipt or credit note as it is stored; drawn where it isn't yet, for some seconds after it was issued. */
export async function readReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  return { name: receiptFileName(receipt), bytes: (await findBytes(db, receipt.number)) ?? (await draw(receipt)) }
}

const draw = (receipt: IssuedReceipt) => receiptPdf(receipt, `${env.PUBLIC_URL}/Profile/purchases/${receipt.number}`)

/** Draws the PDF once; it has the same bytes from then on, whatever changes. */
async function keepReceiptFile(db: Database, receipt: IssuedReceipt): Promise<ReceiptFile> {
  const { number, document } = receipt
  const file = await readReceiptFile(db, receipt)
  // Another process may have drawn it, too. A deletion of the account takes the buyer's name out of the document: then this
  // drawing isn't stored.
  await db.execute(sql`
    insert into receipt_files (number, bytes)
    select number, ${file.bytes} from receipts where number = ${number} and document = ${JSON.stringify(document)}::jsonb for share
    on conflict do nothing`)
  return { ...file, bytes: (await findBytes(db, number)) ?? file.bytes }
}

const atOnce = 20

/**
 * Draws what no mail has had drawn: receipts of earlier versions.
 *
 * @returns looks once, from the last receipt that it has seen.
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
        if (!mayGoOn()) return
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
export async function attachReceipts(db: Database, orderId: string, kind: IssuedReceipt['document']['kind']) {
  const issued = await db.select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(receipts.number)
  return attach(
    db,
    issued.filter(({ document }) => document.kind === kind),
  )
}

/** Stores them, too, so that whatever is sent is what is shown later. */
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
