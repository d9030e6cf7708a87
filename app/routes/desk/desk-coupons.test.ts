import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const courseId = 'python-from-zero'

let server: DeskServer

beforeAll(async () => {
  server = await startDeskServer()
  await server.signUp('owner', 'owner')
})
afterAll(() => server.stop())

const getPage = (path: string) => server.get('owner', path)
const post = (path: string, form: Parameters<DeskServer['post']>[2]) =>
  server.post('owner', path, form)
const findCoupon = async (code: string) =>
  (await server.db.select().from(tables.coupons).where(eq(tables.coupons.code, code)))[0]
const listAuditEntries = (act: string) =>
  server.db.select().from(tables.operatorActs).where(eq(tables.operatorActs.act, act))

it('makes a coupon with its terms, shows its link, and ends it', async () => {
  const response = await post('/Desk/Coupons', [
    ['intent', 'create'],
    ['code', 'spring-2026'],
    ['percent', '25'],
    ['amount', ''],
    ['from', '2026-11-01'],
    ['until', '2126-12-31'],
    ['uses', '200'],
    ['perLearner', '2'],
    ['name', 'Fair'],
    ['courses', courseId],
    ['courses', 'typography-for-screens'],
  ])

  expect([response.status, response.headers.location]).toEqual([303, '/Desk/Coupons/SPRING2026'])
  expect(await findCoupon('SPRING2026')).toMatchObject({
    percent: 25,
    amountMinor: null,
    courseIds: [courseId, 'typography-for-screens'],
    startsAt: new Date('2026-11-01'),
    endsAt: new Date('2127-01-01'),
    maxUses: 200,
    maxUsesPerLearner: 2,
    name: 'Fair',
  })

  const { body } = await getPage('/Desk/Coupons/spring2026')
  expect(body).toContain(`${server.headers.Origin}/Checkout/${courseId}?coupon=SPRING2026`)
  expect(body).toMatch(/From<\/dt><dd[^>]*><time[^>]*>Nov 1, 2026<\/time>/)
  expect(body).toMatch(/Until<\/dt><dd[^>]*><time[^>]*>Dec 31, 2126<\/time>/)
  expect((await getPage('/Desk/Coupons')).body).toContain('>Dec 31, 2126</time>')

  for (const text of ['fair', '“ＦＡＩＲ”', 'spring−2026.', '\u200bSpring 2026']) {
    const list = await getPage(`/Desk/Coupons?text=${encodeURIComponent(text)}&state=open`)
    expect(list.body, text).toContain('/Desk/Coupons/SPRING2026')
  }

  expect(
    (await post('/Desk/Coupons/SPRING2026', { intent: 'end', code: 'SPRING2026' })).body,
  ).toContain('1 coupon has ended.')
  expect((await findCoupon('SPRING2026'))?.endedAt).toBeInstanceOf(Date)
  expect((await getPage('/Desk/Coupons?text=fair&state=open')).body).not.toContain(
    '/Desk/Coupons/SPRING2026',
  )
  expect((await getPage('/Desk/Coupons?text=fair&state=over')).body).toContain(
    '/Desk/Coupons/SPRING2026',
  )
  expect(await listAuditEntries('coupons create')).toMatchObject([
    {
      by: server.getUid('owner'),
      arguments: { code: 'SPRING2026', off: '25%' },
      changes: {
        coupons: { from: 0, to: 1 },
        off: { from: null, to: '25%' },
        maxUses: { from: null, to: 200 },
      },
    },
  ])

  expect(await listAuditEntries('coupons end')).toMatchObject([
    { arguments: { named: 'SPRING2026' }, changes: { ended: { from: 0, to: 1 } } },
  ])
})

it('makes many codes at once, lists them as one row, and downloads and ends them by their name', async () => {
  const name = 'Class of 2026'
  const form = { intent: 'bulk', count: '120', name, amount: '10', courses: courseId }
  const response = await post('/Desk/Coupons', form)
  expect(response.status).toBe(303)

  const code = response.headers.location?.split('/').at(-1) ?? ''
  expect(await findCoupon(code)).toMatchObject({ amountMinor: 1_000, maxUses: 1, name })

  const list = (await getPage('/Desk/Coupons?text=class')).body
  expect([list.includes('120 codes'), list.match(/href="\/Desk\/Coupons\/\w+"/g)?.length]).toEqual([
    true,
    1,
  ])

  const page = (await getPage(`/Desk/Coupons/${code}`)).body
  expect(page).toContain('One of 120 codes with the name “Class of 2026”.')

  const csv = (await post('/Desk/Export', { table: 'coupons', name })).body.trim().split('\r\n')
  expect(csv).toHaveLength(121)
  expect(csv[0]).toMatch(/code,link,off,courses,uses,most_uses/)
  // The amount has all decimals of its currency.
  expect(csv[1]).toContain(
    `${code},${server.headers.Origin}/Checkout/${courseId}?coupon=${code},$10.00,${courseId},0,1`,
  )
  // Any reader of the audit could use a code.
  expect(JSON.stringify(await server.db.select().from(tables.operatorActs))).not.toContain(code)
  expect((await listAuditEntries('coupons bulk'))[0]?.changes).toMatchObject({
    coupons: { from: 0, to: 120 },
  })
  expect((await listAuditEntries('coupons download'))[0]).toMatchObject({
    arguments: { named: name },
  })

  await post(`/Desk/Coupons/${code}`, { intent: 'end', name })
  expect(await server.db.$count(tables.coupons, sql`name = ${name} and ended_at is null`)).toBe(0)
})

it.each([
  ['that takes nothing off', { intent: 'create' }, 'Say what the coupon takes off'],
  ['with an invalid code', { intent: 'create', code: 'ab', percent: '20' }, 'can’t be a code'],
  [
    'that ends before it begins',
    { intent: 'create', percent: '20', from: '2026-12-02', until: '2026-12-01' },
    'before',
  ],
  [
    'for a course that doesn’t exist',
    { intent: 'create', percent: '20', courses: 'flying' },
    'flying',
  ],
  [
    'with many codes but no name',
    { intent: 'bulk', count: '2', percent: '20' },
    'Give the codes a name',
  ],
  [
    'with a long name',
    { intent: 'create', percent: '20', name: 'x'.repeat(201) },
    'at most 200 characters',
  ],
  [
    'with too many codes',
    { intent: 'bulk', count: '10001', percent: '20', name: 'All' },
    'from 1 to 10000',
  ],
])('refuses a coupon %s with a sentence', async (_, form, sentence) => {
  const couponCount = await server.db.$count(tables.coupons)
  const { status, body } = await post('/Desk/Coupons', form)

  expect([status, body.includes(sentence)]).toEqual([400, true])
  expect(await server.db.$count(tables.coupons)).toBe(couponCount)
})

it('never ends or downloads coupons without a name together', async () => {
  await server.db.insert(tables.coupons).values([
    { code: 'ALONE1', percent: 10 },
    { code: 'ALONE2', percent: 10 },
  ])
  expect((await post('/Desk/Coupons/ALONE1', { intent: 'end', name: '' })).status).toBe(400)
  expect((await post('/Desk/Export', { table: 'coupons', name: '' })).body).not.toContain('ALONE')

  await post('/Desk/Coupons/ALONE1', { intent: 'end', code: 'ALONE1' })
  expect((await findCoupon('ALONE2'))?.endedAt).toBeNull()
})

it('ends a code alone, even if other coupons have the code as their name', async () => {
  await server.db.insert(tables.coupons).values([
    { code: 'SUMMER', percent: 10 },
    { code: 'FRIEND1', name: 'SUMMER', percent: 50 },
    { code: 'FRIEND2', name: 'SUMMER', percent: 50 },
  ])

  await post('/Desk/Coupons/SUMMER', { intent: 'end', code: 'SUMMER' })
  expect((await findCoupon('FRIEND1'))?.endedAt).toBeNull()

  await server.db.update(tables.coupons).set({ endedAt: null })
  expect((await post('/Desk/Export', { table: 'coupons', name: 'SUMMER' })).body).not.toContain(
    'SUMMER,',
  )

  await post('/Desk/Coupons/FRIEND1', { intent: 'end', name: 'SUMMER' })
  expect((await findCoupon('SUMMER'))?.endedAt).toBeNull()
  expect((await findCoupon('FRIEND2'))?.endedAt).toBeInstanceOf(Date)
})

it('lists coupons page by page', async () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index)
  await server.db.insert(tables.coupons).values(
    numbers.map((number) => ({
      code: `PAGED${number + 100}`,
      percent: 5,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
    })),
  )
  const firstPage = (await getPage('/Desk/Coupons?text=PAGED')).body
  const next = /href="([^"]*after=[^"]*)"/.exec(firstPage)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const listCodes = (html: string) =>
    [...html.matchAll(/href="\/Desk\/Coupons\/(PAGED\d+)"/g)].map(([, code]) => code)

  expect([...listCodes(firstPage), ...listCodes((await getPage(next)).body)]).toEqual(
    numbers.map((number) => `PAGED${number + 100}`).reverse(),
  )
})

it('lists gifts with giver and recipient but without their codes, and sends them again', async () => {
  await server.db.insert(tables.users).values([
    { id: 'giver', email: 'giver@test.example', name: 'Grace Hopper', firstName: 'Grace' },
    { id: 'redeemer', email: 'redeemer@test.example', name: 'Ben', firstName: 'Ben' },
  ])
  const order = {
    courseId,
    courseTitle: 'Python',
    currency: 'USD',
    listMinor: 4900,
    totalMinor: 4900,
    isGift: true,
  }
  const buyer = { name: 'Grace', email: 'giver@test.example' }
  const gift = { uid: 'giver', senderName: 'Grace' }
  const orders = [
    { id: 'GIFTWAITS2', status: 'paid' as const },
    { id: 'GIFTTAKEN2', status: 'paid' as const },
    { id: 'GIFTUNPAID', status: 'canceled' as const },
  ]

  await server.db
    .insert(tables.orders)
    .values(orders.map((values) => ({ ...order, ...values, uid: 'giver', buyer })))
  await server.db.insert(tables.gifts).values([
    {
      ...gift,
      orderId: 'GIFTWAITS2',
      code: 'SECRETCODEWAITS2',
      recipientEmail: 'ben@test.example',
    },
    {
      ...{
        ...gift,
        orderId: 'GIFTTAKEN2',
        code: 'SECRETCODETAKEN2',
        recipientEmail: 'eva@test.example',
      },
      ...{ redeemedBy: 'redeemer', redeemedAt: new Date('2026-11-20') },
    },
    {
      ...gift,
      orderId: 'GIFTUNPAID',
      code: 'SECRETCODEUNPAID',
      recipientEmail: 'zoe@test.example',
    },
  ])
  const allGifts = (await getPage('/Desk/Gifts')).body
  for (const text of [
    'ben@test.example',
    'eva@test.example',
    'Grace Hopper',
    '/Desk/Orders/GIFTWAITS2',
  ]) {
    expect(allGifts).toContain(text)
  }

  expect(allGifts).not.toContain('zoe@test.example')

  const waitingGifts = (await getPage('/Desk/Gifts?state=waiting')).body
  expect([
    waitingGifts.includes('ben@test.example'),
    waitingGifts.includes('eva@test.example'),
  ]).toEqual([true, false])

  for (const text of ['giver@test.example', 'Ben@test.example', 'giftwaits2', '“gift−waits2”.']) {
    expect((await getPage(`/Desk/Gifts?text=${encodeURIComponent(text)}`)).body, text).toContain(
      'ben@test.example',
    )
  }

  const path = '/Desk/Orders/GIFTWAITS2'
  const orderPage = (await getPage(path)).body
  const giverPage = (await getPage('/Desk/People/giver')).body
  expect(giverPage).toContain('/Desk/Orders/GIFTWAITS2')

  const resendPage = await post(path, { intent: 'resend-gift', to: 'ben@test.example' })
  expect(resendPage.body).toContain('The gift is sent again.')

  const redirected = await post(path, { intent: 'resend-gift', to: 'carl@test.example' })
  expect(redirected.body).toContain('The gift goes to another address.')

  for (const body of [allGifts, orderPage, giverPage, resendPage.body, redirected.body]) {
    expect(body).not.toContain('SECRETCODE')
  }

  const [storedGift] = await server.db
    .select()
    .from(tables.gifts)
    .where(eq(tables.gifts.orderId, 'GIFTWAITS2'))
  expect(storedGift?.recipientEmail).toBe('carl@test.example')
  expect(storedGift?.code).not.toBe('SECRETCODEWAITS2')
  expect(redirected.body).not.toContain(storedGift?.code)
  expect(await server.db.$count(tables.outbox, eq(tables.outbox.orderId, 'GIFTWAITS2'))).toBe(2)
  expect((await post('/Desk/Orders/GIFTTAKEN2', { intent: 'resend-gift', to: '' })).status).toBe(
    400,
  )
  expect(await listAuditEntries('orders resend-gift')).toMatchObject([
    { subject: 'giver', changes: null },
    {
      subject: 'giver',
      changes: { sentTo: { from: 'the former address', to: 'another address' } },
    },
  ])
})
