import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, foldWithOrigins, listWords, parseWords } from './words'

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aÉß İΣø-.+# ’漢😀'),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  ),
})

describe('folding', () => {
  it.each([
    ['Écrire à l’École', "ecrire a l'ecole"],
    ['“Mei‑Ling” – don’t', '"mei-ling" - don\'t'],
    ['py\u00adthon\u200b', 'python'],
    ['ｐｙｔｈｏｎ 𝐩𝐲', 'python py'],
    ['ØYSTEIN Ås', 'oystein as'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['Łódź', 'lodz'],
    ['कि', 'कि'],
    ['مُحَمَّد عـلي', 'محمد علي'],
    ['أحمد آل', 'احمد ال'],
    ['שָׁלוֹם', 'שלום'],
    ['OʼReilly, Hawaiʻi', "o'reilly, hawai'i"],
    ['O´Brien, O`Brien', "o'brien, o'brien"],
    ['`Ó', "'o"],
  ])('makes %s %s', (typed, folded) => {
    expect(fold(typed)).toBe(folded)
  })

  it('folds a part of a text as it folds the text', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(fold(a + b + c)).toContain(fold(b))
      }),
    )
  })

  it('changes nothing when done again', () => {
    fc.assert(
      fc.property(text, (typed) => {
        expect(fold(fold(typed))).toBe(fold(typed))
      }),
    )
  })

  it('knows where each unit comes from', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const { folded, origins } = foldWithOrigins(typed)
        expect(folded).toBe(fold(typed))
        expect(origins).toHaveLength(folded.length + 1)
        expect(origins.at(-1)).toBe(typed.length)
      }),
    )
  })
})

describe('words', () => {
  it.each([
    ['c++ and c#', ['c', 'and', 'c++', 'c#']],
    ['.net on asp.net', ['net', 'on', 'asp', '.net']],
    ['node.js, html5', ['node', 'js', 'html5']],
    ['a+b', ['a', 'b']],
    ['it is e-mail', ['it', 'is', 'e', 'mail']],
    ['100% \\o/', ['100', 'o']],
    ['', []],
  ])('of %j are %j', (folded, words) => {
    expect([...listWords(folded)]).toEqual(words)
  })

  it('of a search keep their signs and know a hyphen', () => {
    expect(parseWords('c++ e-mail .net')).toEqual([
      { word: 'c++', followsHyphen: false },
      { word: 'e', followsHyphen: false },
      { word: 'mail', followsHyphen: true },
      { word: '.net', followsHyphen: false },
    ])
  })
})
