import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanCode, cleanText } from './clean-text'

it.each([
  ['invisible characters', '\ufeffpy\u200bthon\u00ad \u2066basics\u2069', 'python basics'],
  ['several kinds of spaces', '\u00a0python\u2003 \t basics\u3000', 'python basics'],
  ['control characters', 'python\0basics\u0007', 'python basics'],
  ['full-width letters and digits', 'ｐｙｔｈｏｎ　３', 'python 3'],
  ['decomposed accents', 'cafe\u0301', 'café'],
  ['a Unicode minus and other dashes', 'a−b–c—d‐e－f', 'a-b-c-d-e-f'],
  ['curly quotation marks inside', 'don’t say “no” twice', `don't say "no" twice`],
  ['quotation marks around it', '“python”', 'python'],
  ['quotation marks of other languages', '„python“', 'python'],
  ['guillemets and corner brackets', '«「python」»', 'python'],
  ['guillemets with spaces', '«\u00a0python\u00a0»', 'python'],
  ['Markdown’s backticks', '`python`', 'python'],
  ['a final period', 'python basics.', 'python basics'],
  ['a period and a quotation mark', '“python basics.”', 'python basics'],
  ['a quotation mark and a period', '“python basics”.', 'python basics'],
  ['an ideographic full stop', '机器学习。', '机器学习'],
  ['Arabic digits', 'Web ١٠١', 'Web 101'],
  ['Devanagari digits', 'Web १०१', 'Web 101'],
])('a typed text is cleaned of %s', (_case, typed, text) => {
  expect(cleanText(typed)).toBe(text)
})

it.each([
  '.NET',
  'C#',
  'C++',
  '100%',
  '"',
  '.',
  '...',
  'بايثون ١٠١',
  "O'Brien",
  "' or 1=1 --",
  'Ünïcode',
])('the typed text %s stays as it is', (text) => {
  expect(cleanText(text)).toBe(text)
})

it.each([
  [' spring-2026 ', 'SPRING2026'],
  ['Spring 2026', 'SPRING2026'],
  ['SPRING–2026', 'SPRING2026'],
  ['SPRING−2026', 'SPRING2026'],
  ['\u200bSPRING\u200d20\u00ad26\ufeff', 'SPRING2026'],
  ['ＳＰＲＩＮＧ２０２６', 'SPRING2026'],
  ['“SPRING2026”', 'SPRING2026'],
  ["'SPRING2026'", 'SPRING2026'],
  ['« SPRING2026 »', 'SPRING2026'],
  ['SPRING2026.', 'SPRING2026'],
  ['“SPRING2026.”', 'SPRING2026'],
  ['SPRING٢٠٢٦', 'SPRING2026'],
  ['123-456', '123456'],
  ['١٢٣٤٥٦', '123456'],
  ['۱۲۳ ۴۵۶', '123456'],
  ['१२३४५६', '123456'],
  ['１２３４５６', '123456'],
  ['\u2066123\u2069 \u200e456', '123456'],
])('the typed code %j is read as %s', (typed, code) => {
  expect(cleanCode(typed)).toBe(code)
})

it('cleaning a second time changes nothing', () => {
  const characters = fc.constantFrom(...'a٣ \u200b"“«.。-−%ﬁ\'1')
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 8 }), (typed) => {
      expect(cleanText(cleanText(typed))).toBe(cleanText(typed))
    }),
    { numRuns: 2000 },
  )
})
