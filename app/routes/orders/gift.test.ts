import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

type School = Awaited<ReturnType<typeof startShopServer>>
type Learner = Awaited<ReturnType<School['signUp']>>

const checkout = '/Checkout/python-from-zero'
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

/** The page's words, without the comments that React puts between them. */
const textOf = ({ body }: { body: string }) => body.replaceAll(/<!-- -->/g, '')

async function give(learner: Learner) {
  const { headers } = await school.post(checkout, gift, learner)
  await school.sample.pay(headers.location?.split('/').at(-1) ?? '', 'paid')
  const [row] = await school.db.select().from(tables.gifts).where(eq(tables.gifts.uid, learner.uid))
  const orderId = row?.orderId ?? ''
  const paid = textOf(await school.get(`${checkout}/paid?order=${orderId}`, learner))

  return { orderId, code: row?.code ?? '', paid }
}

it('opening the page of a gift does not redeem it, and its button does', async () => {
  const [ada, ben] = [await school.signUp(), await school.signUp()]
  const { code, paid } = await give(ada)
  expect(paid).toContain('Your gift is on its way')
  const page = await school.get(`/Gift/${code}`)
  for (const text of [
    'Ada has given you a course.',
    'Have fun',
    `/SignUp?from=%2FGift%2F${code}`,
  ]) {
    expect(textOf(page)).toContain(text)
  }

  expect(page.headers['cache-control']).toBe('no-store')
  const visitor = await school.post(`/Gift/${code}`, {})
  expect(visitor.headers.location).toBe(`/Login?from=%2FGift%2F${code}`)
  expect(textOf(await school.get(`/Gift/${code}`, ben))).toContain('Redeem the gift')

  expect((await school.post(`/Gift/${code}`, {}, ben)).headers.location).toBe(`/Gift/${code}`)
  expect(textOf(await school.get(`/Gift/${code}`, ben))).toContain('This course is yours now.')
  expect(textOf(await school.get(`/Gift/${code}`))).toContain(
    'This gift has been redeemed already.',
  )
  expect(textOf(await school.get('/Profile/purchases', ada))).toContain('It was redeemed on')
})

it('a learner who has the course is told that the gift can be passed on', async () => {
  const { code } = await give(await school.signUp())
  const owner = await school.signUp()
  await school.buy(owner)
  await school.post(`/Gift/${code}`, {}, owner)
  expect(textOf(await school.get(`/Gift/${code}`, owner))).toContain('Pass its link on')
  expect(textOf(await school.get(`/Gift/${code}`))).toContain('there is nothing to pay')
})

it('a learner who has the course can buy it only as a gift', async () => {
  const owner = await school.signUp()
  await school.buy(owner)
  expect(textOf(await school.get(checkout, owner))).toContain(`${checkout}?gift=1`)
  const page = textOf(await school.get(`${checkout}?gift=1`, owner))
  expect(page).toContain('The recipient’s email')
  expect(page).not.toContain('This is a gift')
  expect((await school.post(`${checkout}?gift=1`, gift, owner)).status).toBe(303)
})

it('a gift without an email address is refused, and the form keeps all values', async () => {
  const page = await school.post(
    checkout,
    { ...gift, recipientEmail: 'nobody' },
    await school.signUp(),
  )

  expect(page.status).toBe(400)
  for (const text of ['Please enter the recipient’s email address.', 'Have fun']) {
    expect(textOf(page)).toContain(text)
  }
})

it('a giver can send a gift again, but not too often', async () => {
  const ada = await school.signUp()
  const { orderId, code } = await give(ada)
  const send = (recipientEmail: string, learner = ada) =>
    school.post('/Profile/purchases', { orderId, recipientEmail }, learner)
  expect(textOf(await send('cleo@test.example'))).toContain(
    'The gift was sent to cleo@test.example.',
  )
  const moved = textOf(await school.get(`/Gift/${code}`))
  expect(moved).toContain('There is no such gift')
  expect((await send('nobody')).status).toBe(400)
  expect((await send('cleo@test.example', await school.signUp())).status).toBe(409)
  for (let sentAgain = 1; sentAgain < attemptLimits.giftMailByAccount.max; sentAgain++) {
    await send('cleo@test.example')
  }
  expect((await send('cleo@test.example')).status).toBe(429)
})

it('an unknown code responds with 404 to both opening and redeeming', async () => {
  const ben = await school.signUp()
  expect((await school.get('/Gift/NOSUCHCODE222222')).status).toBe(404)
  expect((await school.post('/Gift/NOSUCHCODE222222', {}, ben)).status).toBe(404)
})

it('a withdrawal from a gift says what happens to the gift, and its recipient gets an email', async () => {
  const [ada, ben] = [await school.signUp(), await school.signUp()]
  const { orderId, code } = await give(ada)
  const address = `/Profile/purchases/${orderId}/withdrawal`
  expect(textOf(await school.get(address, ada))).toContain('the gift can’t be redeemed any more')
  await school.post(`/Gift/${code}`, {}, ben)
  expect(textOf(await school.get(address, ada))).toContain(
    'its course closes for the recipient, who gets an email',
  )
  expect((await school.post(address, {}, ada)).status).toBe(303)
  const mails = await school.db.select().from(tables.outbox).where(eq(tables.outbox.uid, ben.uid))
  expect(mails.map(({ kind }) => kind)).toContain('course-closed')
  const { composeOrderEmail } = await import('~/features/orders/order-emails.server')
  expect((await composeOrderEmail(school.db, 'withdrawal-received', orderId))?.text).toContain(
    'The gift is no longer valid.',
  )
  expect(textOf(await school.get(`/Gift/${code}`, ben))).toContain('This gift is no longer valid')
})
