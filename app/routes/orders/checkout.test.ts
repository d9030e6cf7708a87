import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

type School = Awaited<ReturnType<typeof startShopServer>>
type Learner = Awaited<ReturnType<School['signUp']>>

const checkout = '/Checkout/python-from-zero'
let school: School
let learner: Learner
beforeAll(async () => {
  school = await startShopServer({ TAX_RATES: '*=19' })
})
beforeEach(async () => {
  learner = await school.signUp()
})
afterAll(() => school.stop())

async function newCoupon(terms: Partial<typeof tables.coupons.$inferInsert> = {}): Promise<string> {
  const code = randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()
  await school.db.insert(tables.coupons).values({ code, percent: 25, ...terms })

  return code
}

/** The page's words, without the comments that React puts between them. */
const textOf = ({ body }: { body: string }) => body.replaceAll(/<!-- -->/g, '')

const orderOf = async ({ uid }: Learner) =>
  (await school.db.select().from(tables.orders).where(eq(tables.orders.uid, uid)))[0]

it('a link with a coupon shows the lower price with its tax, also after a visitor has signed in', async () => {
  const code = await newCoupon()
  const link = `${checkout}?coupon=${code.toLowerCase()}`
  const page = textOf(await school.get(link, learner))
  for (const text of [`Coupon ${code} takes off $22.25.`, 'Pay $66.75', '$10.66']) {
    expect(page).toContain(text)
  }

  const { location } = (await school.get(link)).headers
  expect(new URL(location ?? '', 'http://x').searchParams.get('from')).toBe(link)
})

it('without scripts, Apply keeps all submitted values, and Pay then charges the lower price', async () => {
  const code = await newCoupon()
  const typed = { company: 'Analytical Engines Ltd', coupon: `“\u200b${code.toLowerCase()}.” ` }
  const page = textOf(await school.post(checkout, { ...typed, intent: 'coupon' }, learner))
  for (const text of [
    `Coupon ${code} takes off $22.25.`,
    'Analytical Engines Ltd',
    `action="/Checkout/python-from-zero?coupon=${code}"`,
  ]) {
    expect(page).toContain(text)
  }

  const paid = await school.post(`${checkout}?coupon=${code}`, { ...typed, coupon: code }, learner)
  expect([paid.status, paid.headers.location]).toEqual([
    303,
    expect.stringContaining('/sample-payments/'),
  ])
  expect(await orderOf(learner)).toMatchObject({ couponCode: code, totalMinor: 6_675 })
})

it('a code that was entered but not applied counts when the learner pays, and an unknown one is an error', async () => {
  const code = await newCoupon()
  const wrong = await school.post(checkout, { coupon: 'NOSUCHCODE' }, learner)
  expect(wrong.status).toBe(400)
  expect(textOf(wrong)).toContain('There’s no coupon with this code.')
  expect(await orderOf(learner)).toBeUndefined()
  await school.post(checkout, { coupon: code }, learner)
  expect(await orderOf(learner)).toMatchObject({ couponCode: code, totalMinor: 6_675 })
})

it('a learner can pay the full price after the page has refused a code', async () => {
  const paid = await school.post(
    checkout,
    { coupon: 'NOSUCHCODE', refusedCoupon: 'NOSUCHCODE' },
    learner,
  )

  expect(paid.status).toBe(303)
  expect(await orderOf(learner)).toMatchObject({ couponCode: null, totalMinor: 8_900 })
})

it('a coupon that was used up since the page was loaded is an error, and nothing is charged', async () => {
  const code = await newCoupon({ maxUses: 1 })
  expect(textOf(await school.get(`${checkout}?coupon=${code}`, learner))).toContain('Pay $66.75')
  await school.post(checkout, { coupon: code }, await school.signUp())
  const refused = textOf(await school.post(`${checkout}?coupon=${code}`, { coupon: code }, learner))
  for (const text of ['This coupon has been used up.', 'Pay $89.00']) {
    expect(refused).toContain(text)
  }

  expect(await orderOf(learner)).toBeUndefined()
})

it('a coupon for the whole price enrolls the learner at once', async () => {
  const code = await newCoupon({ percent: 100 })
  expect(textOf(await school.get(`${checkout}?coupon=${code}`, learner))).toContain(
    'Enroll for free',
  )
  const { headers } = await school.post(`${checkout}?coupon=${code}`, { coupon: code }, learner)
  const order = await orderOf(learner)
  expect(headers.location).toBe(`${checkout}/paid?order=${order?.id}`)
  expect(textOf(await school.get(headers.location ?? '', learner))).toContain('You’re enrolled')
  expect(textOf(await school.get('/Profile/purchases', learner))).toContain('Free')
})

it('an open order keeps its coupon, and an empty code removes it', async () => {
  const code = await newCoupon()
  await school.post(checkout, { coupon: code }, learner)
  expect(textOf(await school.get(checkout, learner))).toContain('Pay $66.75')
  expect(textOf(await school.get(`${checkout}?coupon=`, learner))).toContain('Pay $89.00')
  await school.post(checkout, { coupon: '' }, learner)
  expect(await orderOf(learner)).toMatchObject({ couponCode: null, totalMinor: 8_900 })
})

it('after too many unknown codes, even a valid code is refused', async () => {
  const code = await newCoupon()
  for (let wrongCodes = 1; wrongCodes < attemptLimits.codeByAccount.max; wrongCodes++) {
    await school.get(`${checkout}?coupon=WRONG${wrongCodes}`, learner)
  }

  // Right ones are not counted.
  for (const _ of [1, 2, 3]) {
    expect(textOf(await school.get(`${checkout}?coupon=${code}`, learner))).toContain('Pay $66.75')
  }

  await school.post(checkout, { coupon: 'WRONG333', intent: 'coupon' }, learner)
  expect(textOf(await school.get(`${checkout}?coupon=${code}`, learner))).toContain(
    'Too many codes were tried.',
  )
})

it.each(['..%2f%09%2fevil.example', '日本'])(
  'an address that names no course leads nowhere: %s',
  async (course) => {
    const { status, headers } = await school.get(
      `/Checkout/${encodeURI(decodeURI(course))}`,
      learner,
    )
    expect([status, headers.location]).toEqual([400, undefined])
  },
)

it('the previous URL of a course redirects to the new one and keeps the code', async () => {
  await school.db
    .insert(tables.courseAliases)
    .values({ alias: 'former', courseId: school.courseId })
  const { headers } = await school.get('/Checkout/former?coupon=CODE', learner)
  expect(headers.location).toBe(`${checkout}?coupon=CODE`)
})

it('a price that has risen since the page was loaded is shown once before it is charged', async () => {
  const page = await school.get(checkout, learner)
  expect(page.body).toContain('<input type="hidden" name="total" value="8900"/>')
  await school.db
    .update(tables.courses)
    .set({ priceCents: 9_900 })
    .where(eq(tables.courses.id, school.courseId))
  try {
    const refused = await school.post(checkout, { total: '8900' }, learner)
    expect(refused.status).toBe(409)
    for (const text of ['The price has changed', 'Pay $99.00']) {
      expect(textOf(refused)).toContain(text)
    }

    expect(await orderOf(learner)).toBeUndefined()
    expect((await school.post(checkout, { total: '9900' }, learner)).status).toBe(303)
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceCents: 8_900 })
      .where(eq(tables.courses.id, school.courseId))
  }
})

it('a currency that has changed since the page was loaded is shown once before it is charged', async () => {
  expect((await school.get(checkout, learner)).body).toContain(
    '<input type="hidden" name="currency" value="USD"/>',
  )
  const refused = await school.post(checkout, { total: '8900', currency: 'EUR' }, learner)
  expect([refused.status, textOf(refused).includes('The price has changed')]).toEqual([409, true])
  expect(await orderOf(learner)).toBeUndefined()
  expect((await school.post(checkout, { total: '8900', currency: 'USD' }, learner)).status).toBe(
    303,
  )
})

it('a gift costs the current price, even if the learner’s own open order keeps an earlier price', async () => {
  expect((await school.post(checkout, { total: '8900' }, learner)).status).toBe(303)
  await school.db
    .update(tables.courses)
    .set({ priceCents: 9_900 })
    .where(eq(tables.courses.id, school.courseId))
  try {
    const gift = { gift: 'on', recipientEmail: 'ben@test.example', senderName: 'Ada' }
    const refused = await school.post(checkout, { ...gift, total: '8900' }, learner)
    expect([refused.status, textOf(refused).includes('Pay $99.00')]).toEqual([409, true])
    expect((await school.post(checkout, { ...gift, total: '9900' }, learner)).status).toBe(303)
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceCents: 8_900 })
      .where(eq(tables.courses.id, school.courseId))
  }
})

it('a learner who returns to a withdrawn course sees that the payment is on its way', async () => {
  const { headers } = await school.post(checkout, {}, learner)
  const course = eq(tables.courses.id, school.courseId)
  await school.db
    .update(tables.orders)
    .set({ state: 'processing' })
    .where(eq(tables.orders.uid, learner.uid))
  await school.db.update(tables.courses).set({ published: false }).where(course)
  try {
    expect(headers.location).toContain('/sample-payments/')
    const order = await orderOf(learner)
    const { location } = (await school.get(checkout, learner)).headers
    expect(location).toBe(`${checkout}/paid?order=${order?.id}`)
  } finally {
    await school.db.update(tables.courses).set({ published: true }).where(course)
  }
})

it('a price that is kept while the payment page is open is not shown as a sale', async () => {
  await school.post(checkout, { total: '8900' }, learner)
  const course = eq(tables.courses.id, school.courseId)
  await school.db
    .update(tables.courses)
    .set({ priceCents: 12_000, originalPriceCents: 12_000 })
    .where(course)
  try {
    const page = textOf(await school.get(checkout, learner))
    expect([
      page.includes('Pay $89.00'),
      page.includes('Discount'),
      page.includes('$120.00'),
    ]).toEqual([true, false, false])
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceCents: 8_900, originalPriceCents: 8_900 })
      .where(course)
  }
})

it('the field for a coupon appears only while a coupon can be used', async () => {
  await newCoupon()
  expect(textOf(await school.get(checkout, learner))).toContain('Add a coupon')
  await school.db.update(tables.coupons).set({ endedAt: sql`now()` })
  expect(textOf(await school.get(checkout, learner))).not.toContain('Add a coupon')
  // This coupon is from a time when the site had another currency.
  await newCoupon({ percent: null, amountMinor: 500, currency: 'JPY' })
  expect(textOf(await school.get(checkout, learner))).not.toContain('Add a coupon')
})

it('checkout of a withdrawn course leads its owner to the lessons', async () => {
  await school.buy(learner)
  await school.db
    .update(tables.courses)
    .set({ published: false })
    .where(eq(tables.courses.id, school.courseId))
  try {
    for (const address of [checkout, `${checkout}?gift=1`]) {
      const { status, body } = await school.get(address, learner)
      expect([
        status,
        body.includes('You already have this course'),
        body.includes('gift=1'),
      ]).toEqual([200, true, false])
    }

    const posted = await school.post(checkout, {}, learner)
    expect(posted.headers.location).toBe(checkout)
    const lesson = await school.get('/Learn/python-from-zero', learner)
    expect(lesson.status).toBeLessThan(400)
    expect((await school.get(checkout, await school.signUp())).headers.location).toBe(
      '/OneCourse/python-from-zero',
    )
  } finally {
    await school.db
      .update(tables.courses)
      .set({ published: true })
      .where(eq(tables.courses.id, school.courseId))
  }
})

it('course cards show the price without a sale, which would need the lowest price of 30 days', async () => {
  const reduced = { originalPriceCents: 99_900, priceUntil: '2099-12-24' }
  await school.db.update(tables.courses).set(reduced).where(eq(tables.courses.id, school.courseId))
  expect(textOf(await school.get('/OneCourse/python-from-zero'))).toContain('$999')
  const page = textOf(await school.get(checkout, learner))
  for (const text of ['Discount until Dec 24, 2099', '−$910.00']) {
    expect(page).toContain(text)
  }

  for (const address of ['/', '/AllCourses', '/AllCourses?q=python', '/Profile']) {
    const page = textOf(await school.get(address, learner))
    for (const announced of ['$999', '% off', '<s ', '2099']) {
      expect(page.includes(announced), address).toBe(false)
    }
  }
})
