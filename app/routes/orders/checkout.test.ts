import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import * as tables from '~/server/database/schema'
import { startShopServer } from '../../../tests/support/shop-server'

type School = Awaited<ReturnType<typeof startShopServer>>
type Learner = Awaited<ReturnType<School['signUp']>>

const checkoutPath = '/Checkout/python-from-zero'
let school: School
let learner: Learner
beforeAll(async () => {
  school = await startShopServer({ TAX_RATES: '*=19' })
})
beforeEach(async () => {
  learner = await school.signUp()
})
afterAll(() => school.stop())

async function createCoupon(
  terms: Partial<typeof tables.coupons.$inferInsert> = {},
): Promise<string> {
  const code = randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()
  await school.db.insert(tables.coupons).values({ code, percent: 25, ...terms })

  return code
}

/** Returns the HTML of a page without the comments that React puts between texts. */
function getHtml({ body }: { body: string }): string {
  return body.replaceAll(/<!-- -->/g, '')
}

async function findOrder({ uid }: Learner) {
  const [order] = await school.db.select().from(tables.orders).where(eq(tables.orders.uid, uid))
  return order
}

it('a link with a coupon shows the lower price with its tax, also after a visitor has signed in', async () => {
  const code = await createCoupon()
  const link = `${checkoutPath}?coupon=${code.toLowerCase()}`
  const html = getHtml(await school.get(link, learner))
  for (const text of [`Coupon ${code} takes off $22.25.`, 'Pay $66.75', '$10.66']) {
    expect(html).toContain(text)
  }

  const { location } = (await school.get(link)).headers

  expect(new URL(location ?? '', 'http://x').searchParams.get('from')).toBe(link)
})

it('without scripts, Apply keeps all submitted values, and Pay then charges the lower price', async () => {
  const code = await createCoupon()
  const submittedValues = {
    company: 'Analytical Engines Ltd',
    coupon: `“\u200b${code.toLowerCase()}.” `,
  }
  const html = getHtml(
    await school.post(checkoutPath, { ...submittedValues, intent: 'coupon' }, learner),
  )
  for (const text of [
    `Coupon ${code} takes off $22.25.`,
    'Analytical Engines Ltd',
    `action="/Checkout/python-from-zero?coupon=${code}"`,
  ]) {
    expect(html).toContain(text)
  }

  const response = await school.post(
    `${checkoutPath}?coupon=${code}`,
    { ...submittedValues, coupon: code },
    learner,
  )

  expect([response.status, response.headers.location]).toEqual([
    303,
    expect.stringContaining('/sample-payments/'),
  ])
  expect(await findOrder(learner)).toMatchObject({ couponCode: code, totalMinor: 6_675 })
})

it('a code that was entered but not applied counts when the learner pays, and an unknown one is an error', async () => {
  const code = await createCoupon()
  const response = await school.post(checkoutPath, { coupon: 'NOSUCHCODE' }, learner)
  expect(response.status).toBe(400)
  expect(getHtml(response)).toContain('There’s no coupon with this code.')
  expect(await findOrder(learner)).toBeUndefined()

  await school.post(checkoutPath, { coupon: code }, learner)
  expect(await findOrder(learner)).toMatchObject({ couponCode: code, totalMinor: 6_675 })
})

it('a learner can pay the full price after the page has refused a code', async () => {
  const response = await school.post(
    checkoutPath,
    { coupon: 'NOSUCHCODE', refusedCoupon: 'NOSUCHCODE' },
    learner,
  )

  expect(response.status).toBe(303)
  expect(await findOrder(learner)).toMatchObject({ couponCode: null, totalMinor: 8_900 })
})

it('a coupon that was used up since the page was loaded is an error, and nothing is charged', async () => {
  const code = await createCoupon({ maxUses: 1 })
  expect(getHtml(await school.get(`${checkoutPath}?coupon=${code}`, learner))).toContain(
    'Pay $66.75',
  )

  await school.post(checkoutPath, { coupon: code }, await school.signUp())
  const html = getHtml(
    await school.post(`${checkoutPath}?coupon=${code}`, { coupon: code }, learner),
  )
  for (const text of ['This coupon has been used up.', 'Pay $89.00']) {
    expect(html).toContain(text)
  }

  expect(await findOrder(learner)).toBeUndefined()
})

it('a coupon for the whole price enrolls the learner at once', async () => {
  const code = await createCoupon({ percent: 100 })
  const html = getHtml(await school.get(`${checkoutPath}?coupon=${code}`, learner))
  expect(html).toContain('Enroll for free')
  expect(html).not.toContain('tax')

  const { headers } = await school.post(`${checkoutPath}?coupon=${code}`, { coupon: code }, learner)
  const order = await findOrder(learner)
  expect(headers.location).toBe(`${checkoutPath}/paid?order=${order?.id}`)
  expect(getHtml(await school.get(headers.location ?? '', learner))).toContain('You’re enrolled')
  expect(getHtml(await school.get('/Profile/purchases', learner))).toContain('Free')
})

it('an open order keeps its coupon, and an empty code removes it', async () => {
  const code = await createCoupon()
  await school.post(checkoutPath, { coupon: code }, learner)
  expect(getHtml(await school.get(checkoutPath, learner))).toContain('Pay $66.75')
  expect(getHtml(await school.get(`${checkoutPath}?coupon=`, learner))).toContain('Pay $89.00')

  await school.post(checkoutPath, { coupon: '' }, learner)
  expect(await findOrder(learner)).toMatchObject({ couponCode: null, totalMinor: 8_900 })
})

it('after too many unknown codes, even a valid code is refused', async () => {
  const code = await createCoupon()
  for (let attempt = 1; attempt < attemptLimits.couponCodeByAccount.max; attempt++) {
    await school.get(`${checkoutPath}?coupon=WRONG${attempt}`, learner)
  }

  // Attempts with a valid code are not counted.
  for (const _ of [1, 2, 3]) {
    expect(getHtml(await school.get(`${checkoutPath}?coupon=${code}`, learner))).toContain(
      'Pay $66.75',
    )
  }

  await school.post(checkoutPath, { coupon: 'WRONG333', intent: 'coupon' }, learner)

  expect(getHtml(await school.get(`${checkoutPath}?coupon=${code}`, learner))).toContain(
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

  expect(headers.location).toBe(`${checkoutPath}?coupon=CODE`)
})

it('a price that has risen since the page was loaded is shown once before it is charged', async () => {
  const page = await school.get(checkoutPath, learner)
  expect(page.body).toContain('<input type="hidden" name="total" value="8900"/>')

  await school.db
    .update(tables.courses)
    .set({ priceMinor: 9_900 })
    .where(eq(tables.courses.id, school.courseId))
  try {
    const response = await school.post(checkoutPath, { total: '8900' }, learner)
    expect(response.status).toBe(409)
    for (const text of ['The price has changed', 'Pay $99.00']) {
      expect(getHtml(response)).toContain(text)
    }

    expect(await findOrder(learner)).toBeUndefined()
    expect((await school.post(checkoutPath, { total: '9900' }, learner)).status).toBe(303)
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceMinor: 8_900 })
      .where(eq(tables.courses.id, school.courseId))
  }
})

it('a currency that has changed since the page was loaded is shown once before it is charged', async () => {
  expect((await school.get(checkoutPath, learner)).body).toContain(
    '<input type="hidden" name="currency" value="USD"/>',
  )

  const response = await school.post(checkoutPath, { total: '8900', currency: 'EUR' }, learner)
  expect([response.status, getHtml(response).includes('The price has changed')]).toEqual([
    409,
    true,
  ])
  expect(await findOrder(learner)).toBeUndefined()
  expect(
    (await school.post(checkoutPath, { total: '8900', currency: 'USD' }, learner)).status,
  ).toBe(303)
})

it('a gift costs the current price, even if the learner’s own open order keeps an earlier price', async () => {
  expect((await school.post(checkoutPath, { total: '8900' }, learner)).status).toBe(303)

  await school.db
    .update(tables.courses)
    .set({ priceMinor: 9_900 })
    .where(eq(tables.courses.id, school.courseId))
  try {
    const gift = { gift: 'on', recipientEmail: 'ben@test.example', senderName: 'Ada' }
    const response = await school.post(checkoutPath, { ...gift, total: '8900' }, learner)
    expect([response.status, getHtml(response).includes('Pay $99.00')]).toEqual([409, true])
    expect((await school.post(checkoutPath, { ...gift, total: '9900' }, learner)).status).toBe(303)
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceMinor: 8_900 })
      .where(eq(tables.courses.id, school.courseId))
  }
})

it('a learner who returns to a withdrawn course sees that the payment is on its way', async () => {
  const { headers } = await school.post(checkoutPath, {}, learner)
  const isCourse = eq(tables.courses.id, school.courseId)
  await school.db
    .update(tables.orders)
    .set({ status: 'processing' })
    .where(eq(tables.orders.uid, learner.uid))
  await school.db.update(tables.courses).set({ published: false }).where(isCourse)
  try {
    expect(headers.location).toContain('/sample-payments/')
    const order = await findOrder(learner)
    const { location } = (await school.get(checkoutPath, learner)).headers
    expect(location).toBe(`${checkoutPath}/paid?order=${order?.id}`)
  } finally {
    await school.db.update(tables.courses).set({ published: true }).where(isCourse)
  }
})

it('a price that is kept while the payment page is open is not shown as a sale', async () => {
  await school.post(checkoutPath, { total: '8900' }, learner)
  const isCourse = eq(tables.courses.id, school.courseId)
  await school.db
    .update(tables.courses)
    .set({ priceMinor: 12_000, originalPriceMinor: 12_000 })
    .where(isCourse)
  try {
    const html = getHtml(await school.get(checkoutPath, learner))
    expect([
      html.includes('Pay $89.00'),
      html.includes('Discount'),
      html.includes('$120.00'),
    ]).toEqual([true, false, false])
  } finally {
    await school.db
      .update(tables.courses)
      .set({ priceMinor: 8_900, originalPriceMinor: 8_900 })
      .where(isCourse)
  }
})

it('the field for a coupon appears only while a coupon can be used', async () => {
  await createCoupon()
  expect(getHtml(await school.get(checkoutPath, learner))).toContain('Add a coupon')

  await school.db.update(tables.coupons).set({ endedAt: sql`now()` })
  expect(getHtml(await school.get(checkoutPath, learner))).not.toContain('Add a coupon')

  // This coupon is from a time when the site had another currency.
  await createCoupon({ percent: null, amountMinor: 500, currency: 'JPY' })
  expect(getHtml(await school.get(checkoutPath, learner))).not.toContain('Add a coupon')
})

it('checkout of a withdrawn course leads its owner to the lessons', async () => {
  await school.buy(learner)
  await school.db
    .update(tables.courses)
    .set({ published: false })
    .where(eq(tables.courses.id, school.courseId))
  try {
    for (const url of [checkoutPath, `${checkoutPath}?gift=1`]) {
      const { status, body } = await school.get(url, learner)
      expect([
        status,
        body.includes('You already have this course'),
        body.includes('gift=1'),
      ]).toEqual([200, true, false])
    }

    const response = await school.post(checkoutPath, {}, learner)
    expect(response.headers.location).toBe(checkoutPath)
    const lessonPage = await school.get('/Learn/python-from-zero', learner)
    expect(lessonPage.status).toBeLessThan(400)
    expect((await school.get(checkoutPath, await school.signUp())).headers.location).toBe(
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
  const reducedPrice = { originalPriceMinor: 99_900, priceUntil: '2099-12-24' }
  await school.db
    .update(tables.courses)
    .set(reducedPrice)
    .where(eq(tables.courses.id, school.courseId))
  expect(getHtml(await school.get('/OneCourse/python-from-zero'))).toContain('$999')

  const html = getHtml(await school.get(checkoutPath, learner))
  for (const text of ['Discount until Dec 24, 2099', '−$910.00']) {
    expect(html).toContain(text)
  }

  for (const url of ['/', '/AllCourses', '/AllCourses?q=python', '/Profile']) {
    const html = getHtml(await school.get(url, learner))
    for (const saleText of ['$999', '% off', '<s ', '2099']) {
      expect(html.includes(saleText), url).toBe(false)
    }
  }
})
