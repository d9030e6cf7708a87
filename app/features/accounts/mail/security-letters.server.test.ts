import { expect, it } from 'vitest'
import {
  addressChangedLetter,
  passwordChangedLetter,
  securityChangedLetter,
} from './security-letters.server'

const change = {
  at: '2026-11-26T10:51:00.000Z',
  timeZone: 'UTC',
  recoveryUrl: 'https://learn.example/NotMe',
  recoveryDays: 7,
}

it.each([
  ['the learner', passwordChangedLetter(change), 'If it was you'],
  ['the learner', securityChangedLetter('two-factor-off', change), 'If it was you'],
  [
    'the people who run the site',
    securityChangedLetter('factors-reset', change),
    'If you asked for it',
  ],
  ['the people who run the site', addressChangedLetter(change), 'If you asked for it'],
])('an email about a change by %s asks the right question (%#)', (_actor, { before }, question) => {
  expect(before.at(-1)).toContain(question)
})
