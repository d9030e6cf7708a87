import { expect, it } from 'vitest'
import { amountOf } from './order-acts.server'

it.each([
  ['10.50', 'USD', 1_050],
  ['10.5', 'USD', 1_050],
  ['1050', 'JPY', 1_050],
  ['10.505', 'KWD', 10_505],
  ['', 'USD', null],
])('%s is an amount in %s', (typed, currency, minor) => {
  expect(amountOf(typed, currency)).toBe(minor)
})

it.each([
  ['10.50', 'JPY', 'Give an amount like 1050.'],
  ['ten', 'KWD', 'Give an amount like 10.500.'],
  // The column in the database can't hold more.
  ['9999999.999', 'KWD', 'Give a lower amount.'],
])('%s in %s is refused with what would do', (typed, currency, sentence) => {
  expect(() => amountOf(typed, currency)).toThrow(sentence)
})
