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

async function receiptOf(orderId: string): Promise<number> {
  const [receipt] = await school.db
    .select()
    .from(tables.receipts)
    .where(eq(tables.receipts.orderId, orderId))
  return receipt?.number ?? 0
}

it('only the buyer can open the page and the PDF of a receipt', async () => {
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

const requestsOf = async (orderId: string) => {
  const rows = await school.db
    .select()
    .from(tables.refundRequests)
    .where(eq(tables.refundRequests.orderId, orderId))
  return rows.map(({ kind, state, reason }) => ({ kind, state, reason }))
}

it('a learner withdraws in two steps, and nobody else can', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  const address = `/Profile/purchases/${order}/withdrawal`
  expect((await school.get('/Profile/purchases', learner)).body).toContain(`href="${address}"`)
  const page = await school.get(address, learner)
  expect(page.status).toBe(200)
  expect(page.body).toContain('Confirm withdrawal')
  expect(await requestsOf(order)).toEqual([])

  const other = await school.signUp()
  expect((await school.get(address, other)).status).toBe(404)
  expect((await school.post(address, {}, other)).status).toBe(404)
  expect((await school.post(address, {})).headers.location).toMatch(/^\/Login/)
  expect(await requestsOf(order)).toEqual([])

  for (const _ of ['once', 'twice']) {
    const answer = await school.post(address, {}, learner)
    expect([answer.status, answer.headers.location]).toEqual([303, address])
  }

  expect((await school.get(address, learner)).body).toContain('You have withdrawn')
  expect(await requestsOf(order)).toEqual([{ kind: 'withdrawal', state: 'granted', reason: '' }])
  expect((await school.get('/Profile/purchases', learner)).body).toContain('Credit note')
})

it('a learner asks for a refund with a reason of limited length', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  const address = `/Profile/purchases/${order}/refund`
  const long = await school.post(address, { reason: 'x'.repeat(1001) }, learner)
  expect(long.status).toBe(400)
  expect(long.body).toContain('At most 1000 characters, please.')
  expect((await school.post(address, { reason: ' Too easy ' }, learner)).status).toBe(303)
  expect(await requestsOf(order)).toEqual([{ kind: 'refund', state: 'asked', reason: 'Too easy' }])
  expect((await school.get(`/Profile/purchases/${order}/nonsense`, learner)).status).toBe(404)
})

it('the page of an order that can’t be refunded says so', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  await school.db.execute(
    sql`update orders set paid_at = now() - interval '1 year' where id = ${order}`,
  )
  const address = `/Profile/purchases/${order}/refund`
  expect((await school.get('/Profile/purchases', learner)).body).not.toContain(address)
  expect((await school.get(address, learner)).body).toContain('can’t be given back here any more')
  expect((await school.post(address, {}, learner)).status).toBe(409)
})

it('without signing in, the response does not reveal which orders exist, and only the link’s button confirms', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  expect((await school.get('/Refund')).status).toBe(200)
  const right = { order, email: learner.email, kind: 'withdrawal' }
  const known = await school.post('/Refund', right)
  const unknown = await school.post('/Refund', { ...right, email: 'somebody@test.example' })
  const withoutNonce = (body: string) => body.replaceAll(/nonce="[^"]*"/g, '')
  expect([known.status, unknown.status]).toEqual([200, 200])
  expect(withoutNonce(known.body)).toBe(withoutNonce(unknown.body))
  expect(known.body).toContain('If there is such an order')
  expect(await requestsOf(order)).toEqual([{ kind: 'withdrawal', state: 'stated', reason: '' }])

  const { createRequestPath } = await import('~/features/orders/refunds/refund-emails.server')
  const [stated] = await school.db
    .select()
    .from(tables.refundRequests)
    .where(eq(tables.refundRequests.orderId, order))
  const link = await createRequestPath(stated?.id ?? '')
  const page = await school.get(link)
  expect(page.body).toContain('Confirm withdrawal')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['referrer-policy']).toBe('strict-origin')
  expect((await school.get(`${link}x`)).body).toContain('This link no longer works')
  expect((await school.post(`${link}x`, {})).status).toBe(409)
  expect(await requestsOf(order)).toEqual([{ kind: 'withdrawal', state: 'stated', reason: '' }])

  const confirmed = await school.post(link, {})
  expect([confirmed.status, confirmed.headers.location]).toEqual([303, link])
  expect(await requestsOf(order)).toEqual([{ kind: 'withdrawal', state: 'granted', reason: '' }])
  expect((await school.get(link)).body).toContain('You have withdrawn')
})

it('without signing in, requests are limited for each order and each network', async () => {
  const learner = await school.signUp()
  const order = await school.buy(learner)
  const right = { order, email: learner.email, kind: 'refund' }
  for (let times = 0; times < 5; times++) {
    expect((await school.post('/Refund', right)).status).toBe(200)
  }

  expect(await requestsOf(order)).toHaveLength(1)
  await school.db.delete(tables.refundRequests)
  expect((await school.post('/Refund', right)).status).toBe(200)
  expect(await requestsOf(order)).toEqual([])
  await school.db.execute(sql`update rate_limits set count = 1000 where key like 'refund-client:%'`)
  expect((await school.post('/Refund', right)).status).toBe(429)
  expect((await school.post('/Refund', { ...right, order: '' })).status).toBe(400)
})

it('checkout of a withdrawn course says that nothing was charged', async () => {
  const learner = await school.signUp()
  const address = `/Checkout/${school.courseId}`
  expect((await school.post(address, {}, learner)).status).toBe(303)
  const withdraw = (published: boolean) => school.db.update(tables.courses).set({ published })
  await withdraw(false)
  expect((await school.get(address, learner)).body).toContain('This course is no longer sold')
  expect((await school.post(address, {}, learner)).headers.location).toBe(address)
  const other = await school.signUp()
  expect((await school.get(address, other)).headers.location).toBe(`/OneCourse/${school.courseId}`)
  await withdraw(true)
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

  await school.post(`/Desk/Orders/${orders[1]}`, { intent: 'grant', amount: '' }, manager)
  const states = await Promise.all(orders.map((order) => requestsOf(order)))
  expect(states.flat().map(({ state }) => state)).toEqual(['declined', 'granted'])
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
  await school.db.transaction((transaction) =>
    deleteAccount(transaction, async () => {}, learner.uid),
  )
  await school.post('/Refund', { kind: 'withdrawal', order, email: learner.email })
  expect(await requestsOf(order)).toEqual([])
})
