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
import * as receiptPdf from './receipt-pdf.server'
import type { IssuedReceipt } from './receipts.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

async function buyCourse() {
  const uid = await insertLearner(db)
  const order = await openCheckout(sampleShop.shop, uid, {
    buyer: { ...buyer, address: '12 Street' },
  })
  await payOrder(sampleShop, order)

  return { uid, receipt: await findReceipt(order.orderId) }
}

async function findReceipt(orderId: string) {
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  if (!receipt) {
    throw new Error('There is no receipt.')
  }

  return receipt
}

/** Returns the PDF of a receipt as the email attaches it. */
async function attachReceipt(receipt: IssuedReceipt): Promise<Buffer> {
  const [attachment] = await attachPdfs(db, [receipt])
  if (!attachment) {
    throw new Error('The email has no attachment.')
  }

  return attachment.content
}

async function isStored({ number }: IssuedReceipt): Promise<boolean> {
  return (await db.$count(receiptFiles, eq(receiptFiles.number, number))) === 1
}

function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

it('the stored PDF of a receipt never changes, even if names, the seller, the tax or the course change', async () => {
  const { uid, receipt } = await buyCourse()
  const attachedBytes = await attachReceipt(receipt)
  expect(attachedBytes.subarray(0, 5).toString()).toBe('%PDF-')

  await db.update(users).set({ name: 'Grace Hopper', firstName: 'Grace' }).where(eq(users.id, uid))
  await db.update(courses).set({ title: 'Another title' }).where(eq(courses.id, courseId))
  await db
    .update(orders)
    .set({ taxBasisPoints: 0, courseTitle: 'Another title' })
    .where(eq(orders.id, receipt.orderId))
  sampleShop.shop.seller.name = 'Another school'
  const drawReceiptPdf = vi
    .spyOn(receiptPdf, 'drawReceiptPdf')
    .mockResolvedValue(Buffer.from('%PDF-of another version'))

  const sameReceipt = await findReceipt(receipt.orderId)
  const file = await readReceiptFile(db, sameReceipt)
  expect(hashBytes(file.bytes)).toBe(hashBytes(attachedBytes))
  expect(hashBytes(await attachReceipt(sameReceipt))).toBe(hashBytes(attachedBytes))
  expect(drawReceiptPdf).not.toHaveBeenCalled()

  drawReceiptPdf.mockRestore()

  await expect(db.execute(sql`update receipt_files set bytes = ''`)).rejects.toThrow()
})

it('parallel requests for a receipt get the same bytes', async () => {
  const { receipt } = await buyCourse()
  let drawingCount = 0
  const drawReceiptPdf = vi.spyOn(receiptPdf, 'drawReceiptPdf').mockImplementation(async () => {
    drawingCount += 1
    return Buffer.from(`%PDF-${drawingCount}`)
  })

  const files = await Promise.all(Array.from({ length: 5 }, () => attachReceipt(receipt)))

  expect(new Set(files.map(hashBytes)).size).toBe(1)

  drawReceiptPdf.mockRestore()
})

it('the deletion of an account deletes the stored PDF, even one that is being drawn', async () => {
  const { uid, receipt } = await buyCourse()
  await attachReceipt(receipt)

  await db.transaction((tx) => deleteAccount(tx, async () => {}, uid))
  expect(await isStored(receipt)).toBe(false)

  // The email was being written while the account was deleted.
  await attachReceipt(receipt)
  expect(await isStored(receipt)).toBe(false)
})

it('the background job stores the PDFs that no email has stored, except for deleted accounts', async () => {
  await db.delete(receiptFiles)
  const deletedPurchase = await buyCourse()
  const firstPurchase = await buyCourse()
  const secondPurchase = await buyCourse()
  await db.transaction((tx) => deleteAccount(tx, async () => {}, deletedPurchase.uid))
  const drawnFile = await readReceiptFile(db, secondPurchase.receipt)
  expect(await db.$count(receiptFiles)).toBe(0)

  const storeMissingFiles = createReceiptFilesJob(db)
  await storeMissingFiles(() => true)

  expect(await isStored(firstPurchase.receipt)).toBe(true)
  expect(await isStored(secondPurchase.receipt)).toBe(true)
  expect(await isStored(deletedPurchase.receipt)).toBe(false)

  const storedFile = await readReceiptFile(db, secondPurchase.receipt)
  expect(hashBytes(storedFile.bytes)).toBe(hashBytes(drawnFile.bytes))

  const laterPurchase = await buyCourse()
  await storeMissingFiles(() => true)
  expect(await isStored(laterPurchase.receipt)).toBe(true)
})

it('a receipt that can’t be drawn does not hold up later receipts, and is tried again', async () => {
  await createReceiptFilesJob(db)(() => true)
  const { receipt } = await buyCourse()
  const laterPurchase = await buyCourse()
  const drawReceiptPdf = vi
    .spyOn(receiptPdf, 'drawReceiptPdf')
    .mockRejectedValueOnce(new Error('This receipt can’t be drawn.'))
  const storeMissingFiles = createReceiptFilesJob(db)

  await expect(storeMissingFiles(() => true)).rejects.toThrow('can’t be drawn')
  expect(await isStored(receipt)).toBe(false)
  expect(await isStored(laterPurchase.receipt)).toBe(true)

  await storeMissingFiles(() => true)
  expect(await isStored(receipt)).toBe(true)

  drawReceiptPdf.mockRestore()
})
