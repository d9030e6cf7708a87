import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

type School = Awaited<ReturnType<typeof startShopServer>>
type Learner = Awaited<ReturnType<School['signUp']>>

const checkoutPath = '/Checkout/python-from-zero'
const gift = {
  gift: 'on',
  recipientEmail: 'ben@test.example',
  senderName: 'Ada',
  message: 'Have fun',
}
let school: School
beforeAll(async () => {
  school = await startShopServer()
})
afterAll(() => school.stop())

/** Returns the HTML of a page without the comments that React puts between texts. */
function getHtml({ body }: { body: string }): string {
  return body.replaceAll(/<!-- -->/g, '')
}

/** Buys a gift. @returns its code, and the page after paying */
async function buyGift(learner: Learner) {
  const { headers } = await school.post(checkoutPath, gift, learner)
  await school.sample.pay(headers.location?.split('/').at(-1) ?? '', 'paid')
  const [storedGift] = await school.db
    .select()
    .from(tables.gifts)
    .where(eq(tables.gifts.uid, learner.uid))
  if (!storedGift) {
    throw new Error('No gift was stored.')
  }

  const { orderId, code } = storedGift
  const paidPage = await school.get(`${checkoutPath}/paid?order=${orderId}`, learner)
  return { orderId, code, paidHtml: getHtml(paidPage) }
}

it('opening the page of a gift does not redeem it, and its button does', async () => {
  const ada = await school.signUp()
  const ben = await school.signUp()
  const { code, paidHtml } = await buyGift(ada)
  expect(paidHtml).toContain('Your gift is on its way')

  const page = await school.get(`/Gift/${code}`)
  for (const text of [
    'Ada has given you a course.',
    'Have fun',
    `/SignUp?from=%2FGift%2F${code}`,
  ]) {
    expect(getHtml(page)).toContain(text)
  }

  expect(page.headers['cache-control']).toBe('no-store')

  const visitorResponse = await school.post(`/Gift/${code}`, {})
  expect(visitorResponse.headers.location).toBe(`/Login?from=%2FGift%2F${code}`)
  expect(getHtml(await school.get(`/Gift/${code}`, ben))).toContain('Redeem the gift')

  expect((await school.post(`/Gift/${code}`, {}, ben)).headers.location).toBe(`/Gift/${code}`)
  expect(getHtml(await school.get(`/Gift/${code}`, ben))).toContain('This course is yours now.')
  expect(getHtml(await school.get(`/Gift/${code}`))).toContain(
    'This gift has been redeemed already.',
  )
  expect(getHtml(await school.get('/Profile/purchases', ada))).toContain('It was redeemed on')
})

it('a learner who has the course is told that the gift can be passed on', async () => {
  const { code } = await buyGift(await school.signUp())
  const owner = await school.signUp()
  await school.buy(owner)
  await school.post(`/Gift/${code}`, {}, owner)

  expect(getHtml(await school.get(`/Gift/${code}`, owner))).toContain('Pass its link on')
  expect(getHtml(await school.get(`/Gift/${code}`))).toContain('there is nothing to pay')
})

it('a learner who has the course can buy it only as a gift', async () => {
  const owner = await school.signUp()
  await school.buy(owner)
  expect(getHtml(await school.get(checkoutPath, owner))).toContain(`${checkoutPath}?gift=1`)

  const html = getHtml(await school.get(`${checkoutPath}?gift=1`, owner))
  expect(html).toContain('The recipient’s email')
  expect(html).not.toContain('This is a gift')
  expect((await school.post(`${checkoutPath}?gift=1`, gift, owner)).status).toBe(303)
})

it('a gift without an email address is refused, and the form keeps all values', async () => {
  const page = await school.post(
    checkoutPath,
    { ...gift, recipientEmail: 'nobody' },
    await school.signUp(),
  )

  expect(page.status).toBe(400)

  for (const text of ['Please enter the recipient’s email address.', 'Have fun']) {
    expect(getHtml(page)).toContain(text)
  }
})

it('a giver can send a gift again, but not too often', async () => {
  const ada = await school.signUp()
  const { orderId, code } = await buyGift(ada)
  const resendGift = (recipientEmail: string, learner = ada) =>
    school.post('/Profile/purchases', { orderId, recipientEmail }, learner)
  expect(getHtml(await resendGift('cleo@test.example'))).toContain(
    'The gift was sent to cleo@test.example.',
  )

  const previousGiftHtml = getHtml(await school.get(`/Gift/${code}`))
  expect(previousGiftHtml).toContain('There is no such gift')
  expect((await resendGift('nobody')).status).toBe(400)
  expect((await resendGift('cleo@test.example', await school.signUp())).status).toBe(409)

  for (let attempt = 1; attempt < attemptLimits.giftMailByAccount.max; attempt++) {
    await resendGift('cleo@test.example')
  }
  expect((await resendGift('cleo@test.example')).status).toBe(429)
})

it('an unknown code responds with 404 to both opening and redeeming', async () => {
  const ben = await school.signUp()

  expect((await school.get('/Gift/NOSUCHCODE222222')).status).toBe(404)
  expect((await school.post('/Gift/NOSUCHCODE222222', {}, ben)).status).toBe(404)
})

it('a withdrawal from a gift says what happens to the gift, and its recipient gets an email', async () => {
  const ada = await school.signUp()
  const ben = await school.signUp()
  const { orderId, code } = await buyGift(ada)
  const withdrawalPath = `/Profile/purchases/${orderId}/withdrawal`
  expect(getHtml(await school.get(withdrawalPath, ada))).toContain(
    'the gift can’t be redeemed any more',
  )

  await school.post(`/Gift/${code}`, {}, ben)
  expect(getHtml(await school.get(withdrawalPath, ada))).toContain(
    'its course closes for the recipient, who gets an email',
  )
  expect((await school.post(withdrawalPath, {}, ada)).status).toBe(303)

  const emails = await school.db.select().from(tables.outbox).where(eq(tables.outbox.uid, ben.uid))
  expect(emails.map(({ kind }) => kind)).toContain('course-closed')

  const { composeOrderEmail } = await import('~/features/orders/order-emails.server')
  expect((await composeOrderEmail(school.db, 'withdrawal-received', orderId))?.text).toContain(
    'The gift is no longer valid.',
  )
  expect(getHtml(await school.get(`/Gift/${code}`, ben))).toContain('This gift is no longer valid')
})
