import { describe, expect, it } from 'vitest'
import { findEmailProblem, getStoredForms, toCanonicalEmail } from './email-address.server'

describe('the canonical form of an address', () => {
  it.each([
    [' Ida@Example.COM ', 'ida@example.com'],
    ['ida@bücher.example', 'ida@xn--bcher-kva.example'],
    ['ida@XN--BCHER-KVA.example', 'ida@xn--bcher-kva.example'],
    ['ida@ｅxample．com', 'ida@example.com'],
    ['ida@example。com', 'ida@example.com'],
    ['иван@почта.рф', 'иван@xn--80a1acny.xn--p1ai'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ["o'brien+notes@example.co.uk", "o'brien+notes@example.co.uk"],
    ['\ufeffida@example.com', 'ida@example.com'],
  ])('of %j is %s', (typed, canonical) => {
    expect(toCanonicalEmail(typed)).toBe(canonical)
    expect(toCanonicalEmail(canonical)).toBe(canonical)
  })

  it.each([
    'ida',
    'ida@example',
    '@example.com',
    'a@b@c.de',
    'a:box@corp.example',
    'friends:ida@corp.example;',
    'Ida <ida@example.com>',
    'ida(home)@example.com',
    '"ida"@example.com',
    'ida,eve@example.com',
    'i\u0001da@example.com',
    'ida\u0085@example.com',
    'ida@exam\u00adple.com',
    'ida\u200b@example.com',
    'ida\u3164@example.com',
    'ida\u202e@example.com',
    'i da@example.com',
    'ida@ex%61mple.com',
    'ida@example.com/x',
    'ida@example.com:25',
    'ida@0x7f.1',
    'ida@127.0.0.1',
    'ida@a..b',
    '.ida@example.com',
    'i..da@example.com',
    `${'i'.repeat(65)}@example.com`,
    `ida@${'example.'.repeat(40)}com`,
  ])('is not there for %j', (typed) => {
    expect(toCanonicalEmail(typed)).toBeNull()
  })

  it('an operator reads the name of a character that cannot be seen', () => {
    expect(findEmailProblem('ida\u200b@example.com')).toContain('zero width space (U+200B)')
    expect(findEmailProblem('ida\u{e0001}@example.com')).toContain('U+E0001')
    expect(findEmailProblem('ida')).toBe("'ida' doesn’t look like an email address.")
    expect(findEmailProblem('ida@example.com')).toBeNull()
  })

  it('finds accounts of former releases by their domain’s own letters, too', () => {
    const forms = ['ida@xn--bcher-kva.example', 'ida@bücher.example']
    for (const form of forms) {
      expect(getStoredForms(form)).toEqual(forms)
    }
  })
})
