import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

const text = 'I give my right of withdrawal up & start now.'

let school: Awaited<ReturnType<typeof startShopServer>>
beforeAll(async () => {
  school = await startShopServer({ WITHDRAWAL_WAIVER: 'required', WITHDRAWAL_WAIVER_TEXT: text })
})
afterAll(() => school.stop())

it('a ticked waiver is stored with its text and time, and leaves only the refund', async () => {
  const learner = await school.signUp()
  const address = `/Checkout/${school.courseId}`
  expect((await school.get(address, learner)).body).toContain(
    'I give my right of withdrawal up &amp; start now.',
  )
  const refused = await school.post(address, {}, learner)
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('Please tick this box to go on.')
  const changed = await school.post(address, { waiver: 'An earlier text' }, learner)
  expect(changed.body).toContain('This text has changed.')
  expect(await school.db.$count(tables.orders)).toBe(0)

  const answer = await school.post(address, { waiver: text }, learner)
  expect(answer.status).toBe(303)
  await school.sample.pay(String(answer.headers.location).split('/').at(-1) ?? '', 'paid')
  const [order] = await school.db
    .select()
    .from(tables.orders)
    .where(eq(tables.orders.uid, learner.uid))
  await school.get(`${address}/paid?order=${order?.id}`, learner)
  expect(order).toMatchObject({ waiver: text, waivedAt: expect.any(Date) })
  const { body } = await school.get('/Profile/purchases', learner)
  expect(body).toContain('Ask for a refund')
  expect(body).not.toContain('Withdraw from this purchase')
  expect(
    (await school.post(`/Profile/purchases/${order?.id}/withdrawal`, {}, learner)).status,
  ).toBe(409)
  const { composeOrderEmail } = await import('~/features/orders/order-emails.server')
  const mail = (await composeOrderEmail(school.db, 'receipt', order?.id ?? ''))?.text
  expect(mail).toContain(`You agreed at checkout: “${text}”`)
  expect(mail).toContain('You can ask for a refund in your purchases')
})

it('a free order has no right of withdrawal and needs no waiver', async () => {
  const learner = await school.signUp()
  await school.db.insert(tables.coupons).values({ code: 'WHOLE2026', percent: 100 })
  const address = `/Checkout/${school.courseId}?coupon=WHOLE2026`
  expect((await school.get(address, learner)).body).not.toContain('name="waiver"')
  const { status, headers } = await school.post(address, { coupon: 'WHOLE2026' }, learner)
  expect([status, headers.location]).toEqual([302, expect.stringContaining('/paid?order=')])
  const [order] = await school.db
    .select()
    .from(tables.orders)
    .where(eq(tables.orders.uid, learner.uid))
  expect(order).toMatchObject({ state: 'paid', totalMinor: 0, waiver: null, waivedAt: null })
})
