import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startSellingFront } from '../../tests/support/selling-front'

let school: Awaited<ReturnType<typeof startSellingFront>>
beforeAll(async () => {
  school = await startSellingFront({ SELLER_NAME: 'Harbor School' })
})
afterAll(() => school.stop())

async function receiptOf(orderId: string): Promise<number> {
  const [receipt] = await school.db.select().from(tables.receipts).where(eq(tables.receipts.orderId, orderId))
  return receipt?.number ?? 0
}

it('a receipt is a page and a PDF for its buyer, and for nobody else', async () => {
  const learner = await school.signUp()
  const number = await receiptOf(await school.buy(learner))
  const address = `/Profile/purchases/${number}`
  const purchases = await school.get('/Profile/purchases', learner)
  expect(purchases.body).toContain(`href="${address}/document.pdf"`)
  expect((await school.get(address, learner)).body).toContain('Harbor School')
  const pdf = await school.get(`${address}/document.pdf`, learner)
  expect([pdf.status, pdf.headers['content-type'], pdf.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `inline; filename="receipt-${number}.pdf"`,
  ])
  expect(pdf.body.startsWith('%PDF-1.7')).toBe(true)

  const other = await school.signUp()
  expect((await school.get(`${address}/document.pdf`, other)).status).toBe(404)
  expect((await school.get('/Profile/purchases/nonsense/document.pdf', learner)).status).toBe(404)
  expect((await school.get(`${address}/document.pdf`)).headers.location).toMatch(/^\/Login\?from=/)
})
