import { expect, it } from 'vitest'
import { getPasswordStrength } from './account-rules'

it.each([
  ['', 'none'],
  ['a', 'weak'],
  ['Ab1de', 'weak'],
  ['Ab1def', 'medium'],
  ['Ab1defghi', 'medium'],
  ['abcdefghij1', 'medium'],
  ['ABCDEFGHIJ1', 'medium'],
  ['Abcdefghijk', 'medium'],
  ['Abcdefghi1', 'strong'],
  ['Learnify2026', 'strong'],
])('%j is %s', (password, strength) => {
  expect(getPasswordStrength(password)).toBe(strength)
})

it.each([
  ['Ab1defg', 'weak'],
  ['Abcdefghi1', 'weak'],
  ['abcdefghijkl', 'medium'],
  ['Abcdefghijk1', 'strong'],
])('%j is %s where a new password needs 12 characters', (password, strength) => {
  expect(getPasswordStrength(password, 12)).toBe(strength)
})
