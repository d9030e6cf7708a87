import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { orders, receipts } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { IssuedReceipt } from '../receipts.server'
import { receiptPdf } from './receipt-pdf.server'
import { receiptFileName } from './receipt-text'

export type ReceiptFile = { name: string; bytes: Buffer }

const files = new LRUCache<string, Promise<Buffer>>({ max: 100 })

/** The PDF of a receipt or credit note. The last ones are cached, because drawing one takes a tenth of a second. */
export async function drawReceipt({ number, document }: IssuedReceipt): Promise<ReceiptFile> {
  const key = JSON.stringify([number, document])
  const drawn = files.get(key) ?? receiptPdf({ number, document }, `${env.PUBLIC_URL}/Profile/purchases/${number}`)
  files.set(key, drawn)
  drawn.catch(() => files.delete(key))
  return { name: receiptFileName({ number, document }), bytes: await drawn }
}

/** For a mail about an order: its receipts, or its credit notes. */
export async function attachReceipts(db: Database, orderId: string, kind: IssuedReceipt['document']['kind']) {
  const issued = await db.select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(receipts.number)
  return attach(issued.filter(({ document }) => document.kind === kind))
}

export async function attach(issued: readonly IssuedReceipt[]) {
  return (await Promise.all(issued.map(drawReceipt))).map(({ name, bytes }) => ({ filename: name, content: bytes }))
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
    const { name, bytes } = await drawReceipt(receipt)
    yield { name: `receipts/${name}`, bytes }
  }
}
