import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

let school: Awaited<ReturnType<typeof startShopServer>>
beforeAll(async () => {
  school = await startShopServer()
  const seller = { name: 'Harbor School', address: '', taxId: '' }
  await school.db
    .insert(tables.siteVersions)
    .values({ part: 'seller', version: 1, value: seller, by: 'owner' })
  const { refreshSite } = await import('~/server/site/site.server')
  await refreshSite(school.db)
})
afterAll(() => school.stop())

async function findReceiptNumber(orderId: string): Promise<number> {
  const [receipt] = await school.db
    .select()
    .from(tables.receipts)
    .where(eq(tables.receipts.orderId, orderId))
  if (!receipt) {
    throw new Error('There is no receipt.')
  }

  return receipt.number
}

it('only the buyer can open the page and the PDF of a receipt', async () => {
  const learner = await school.signUp()
  const number = await findReceiptNumber(await school.buy(learner))
  const receiptPath = `/Profile/purchases/${number}`
  const purchases = await school.get('/Profile/purchases', learner)
  expect(purchases.body).toContain(`href="${receiptPath}/document.pdf"`)
  expect((await school.get(receiptPath, learner)).body).toContain('Harbor School')

  const pdf = await school.get(`${receiptPath}/document.pdf`, learner)
  expect([pdf.status, pdf.headers['content-type'], pdf.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `inline; filename="receipt-${number}.pdf"`,
  ])

  expect(pdf.body.startsWith('%PDF-1.7')).toBe(true)

  const otherLearner = await school.signUp()
  expect((await school.get(`${receiptPath}/document.pdf`, otherLearner)).status).toBe(404)
  expect((await school.get('/Profile/purchases/nonsense/document.pdf', learner)).status).toBe(404)
  expect((await school.get(`${receiptPath}/document.pdf`)).headers.location).toMatch(
    /^\/Login\?from=/,
  )
})

async function listRequests(orderId: string) {
  const rows = await school.db
    .select()
    .from(tables.refundRequests)
    .where(eq(tables.refundRequests.orderId, orderId))
  return rows.map(({ kind, status, reason }) => ({ kind, status, reason }))
}

it('a learner withdraws in two steps, and nobody else can', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  const refundPath = `/Profile/purchases/${orderId}/withdrawal`
  expect((await school.get('/Profile/purchases', learner)).body).toContain(`href="${refundPath}"`)

  const page = await school.get(refundPath, learner)
  expect(page.status).toBe(200)
  expect(page.body).toContain('Confirm withdrawal')
  expect(await listRequests(orderId)).toEqual([])

  const otherLearner = await school.signUp()
  expect((await school.get(refundPath, otherLearner)).status).toBe(404)
  expect((await school.post(refundPath, {}, otherLearner)).status).toBe(404)
  expect((await school.post(refundPath, {})).headers.location).toMatch(/^\/Login/)
  expect(await listRequests(orderId)).toEqual([])

  for (const _ of ['once', 'twice']) {
    const response = await school.post(refundPath, {}, learner)
    expect([response.status, response.headers.location]).toEqual([303, refundPath])
  }

  expect((await school.get(refundPath, learner)).body).toContain('You have withdrawn')
  expect(await listRequests(orderId)).toEqual([
    { kind: 'withdrawal', status: 'granted', reason: '' },
  ])
  expect((await school.get('/Profile/purchases', learner)).body).toContain('Credit note')
})

it('a learner asks for a refund with a reason of limited length', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  const refundPath = `/Profile/purchases/${orderId}/refund`
  const response = await school.post(refundPath, { reason: 'x'.repeat(1001) }, learner)

  expect(response.status).toBe(400)
  expect(response.body).toContain('At most 1000 characters, please.')
  expect((await school.post(refundPath, { reason: ' Too easy ' }, learner)).status).toBe(303)
  expect(await listRequests(orderId)).toEqual([
    { kind: 'refund', status: 'asked', reason: 'Too easy' },
  ])
  expect((await school.get(`/Profile/purchases/${orderId}/nonsense`, learner)).status).toBe(404)
})

it('the page of an order that can’t be refunded says so', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  await school.db.execute(
    sql`update orders set paid_at = now() - interval '1 year' where id = ${orderId}`,
  )
  const refundPath = `/Profile/purchases/${orderId}/refund`

  expect((await school.get('/Profile/purchases', learner)).body).not.toContain(refundPath)
  expect((await school.get(refundPath, learner)).body).toContain(
    'can’t be given back here any more',
  )
  expect((await school.post(refundPath, {}, learner)).status).toBe(409)
})

it('without signing in, the response does not reveal which orders exist, and only the link’s button confirms', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  expect((await school.get('/Refund')).status).toBe(200)

  const submittedValues = { order: orderId, email: learner.email, kind: 'withdrawal' }
  const responseForKnownOrder = await school.post('/Refund', submittedValues)
  const responseForUnknownEmail = await school.post('/Refund', {
    ...submittedValues,
    email: 'somebody@test.example',
  })
  const removeNonces = (body: string) => body.replaceAll(/nonce="[^"]*"/g, '')
  expect([responseForKnownOrder.status, responseForUnknownEmail.status]).toEqual([200, 200])
  expect(removeNonces(responseForKnownOrder.body)).toBe(removeNonces(responseForUnknownEmail.body))
  expect(responseForKnownOrder.body).toContain('If there is such an order')
  expect(await listRequests(orderId)).toEqual([
    { kind: 'withdrawal', status: 'stated', reason: '' },
  ])

  const { createRequestPath } = await import('~/features/orders/refunds/refund-emails.server')
  const [unconfirmedRequest] = await school.db
    .select()
    .from(tables.refundRequests)
    .where(eq(tables.refundRequests.orderId, orderId))
  const link = await createRequestPath(unconfirmedRequest?.id ?? '')
  const page = await school.get(link)
  expect(page.body).toContain('Confirm withdrawal')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['referrer-policy']).toBe('strict-origin')
  expect((await school.get(`${link}x`)).body).toContain('This link no longer works')
  expect((await school.post(`${link}x`, {})).status).toBe(409)
  expect(await listRequests(orderId)).toEqual([
    { kind: 'withdrawal', status: 'stated', reason: '' },
  ])

  const confirmation = await school.post(link, {})
  expect([confirmation.status, confirmation.headers.location]).toEqual([303, link])
  expect(await listRequests(orderId)).toEqual([
    { kind: 'withdrawal', status: 'granted', reason: '' },
  ])
  expect((await school.get(link)).body).toContain('You have withdrawn')
})

it('without signing in, requests are limited for each order and each network', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  const submittedValues = { order: orderId, email: learner.email, kind: 'refund' }
  for (let times = 0; times < 5; times++) {
    expect((await school.post('/Refund', submittedValues)).status).toBe(200)
  }

  expect(await listRequests(orderId)).toHaveLength(1)

  await school.db.delete(tables.refundRequests)
  expect((await school.post('/Refund', submittedValues)).status).toBe(200)
  expect(await listRequests(orderId)).toEqual([])

  await school.db.execute(sql`update rate_limits set count = 1000 where key like 'refund-client:%'`)
  expect((await school.post('/Refund', submittedValues)).status).toBe(429)
  expect((await school.post('/Refund', { ...submittedValues, order: '' })).status).toBe(400)
})

it('checkout of a withdrawn course says that nothing was charged', async () => {
  const learner = await school.signUp()
  const checkoutPath = `/Checkout/${school.courseId}`
  expect((await school.post(checkoutPath, {}, learner)).status).toBe(303)

  const setPublished = (published: boolean) => school.db.update(tables.courses).set({ published })
  await setPublished(false)
  expect((await school.get(checkoutPath, learner)).body).toContain('This course is no longer sold')
  expect((await school.post(checkoutPath, {}, learner)).headers.location).toBe(checkoutPath)

  const otherLearner = await school.signUp()
  expect((await school.get(checkoutPath, otherLearner)).headers.location).toBe(
    `/OneCourse/${school.courseId}`,
  )

  await setPublished(true)
})

it('staff see a request and the use of the course at the desk, and decline or grant the request', async () => {
  const manager = await school.signUp()
  await school.db.insert(tables.staff).values({ uid: manager.uid, role: 'manager' })
  const [declined, granted] = [await school.signUp(), await school.signUp()]
  const orders = [await school.buy(declined), await school.buy(granted)]
  for (const [index, learner] of [declined, granted].entries()) {
    await school.post(
      `/Profile/purchases/${orders[index]}/refund`,
      { reason: 'Too easy for me' },
      learner,
    )
  }

  const list = await school.get('/Desk/Orders?state=asked', manager)
  for (const order of orders) {
    expect(list.body).toContain(order)
  }

  const page = await school.get(`/Desk/Orders/${orders[0]}`, manager)
  for (const text of [
    'The learner wants the money back',
    'Too easy for me',
    'What the learner used',
  ]) {
    expect(page.body).toContain(text)
  }

  await school.post(`/Desk/Orders/${orders[0]}`, { intent: 'decline', reason: '' }, manager)
  await school.post(
    `/Desk/Orders/${orders[0]}`,
    { intent: 'decline', reason: 'You finished it.' },
    manager,
  )

  const pageOfGrant = await school.get(`/Desk/Orders/${orders[1]}`, manager)
  const [, left = ''] = /name="left" value="(\d+)"/.exec(pageOfGrant.body) ?? []
  await school.post(`/Desk/Orders/${orders[1]}`, { intent: 'grant', amount: '', left }, manager)
  const statuses = await Promise.all(orders.map((order) => listRequests(order)))

  expect(statuses.flat().map(({ status }) => status)).toEqual(['declined', 'granted'])
  expect((await school.get(`/Profile/purchases/${orders[0]}/refund`, declined)).body).toContain(
    'You finished it.',
  )
  expect((await school.get('/Profile/purchases', granted)).body).toContain('Credit note')
  expect((await school.get(`/Desk/Orders/${orders[0]}`, manager)).body).not.toContain(
    'The learner wants the money back',
  )
})

it('account deletion says what it means for purchases, both before and after', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  expect((await school.get('/Profile/settings', learner)).body).toContain(
    'afterwards this site can’t tell that the purchase was yours',
  )
  expect((await school.get('/Refund')).body).toMatch(
    /Have you deleted your account\?.*Harbor School/,
  )

  const { deleteAccount } = await import('~/features/accounts/own-data/account-deletion.server')
  await school.db.transaction((tx) => deleteAccount(tx, async () => {}, learner.uid))
  await school.post('/Refund', { kind: 'withdrawal', order, email: learner.email })
  expect(await listRequests(order)).toEqual([])
})

it('an emailed link still works after the school has stopped giving money back', async () => {
  const learner = await school.signUp()
  const orderId = await school.buy(learner)
  const { requestRefundByEmail } = await import('~/features/orders/refunds/refund-requests.server')
  await requestRefundByEmail(school.shop, { orderId, kind: 'withdrawal', reason: '' })
  const [request] = await school.db
    .select()
    .from(tables.refundRequests)
    .where(eq(tables.refundRequests.orderId, orderId))
  const { createRequestPath } = await import('~/features/orders/refunds/refund-emails.server')
  const link = await createRequestPath(request?.id ?? '')

  // The learner asked on the last day, 2 days ago. No other order is as recent.
  await school.db.execute(sql`update orders set paid_at = now() - interval '1 year'`)
  await school.db.execute(
    sql`update orders set paid_at = now() - interval '16 days', withdrawal_days = 14, refund_days = 14 where id = ${orderId}`,
  )
  await school.db.execute(
    sql`update refund_requests set stated_at = now() - interval '2 days' where order_id = ${orderId}`,
  )
  await school.db.insert(tables.siteVersions).values([
    { part: 'withdrawalDays', version: 1, value: 0, by: 'owner' },
    { part: 'refundDays', version: 1, value: 0, by: 'owner' },
  ])
  const { refreshSite } = await import('~/server/site/site.server')
  await refreshSite(school.db)

  expect((await school.get('/Refund')).status).toBe(404)
  expect((await school.post('/Refund', { order: orderId })).status).toBe(404)
  expect((await school.get(link)).body).toContain('Confirm withdrawal')
  expect((await school.post(link, {})).headers.location).toBe(link)
  expect((await school.get(link)).body).toContain('You have withdrawn')
})
