import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, foldWithOrigins, listSeams, listWords, readPieces, readSeams, readWords } from './words'

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...'aÉß İΣø-.+# ’漢😀'), fc.string({ unit: 'grapheme', maxLength: 1 })),
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
    expect(readWords('c++ e-mail .net')).toEqual([
      { word: 'c++', bound: false },
      { word: 'e', bound: false },
      { word: 'mail', bound: true },
      { word: '.net', bound: false },
    ])
  })

  it('of a piece may go on beyond its ends', () => {
    expect(readPieces('eb dev-')).toEqual([
      { piece: 'eb', opens: false, closes: true },
      { piece: 'dev', opens: true, closes: true },
    ])
    expect(readPieces('%%')).toEqual([])
  })

  it('of a piece are those of any text around it', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const words = [...listWords(fold(a + b + c))]
        for (const piece of readPieces(fold(b))) expect(words.some((word) => fits(word, piece))).toBe(true)
      }),
    )
  })
})

describe('seams', () => {
  it.each([
    ['to web-development.', ['to we', 'eb-de', 'nt.']],
    ['.net, c# & a b', ['.ne', 'et, c', 'c# & a', 'a b']],
    ['one\n(two)', ['ne\r(tw', 'wo)']],
    ['plain', []],
    ['漢字。漢字漢', ['漢字。漢字']],
  ])('of %j are %j', (folded, seams) => {
    expect([...listSeams(folded)]).toEqual(seams)
  })

  it('of a search may go on beyond its ends, but a whole word may not', () => {
    expect(readSeams('se de')).toEqual([{ piece: 'se de', opens: false, closes: false }])
    expect(readSeams('x a y')).toEqual([
      { piece: 'x a', opens: false, closes: true },
      { piece: 'a y', opens: true, closes: false },
    ])
    expect(readSeams('pyth')).toEqual([])
  })

  it('of a piece are those of any text around it', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const seams = [...listSeams(fold(a + b + c))]
        for (const piece of readSeams(fold(b).replaceAll('\n', '\r')))
          expect(seams.some((seam) => fits(seam, piece))).toBe(true)
      }),
    )
  })

  it('are never too long for a database, and found in parts', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2_000 }),
        fc.integer({ min: 1, max: 150 }),
        fc.nat({ max: 2_000 }),
        (before, length, after) => {
          const middle = '+-'.repeat(length)
          const seams = [...listSeams(`${'-'.repeat(before)}${middle}${'-'.repeat(after)}`)]
          expect(seams.every((seam) => seam.length <= 500)).toBe(true)
          expect(seams.some((seam) => seam.includes(middle))).toBe(true)
        },
      ),
    )
  })
})

function fits(whole: string, { piece, opens, closes }: ReturnType<typeof readPieces>[number]): boolean {
  if (opens && closes) return whole === piece
  return opens ? whole.startsWith(piece) : closes ? whole.endsWith(piece) : whole.includes(piece)
}
