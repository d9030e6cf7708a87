import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { courses, orders, receiptFiles, receipts, users } from '~/server/database/schema'
import {
  buyer,
  courseId,
  insertLearner,
  openCheckout,
  payOrder,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { attachPdfs, createReceiptFilesJob, readReceiptFile } from './receipt-files.server'
import * as drawing from './receipt-pdf.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

const { db } = await createTestDatabase()
const open = await openSampleShop(db)
afterAll(() => open.close())

async function buy() {
  const uid = await insertLearner(db)
  const order = await openCheckout(open.shop, uid, { buyer: { ...buyer, address: '12 Street' } })
  await payOrder(open, order)

  return { uid, orderId: order.orderId }
}

async function receiptOf(orderId: string) {
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  if (!receipt) {
    throw new Error('There is no receipt.')
  }

  return receipt
}

/** Attaches the receipt as its mail does. */
const mail = async (receipt: Awaited<ReturnType<typeof receiptOf>>) =>
  (await attachPdfs(db, [receipt]))[0]?.content

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

it('the stored PDF of a receipt never changes, even if names, the seller, the tax or the course change', async () => {
  const { uid, orderId } = await buy()
  const mailed = await mail(await receiptOf(orderId))
  expect(mailed?.subarray(0, 5).toString()).toBe('%PDF-')
  await db.update(users).set({ name: 'Grace Hopper', firstName: 'Grace' }).where(eq(users.id, uid))
  await db.update(courses).set({ title: 'Another title' }).where(eq(courses.id, courseId))
  await db
    .update(orders)
    .set({ taxBasisPoints: 0, courseTitle: 'Another title' })
    .where(eq(orders.id, orderId))
  open.shop.seller.name = 'Another school'
  const draws = vi
    .spyOn(drawing, 'receiptPdf')
    .mockResolvedValue(Buffer.from('%PDF-of another version'))
  const after = await readReceiptFile(db, await receiptOf(orderId))
  expect(hash(after.bytes)).toBe(hash(mailed ?? Buffer.of()))
  expect(await mail(await receiptOf(orderId))).toEqual(mailed)
  expect(draws).not.toHaveBeenCalled()
  draws.mockRestore()
  await expect(db.execute(sql`update receipt_files set bytes = ''`)).rejects.toThrow()
})

it('parallel requests for a receipt get the same bytes', async () => {
  const receipt = await receiptOf((await buy()).orderId)
  let drawn = 0
  const draws = vi
    .spyOn(drawing, 'receiptPdf')
    .mockImplementation(async () => Buffer.from(`%PDF-${++drawn}`))
  const files = await Promise.all(Array.from({ length: 5 }, () => mail(receipt)))
  expect(new Set(files.map((bytes) => hash(bytes ?? Buffer.of()))).size).toBe(1)
  draws.mockRestore()
})

it('the deletion of an account deletes the stored PDF, even one that is being drawn', async () => {
  const { uid, orderId } = await buy()
  const receipt = await receiptOf(orderId)
  await mail(receipt)
  await db.transaction((transaction) => deleteAccount(transaction, async () => {}, uid))
  expect(await db.$count(receiptFiles, eq(receiptFiles.number, receipt.number))).toBe(0)
  // The mail was being written when the account was deleted.
  await mail(receipt)
  expect(await db.$count(receiptFiles, eq(receiptFiles.number, receipt.number))).toBe(0)
})

it('the background job stores the PDFs that no email has stored, except for deleted accounts', async () => {
  await db.delete(receiptFiles)
  const [gone, first, second] = [await buy(), await buy(), await buy()]
  await db.transaction((transaction) => deleteAccount(transaction, async () => {}, gone.uid))
  const numbers = await Promise.all(
    [first, second].map(async ({ orderId }) => (await receiptOf(orderId)).number),
  )
  const shown = await readReceiptFile(db, await receiptOf(second.orderId))
  expect(await db.$count(receiptFiles)).toBe(0)
  const keep = createReceiptFilesJob(db)
  await keep(() => true)
  const kept = (await db.select().from(receiptFiles)).map(({ number }) => number)
  expect(kept).toEqual(expect.arrayContaining(numbers))
  expect(kept).not.toContain((await receiptOf(gone.orderId)).number)
  expect((await readReceiptFile(db, await receiptOf(second.orderId))).bytes).toEqual(shown.bytes)
  const third = await receiptOf((await buy()).orderId)
  await keep(() => true)
  expect(await db.$count(receiptFiles, eq(receiptFiles.number, third.number))).toBe(1)
})
