import { describe, expect, it } from 'vitest'
import { certificateName, initialsOf } from './certificate-name'

describe('the name on a certificate', () => {
  it.each([
    ['turns no text around', 'Ada \u202eecalevoL', 'Ada ecalevoL'],
    ['has no isolates', '\u2066Ada\u2069 Lovelace', 'Ada Lovelace'],
    ['stands on one line', 'Ada\n\tLovelace\u2028Dr', 'Ada Lovelace Dr'],
    ['has nothing that nobody sees', 'A\u200bd\u00ada\u0007\ufeff Lovelace', 'Ada Lovelace'],
    ['keeps the joiners that scripts need', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['is there, also when nothing of it can be seen', '\u202e\u200b', 'A learner'],
    ['ends somewhere', 'x'.repeat(5000), 'x'.repeat(201)],
  ])('%s', (_what, name, written) => expect(certificateName(name)).toBe(written))
})

describe('initials', () => {
  it.each([
    ['Ada Lovelace', 'A. L.'],
    ['  ada   lovelace ', 'A. L.'],
    ['Élodie', 'É.'],
    ['👩‍🚀 Star', '👩‍🚀. S.'],
    [' ', 'A learner'],
  ])('of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))
})
