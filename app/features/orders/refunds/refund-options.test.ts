import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listRefundOptions, type RefundFacts, type RefundKind } from './refund-options'

const paidAt = new Date('2026-11-01T12:00:00Z')
const paid: RefundFacts = {
  state: 'paid',
  paidAt,
  isWithdrawalWaived: false,
  remainingMinor: 8900,
  requests: [],
}
const days = { withdrawal: 14, refund: 30 }

const kindsAt = (at: string, facts: Partial<RefundFacts> = {}, allowed = days) =>
  listRefundOptions({ ...paid, ...facts }, allowed, new Date(at)).map(({ kind }) => kind)

it('a withdrawal and a refund have their own deadline, whose last day is complete in every time zone', () => {
  expect(kindsAt('2026-11-01T12:00:00Z')).toEqual(['withdrawal', 'refund'])
  expect(kindsAt('2026-11-16T11:59:59Z')).toEqual(['withdrawal', 'refund'])
  expect(kindsAt('2026-11-16T12:00:00Z')).toEqual(['refund'])
  expect(kindsAt('2026-12-02T12:00:00Z')).toEqual([])
})

it('0 days switch a kind of request off', () => {
  expect(kindsAt('2026-11-01T12:00:01Z', {}, { withdrawal: 0, refund: 0 })).toEqual([])
})

it('the waiver at checkout gives up the withdrawal, but not the refund', () => {
  expect(kindsAt('2026-11-02T00:00:00Z', { isWithdrawalWaived: true })).toEqual(['refund'])
})

it('a refund can be requested once, and a withdrawal is possible after it is declined', () => {
  const request = (kind: RefundKind, state: 'stated' | 'asked' | 'granted' | 'declined') => ({
    requests: [{ kind, state }],
  })
  expect(kindsAt('2026-11-02T00:00:00Z', request('refund', 'stated'))).toEqual([
    'withdrawal',
    'refund',
  ])
  expect(kindsAt('2026-11-02T00:00:00Z', request('refund', 'asked'))).toEqual(['withdrawal'])
  expect(kindsAt('2026-11-02T00:00:00Z', request('refund', 'declined'))).toEqual(['withdrawal'])
  expect(kindsAt('2026-11-02T00:00:00Z', request('withdrawal', 'granted'))).toEqual([])
})

it('only an order with a payment that is not refunded yet can be refunded', () => {
  const anything = fc.record({
    state: fc.constantFrom<RefundFacts['state']>(
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
    fc.property(anything, ({ state, remainingMinor, hours }) => {
      const at = new Date(paidAt.getTime() + hours * 3_600_000)
      const chances = listRefundOptions({ ...paid, state, remainingMinor }, days, at)
      if (state !== 'paid' || remainingMinor <= 0) {
        expect(chances).toEqual([])
      }

      for (const { lastDay } of chances) {
        expect(at.getTime()).toBeLessThan(lastDay.getTime() + 86_400_000)
      }
    }),
  )
})
