import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listCorrected, listMistaken } from './corrections'
import { allowedErrors, countErrors } from './typing-errors'
import { Vocabulary } from './vocabulary'
import { listUnions } from './word-unions'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 9 })
const words = fc.uniqueArray(word, { maxLength: 60 }).map((list) => list.sort())
const vocabularyOf = (list: readonly string[]) =>
  new Vocabulary(list.map((each, index) => `${each} ${index % 7} ${index % 3}`).join('\n'))

describe('the vocabulary', () => {
  it('knows what words begin with, contain and end in', () => {
    fc.assert(
      fc.property(words, word, (list, piece) => {
        const vocabulary = vocabularyOf(list)
        expect(vocabulary.has(piece)).toBe(list.includes(piece))
        expect(vocabulary.listBeginning(piece)).toEqual(list.filter((each) => each.startsWith(piece)))
        expect(vocabulary.listContaining(piece)).toEqual(list.filter((each) => each.includes(piece)))
        expect(vocabulary.listContaining(piece, { opens: true })).toEqual(list.filter((each) => each.startsWith(piece)))
        expect(vocabulary.listContaining(piece, { closes: true })).toEqual(list.filter((each) => each.endsWith(piece)))
        expect(vocabulary.listContaining(piece, { opens: true, closes: true })).toEqual(
          list.filter((each) => each === piece),
        )
      }),
    )
  })

  it('finds every word with so few errors, the nearest first', () => {
    fc.assert(
      fc.property(words, word, (list, typed) => {
        const allowed = allowedErrors(typed)
        const near = list.filter((each) => allowed > 0 && countErrors(typed, each, allowed) <= allowed)
        const found = vocabularyOf(list).listCorrections(typed, 1_000)
        expect(found.map(({ word: each }) => each).sort()).toEqual(near)
        expect(found.map(({ errors }) => errors)).toEqual(found.map(({ errors }) => errors).sort())
      }),
    )
  })

  it('may be empty', () => {
    expect(new Vocabulary('').listContaining('a')).toEqual([])
    expect(new Vocabulary('').countCourses('')).toBe(0)
  })
})

it('every first letter has a set, and each beginning and piece that many words have', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 5 }), (list, limit) => {
      for (const part of ['begin', 'piece'] as const) {
        const has = (each: string, name: string) => (part === 'begin' ? each.startsWith(name) : each.includes(name))
        const unions = new Map(listUnions(list, part, limit))
        for (const [name, union] of unions) expect(union).toEqual(list.filter((each) => has(each, name)))
        const pieces = list.flatMap((each) =>
          [...each].flatMap((_, at) => [...each].map((__, length) => each.slice(at, at + length + 1))),
        )
        for (const name of pieces) {
          const words = list.filter((each) => has(each, name)).length
          const isFirstLetter = part === 'begin' && name.length === 1 && words > 0
          expect(unions.has(name)).toBe(isFirstLetter || words > limit)
        }
      }
    }),
    { numRuns: 30 },
  )
})

describe('a corrected search', () => {
  const vocabulary = new Vocabulary(['and 9 0', 'development 8 0', 'python 5 0', 'pythons 1 0', 'web 9 0'].join('\n'))

  it.each([
    ['pyton', ['python']],
    ['web pyhton', ['web python']],
    ['webdevelopment', ['web development']],
    ['pyth ons', ['pythons']],
    ['web deve lopment', ['web development']],
    ['webb pythons', ['web pythons']],
    ['pyth', []],
    ['pyth web', []],
    ['wob', []],
    ['python', []],
    ['', []],
  ])('%j may mean %j', (typed, meant) => {
    expect(listCorrected(typed, [vocabulary])).toEqual(meant)
  })

  it('may mean a more common word than one that is known, letters in another order first', () => {
    const vocabulary = new Vocabulary(['for 9 0', 'form 2 0', 'from 5 0', 'python 4 0', 'pythons 1 0'].join('\n'))
    expect(listMistaken('python form', [vocabulary])).toEqual(['python from', 'python for'])
    expect(listMistaken('form pythons', [vocabulary])).toEqual(['from pythons', 'for pythons', 'form python'])
    // The beginning of a word is as common as the word.
    expect(listMistaken('form pytho', [vocabulary])).toEqual(['from pytho', 'for pytho'])
    expect(listMistaken('form', [vocabulary])).toEqual([])
  })
})
