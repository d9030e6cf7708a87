import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { orders, receiptFiles, receipts } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { IssuedReceipt } from '../receipts.server'
import { receiptPdf } from './receipt-pdf.server'
import { receiptFileName } from './receipt-text'

export type ReceiptFile = { name: string; bytes: Buffer }

/** The PDF of a receipt or credit note: drawn once, and the same bytes from then on, whatever changes. */
export async function readReceiptFile(db: Database, { number, document }: IssuedReceipt): Promise<ReceiptFile> {
  const name = receiptFileName({ number, document })
  const stored = await findBytes(db, number)
  if (stored) return { name, bytes: stored }
  const drawn = await receiptPdf({ number, document }, `${env.PUBLIC_URL}/Profile/purchases/${number}`)
  // Another process may have drawn it, too. A deletion of the account takes the buyer's name out of the document: then this
  // drawing isn't stored.
  await db.execute(sql`
    insert into receipt_files (number, bytes)
    select number, ${drawn} from receipts where number = ${number} and document = ${JSON.stringify(document)}::jsonb for share
    on conflict do nothing`)
  return { name, bytes: (await findBytes(db, number)) ?? drawn }
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

export async function attach(db: Database, issued: readonly IssuedReceipt[]) {
  const files = await Promise.all(issued.map((receipt) => readReceiptFile(db, receipt)))
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
