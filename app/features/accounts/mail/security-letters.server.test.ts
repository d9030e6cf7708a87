import { expect, it } from 'vitest'
import {
  addressChangedLetter,
  passwordChangedLetter,
  securityChangedLetter,
} from './security-letters.server'

const happened = {
  at: '2026-11-26T10:51:00.000Z',
  timeZone: 'UTC',
  notMe: 'https://learn.example/NotMe',
  days: 7,
}

it.each([
  ['the learner', passwordChangedLetter(happened), 'If it was you'],
  ['the learner', securityChangedLetter('two-factor-off', happened), 'If it was you'],
  [
    'the people who run the site',
    securityChangedLetter('factors-reset', happened),
    'If you asked for it',
  ],
  ['the people who run the site', addressChangedLetter(happened), 'If you asked for it'],
])('a mail about what %s did asks who it was (%#)', (_who, { before }, question) => {
  expect(before.at(-1)).toContain(question)
})
