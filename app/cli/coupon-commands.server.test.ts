import { expect, it } from 'vitest'
import { applyCoupon } from '~/features/orders/coupons/coupon-queries.server'
import { adminOf, auditOf } from '../../tests/support/admin'
import { testDatabase } from '../../tests/support/test-database'

const courseId = 'python-from-zero'
const { db } = await testDatabase()
const admin = adminOf(db)

const use = (code: string) =>
  applyCoupon(db, { code, uid: 'ada', courseId, isGift: false, priceMinor: 8_900, currency: 'USD' })

it('a coupon is made with a code and a link, found, shown and ended, each in the audit', async () => {
  const made = await admin(
    'coupons',
    'create',
    'spring-2026',
    '--percent',
    '25',
    '--course',
    courseId,
    '--name',
    'Fair',
  )

  expect(made.split('\n')).toEqual([
    'The coupon is made.',
    'SPRING2026',
    expect.stringMatching(/\/Checkout\/python-from-zero\?coupon=SPRING2026$/),
  ])

  expect(await use('SPRING2026')).toEqual({ code: 'SPRING2026', totalMinor: 6_675 })
  expect(await admin('coupons', 'list', 'fair')).toMatch(
    /SPRING2026 +open +25% +0 .* python-from-zero +Fair$/m,
  )
  expect(await admin('coupons', 'show', 'spring2026')).toContain('No order has used it yet.')

  expect(await admin('coupons', 'end', 'Spring 2026')).toBe('1 coupon has ended.')
  expect(await use('SPRING2026')).toEqual({ problem: 'ended' })
  expect(await admin('coupons', 'list', 'SPRING')).toMatch(/SPRING2026 +ended/)
  expect(await auditOf(db, 'coupons create')).toMatchObject([
    { arguments: { code: 'SPRING2026', off: '25%' } },
  ])
  expect(await auditOf(db, 'coupons end')).toHaveLength(1)
})

it('without a code, one is made up that can’t be guessed', async () => {
  const codes = await Promise.all(
    [1, 2].map(async () => (await admin('coupons', 'create', '--amount', '10.50')).split('\n')[1]),
  )
  expect(new Set(codes).size).toBe(2)
  for (const code of codes) {
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{12}$/)
    expect(await use(code ?? '')).toEqual({ code, totalMinor: 7_850 })
  }
})

it('many codes are printed as CSV with their links, used once each, and ended by their name', async () => {
  const csv = await admin(
    'coupons',
    'bulk',
    '2500',
    '--percent',
    '100',
    '--course',
    courseId,
    '--name',
    'Class of 2026',
  )
  const [head, ...lines] = csv.split('\n')
  expect([head, lines.length, new Set(lines).size]).toEqual(['code,link', 2500, 2500])
  const code = lines[0]?.split(',')[0] ?? ''
  expect(await use(code)).toEqual({ code, totalMinor: 0 })
  expect(await admin('coupons', 'show', code)).toMatch(/^uses +0 of 1$/m)
  expect(await admin('coupons', 'end', 'Class of 2026')).toBe('2,500 coupons have ended.')
  // A code is worth money to anybody who reads the audit.
  expect(JSON.stringify(await auditOf(db, 'coupons bulk'))).not.toContain(code)
})

it('a day to end on counts to its end', async () => {
  await admin('coupons', 'create', 'YESTERDAY', '--percent', '10', '--until', '2026-01-01')
  await admin('coupons', 'create', 'TOMORROW', '--percent', '10', '--from', '2126-01-01T09:00')
  expect(await use('YESTERDAY')).toEqual({ problem: 'late' })
  expect(await use('TOMORROW')).toEqual({ problem: 'early' })
  expect(await admin('coupons', 'show', 'YESTERDAY')).toMatch(/^until +2026-01-02 00:00 UTC$/m)
})

it.each([
  [
    ['create', 'TAKEN'],
    'Say what the coupon takes off: a percentage like 20, or an amount like 10.50.',
  ],
  [
    ['create', 'TAKEN', '--percent', '20', '--amount', '5'],
    'Say what the coupon takes off: a percentage like 20, or an amount like 10.50.',
  ],
  [['create', 'TAKEN', '--percent', '101'], 'The percentage is a number from 1 to 100.'],
  [
    ['create', 'TAKEN', '--amount', '0'],
    'Say what the coupon takes off: a percentage like 20, or an amount like 10.50.',
  ],
  [
    ['create', 'abc', '--percent', '20'],
    "'abc' can’t be a code: it takes 4 to 40 of the letters A to Z and the digits.",
  ],
  [
    ['create', 'TAKEN', '--percent', '20', '--until', 'soon'],
    'A coupon begins and ends on a day like 2026-12-24 or at a time like 2026-12-24T18:00, in UTC.',
  ],
  [
    ['create', 'TAKEN', '--percent', '20', '--until', '2026-02-31'],
    'A coupon begins and ends on a day like 2026-12-24 or at a time like 2026-12-24T18:00, in UTC.',
  ],
  [
    ['create', 'TAKEN', '--percent', '20', '--until', '9999-12-31'],
    'A coupon begins and ends on a day like 2026-12-24 or at a time like 2026-12-24T18:00, in UTC.',
  ],
  [
    ['create', 'TAKEN', '--percent', '20', '--from', '2026-12-02', '--until', '2026-12-01'],
    'The end is before the beginning.',
  ],
  [['bulk', '10001', '--percent', '20'], 'The count of codes is a number from 1 to 10000.'],
  [['end', 'NOSUCH'], "There’s no coupon 'NOSUCH' that could be ended."],
])('%o is refused', async (args, sentence) => {
  await expect(admin('coupons', ...args)).rejects.toThrow(sentence)
})

it('the same code twice is refused', async () => {
  await admin('coupons', 'create', 'TWICE', '--percent', '20')
  await expect(admin('coupons', 'create', 'twice', '--percent', '30')).rejects.toThrow(
    'There’s a coupon with this code already.',
  )
})
