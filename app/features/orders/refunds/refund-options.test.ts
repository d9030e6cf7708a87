import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listRefundOptions, type RefundConditions, type RefundKind } from './refund-options'

const paidAt = new Date('2026-11-01T12:00:00Z')
const paidOrder: RefundConditions = {
  status: 'paid',
  paidAt,
  isWithdrawalWaived: false,
  withdrawalDays: null,
  refundDays: null,
  remainingMinor: 8900,
  requests: [],
}
const hourMs = 3_600_000
const refundDays = { withdrawal: 14, refund: 30 }

function listKinds(at: string, conditions: Partial<RefundConditions> = {}, days = refundDays) {
  const options = listRefundOptions({ ...paidOrder, ...conditions }, days, new Date(at))
  return options.map(({ kind }) => kind)
}

it('a withdrawal and a refund have their own deadline, whose last day is complete in every time zone', () => {
  expect(listKinds('2026-11-01T12:00:00Z')).toEqual(['withdrawal', 'refund'])
  expect(listKinds('2026-11-16T11:59:59Z')).toEqual(['withdrawal', 'refund'])
  expect(listKinds('2026-11-16T12:00:00Z')).toEqual(['refund'])
  expect(listKinds('2026-12-02T12:00:00Z')).toEqual([])
})

it('0 days switch a kind of request off', () => {
  expect(listKinds('2026-11-01T12:00:01Z', {}, { withdrawal: 0, refund: 0 })).toEqual([])
})

it('the days that an order stores count instead of the current ones', () => {
  const storedDays = { withdrawalDays: 0, refundDays: 60 }

  expect(listKinds('2027-01-01T11:59:59Z', storedDays)).toEqual(['refund'])
  expect(listKinds('2027-01-01T12:00:00Z', storedDays)).toEqual([])
  expect(
    listKinds('2026-11-16T11:59:59Z', { withdrawalDays: 14 }, { withdrawal: 0, refund: 0 }),
  ).toEqual(['withdrawal'])
})

it('the waiver at checkout gives up the withdrawal, but not the refund', () => {
  expect(listKinds('2026-11-02T00:00:00Z', { isWithdrawalWaived: true })).toEqual(['refund'])
})

it('a refund can be requested once, and a withdrawal is possible after it is declined', () => {
  const createRequest = (
    kind: RefundKind,
    status: 'stated' | 'asked' | 'granted' | 'declined',
  ) => ({
    requests: [{ kind, status }],
  })

  expect(listKinds('2026-11-02T00:00:00Z', createRequest('refund', 'stated'))).toEqual([
    'withdrawal',
    'refund',
  ])
  expect(listKinds('2026-11-02T00:00:00Z', createRequest('refund', 'asked'))).toEqual([
    'withdrawal',
  ])
  expect(listKinds('2026-11-02T00:00:00Z', createRequest('refund', 'declined'))).toEqual([
    'withdrawal',
  ])
  expect(listKinds('2026-11-02T00:00:00Z', createRequest('withdrawal', 'granted'))).toEqual([])
})

it('only an order with a payment that is not refunded yet can be refunded', () => {
  const anyOrder = fc.record({
    status: fc.constantFrom<RefundConditions['status']>(
      'open',
      'processing',
      'paid',
      'refunded',
      'canceled',
    ),
    remainingMinor: fc.integer({ min: -10, max: 10 }),
    hours: fc.integer({ min: 0, max: 2_000 }),
  })

  fc.assert(
    fc.property(anyOrder, ({ status, remainingMinor, hours }) => {
      const at = new Date(paidAt.getTime() + hours * hourMs)
      const options = listRefundOptions({ ...paidOrder, status, remainingMinor }, refundDays, at)
      if (status !== 'paid' || remainingMinor <= 0) {
        expect(options).toEqual([])
      }

      for (const { lastDay } of options) {
        expect(at.getTime()).toBeLessThan(lastDay.getTime() + 24 * hourMs)
      }
    }),
  )
})
