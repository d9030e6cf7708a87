import { eq } from 'drizzle-orm'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

const waiverText = 'I give my right of withdrawal up & start now.'

let school: Awaited<ReturnType<typeof startShopServer>>
beforeAll(async () => {
  school = await startShopServer({
    WITHDRAWAL_WAIVER: 'required',
    WITHDRAWAL_WAIVER_TEXT: waiverText,
  })
})
afterAll(() => school.stop())

it('a ticked waiver is stored with its text and time, and leaves only the refund', async () => {
  const learner = await school.signUp()
  const checkoutUrl = `/Checkout/${school.courseId}`
  expect((await school.get(checkoutUrl, learner)).body).toContain(
    'I give my right of withdrawal up &amp; start now.',
  )

  const emptyBoxResponse = await school.post(checkoutUrl, {}, learner)
  expect(emptyBoxResponse.status).toBe(400)
  expect(emptyBoxResponse.body).toContain('Please tick this box to go on.')

  const changedTextResponse = await school.post(checkoutUrl, { waiver: 'An earlier text' }, learner)
  expect(changedTextResponse.body).toContain('This text has changed.')
  expect(changedTextResponse.body).toMatch(/name="waiver"/)
  expect(changedTextResponse.body).not.toMatch(/<input[^>]*name="waiver"[^>]*checked/)
  expect(await school.db.$count(tables.orders)).toBe(0)

  const response = await school.post(checkoutUrl, { waiver: waiverText }, learner)
  expect(response.status).toBe(303)

  await school.sample.pay(String(response.headers.location).split('/').at(-1) ?? '', 'paid')
  const [order] = await school.db
    .select()
    .from(tables.orders)
    .where(eq(tables.orders.uid, learner.uid))
  await school.get(`${checkoutUrl}/paid?order=${order?.id}`, learner)
  expect(order).toMatchObject({ waiver: waiverText, waivedAt: expect.any(Date) })

  const { body } = await school.get('/Profile/purchases', learner)
  expect(body).toContain('Ask for a refund')
  expect(body).not.toContain('Withdraw from this purchase')
  expect(
    (await school.post(`/Profile/purchases/${order?.id}/withdrawal`, {}, learner)).status,
  ).toBe(409)

  const { composeOrderEmail } = await import('~/features/orders/order-emails.server')
  const receiptEmailText = (await composeOrderEmail(school.db, 'receipt', order?.id ?? ''))?.text
  expect(receiptEmailText).toContain(`You agreed at checkout: “${waiverText}”`)
  expect(receiptEmailText).toContain('You can ask for a refund in your purchases')
})

it('checkout loads the terms again after a refusal, because an owner may have changed them', async () => {
  const { shouldRevalidate } = await import('./checkout')
  const refusal = { actionStatus: 400, defaultShouldRevalidate: false }

  expect(shouldRevalidate(refusal as ShouldRevalidateFunctionArgs)).toBe(true)
})

it('a free order has no right of withdrawal and needs no waiver', async () => {
  const learner = await school.signUp()
  await school.db.insert(tables.coupons).values({ code: 'WHOLE2026', percent: 100 })
  const checkoutUrl = `/Checkout/${school.courseId}?coupon=WHOLE2026`
  expect((await school.get(checkoutUrl, learner)).body).not.toContain('name="waiver"')

  const { status, headers } = await school.post(checkoutUrl, { coupon: 'WHOLE2026' }, learner)
  expect([status, headers.location]).toEqual([302, expect.stringContaining('/paid?order=')])

  const [order] = await school.db
    .select()
    .from(tables.orders)
    .where(eq(tables.orders.uid, learner.uid))
  expect(order).toMatchObject({ status: 'paid', totalMinor: 0, waiver: null, waivedAt: null })
})
