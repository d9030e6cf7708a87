import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WordBeginnings } from './word-beginnings'

const word = fc.string({ unit: fc.constantFrom('a', 'b', '漢', '\ud83d\ude00'), minLength: 1, maxLength: 4 })
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

it('finds the first lines in which a word begins so, also by one letter and across words', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), line, fc.integer({ min: 1, max: 5 }), (lines, text, most) => {
      const names = new WordBeginnings(lines.map((each) => `${each}\n`).join(''))
      const found = lines.flatMap((each, number) => (` ${each}`.includes(` ${text}`) ? [number] : []))
      expect(names.list(text, most)).toEqual(found.slice(0, most))
    }),
  )
})

it('finds words behind other signs than spaces, and nothing of what follows a tab', () => {
  const names = new WordBeginnings("anne-marie d'arc\t12\nnode/express (advanced)\t34\n")
  const linesOf = (text: string) => names.list(text, 5)
  expect(['marie', 'arc', 'express', 'adv', '12', '34', 'dvanced'].map(linesOf)).toEqual([
    [0],
    [0],
    [1],
    [1],
    [],
    [],
    [],
  ])
})

it('finds nothing without lines', () => {
  expect(new WordBeginnings('').list('a', 3)).toEqual([])
})
