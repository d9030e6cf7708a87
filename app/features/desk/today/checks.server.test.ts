import { expect, it } from 'vitest'
import {
  checkBackup,
  checkFreeSpace,
  checkMail,
  checkOrderProblems,
  checkPayments,
  checkRefundRequests,
  checkReportedReviews,
} from './checks.server'
import { formatComparison } from './format-comparison'

const now = new Date('2026-11-26T12:00:00Z')
const gigabyte = 1_000_000_000

it('needs no attention if all is well', () => {
  expect(checkMail({ waiting: 3, failed: 0, oldestSeconds: 5 }, { lacksServer: false })).toBeNull()
  expect(checkBackup(new Date('2026-11-26T03:00:00Z'), now, true)).toBeNull()
  expect(checkFreeSpace(100 * gigabyte, 500 * gigabyte)).toBeNull()
  expect(checkOrderProblems(0)).toBeNull()
  expect(checkPayments(null)).toBeNull()
  expect(checkRefundRequests(0)).toBeNull()
  expect(checkReportedReviews(0)).toBeNull()
})

it('says what is wrong and what to do about it', () => {
  expect(checkMail(null, { lacksServer: true })).toMatchObject({
    title: 'Mail isn’t set up',
    help: expect.stringContaining('SMTP_URL'),
  })
  expect(
    checkMail({ waiting: 0, failed: 1, oldestSeconds: 0 }, { lacksServer: false })?.title,
  ).toBe('1 email could not be delivered')
  expect(checkBackup(null, now, true)).toMatchObject({
    title: 'There is no backup yet.',
    help: expect.stringMatching(/^Everything would be lost/),
  })
  expect(checkBackup(new Date('2026-11-20T12:00:00Z'), now, true)?.help).toContain('backup')
  expect(checkRefundRequests(1)).toMatchObject({ path: '/Desk/Orders?state=asked' })
  expect(checkReportedReviews(1)).toMatchObject({ path: '/Desk/Reviews?state=reported' })
  expect(checkPayments('The keys are lost.', { canOpenSite: true })).toMatchObject({
    variant: 'bad',
    title: 'Payments don’t work',
    help: expect.stringMatching(/^The keys are lost\./),
    path: '/Desk/Site#money',
  })
  expect(checkPayments('The key is revoked.', { isSetByOperator: true })).toMatchObject({
    help: 'The key is revoked. The operator has to replace STRIPE_SECRET_KEY.',
  })
  expect(checkPayments(null, { isInTestMode: true, isPaused: true })).toMatchObject({
    variant: 'warn',
    title: 'Sales are paused',
  })
  expect(checkPayments(null, { isInTestMode: true })).toMatchObject({
    variant: 'warn',
    title: 'Payments are in test mode',
    path: undefined,
  })
  expect(checkOrderProblems(2)?.title).toBe('2 orders contradict themselves')
})

it.each([
  ['less than a twentieth', 20 * gigabyte, 500 * gigabyte],
  ['less than two gigabytes', gigabyte, 20 * gigabyte],
])('needs attention if %s of the disk is free', (_, freeBytes, totalBytes) => {
  expect(checkFreeSpace(freeBytes, totalBytes)).toMatchObject({ variant: 'bad' })
})

it.each([
  [112, 100, '12% more than in the 30 days before (100)'],
  [50, 100, '50% less than in the 30 days before (100)'],
  [100, 100, 'As in the 30 days before (100)'],
  [7, 0, '0 in the 30 days before'],
])('compares %i with %i as ‘%s’', (current, previous, text) => {
  expect(formatComparison(current, previous, String)).toBe(text)
})
