import { expect, it } from 'vitest'
import {
  writeAddressChangedEmail,
  writePasswordChangedEmail,
  writeSecurityChangedEmail,
} from './security-emails.server'

const change = {
  at: '2026-11-26T10:51:00.000Z',
  timeZone: 'UTC',
  recoveryUrl: 'https://learn.example/NotMe',
  recoveryDays: 7,
}

it.each([
  ['the learner', writePasswordChangedEmail(change), 'If it was you'],
  ['the learner', writeSecurityChangedEmail('two-factor-off', change), 'If it was you'],
  [
    'the people who run the site',
    writeSecurityChangedEmail('factors-reset', change),
    'If you asked for it',
  ],
  ['the people who run the site', writeAddressChangedEmail(change), 'If you asked for it'],
])(
  'an email about a change by %s asks the right question (%#)',
  (_actor, { beforeLink }, question) => {
    expect(beforeLink.at(-1)).toContain(question)
  },
)
