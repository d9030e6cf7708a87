import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listMarks } from './match-marks'
import { parseSynonyms, planSearch } from './search-plan'

const synonyms = parseSynonyms([
  ['e-mail', 'email'],
  ['ML', 'machine learning'],
])
/** Alternatives as text, an asterisk for a word that may continue. */
const listUnits = (typed: string) =>
  planSearch(typed, synonyms).units.map(({ alternatives }) =>
    alternatives
      .map((words) => words.map(({ word, isPrefix }) => (isPrefix ? `${word}*` : word)).join(' '))
      .join(' | '),
  )

describe('a search', () => {
  it.each([
    ['web dev', ['web', 'dev*']],
    ['web dev.', ['web', 'dev']],
    ['C++ basics', ['c++', 'basics*']],
    ['front-end work', ['front end | frontend', 'work*']],
    ['e-mail work', ['e mail | email', 'work*']],
    ['machine learning work', ['machine learning | ml', 'work*']],
    ['ml', ['ml* | machine learning']],
    ['$1', []],
    ['100%', []],
    ['html/css', ['html', 'css*']],
    ['(python)', ['python']],
    ['#python', ['python*']],
    ['R&D', ['r', 'd*']],
    ['snake_case', ['snake', 'case*']],
    ['mei‑ling', ['mei ling* | meiling']],
    ['%', []],
    ['html+css', ['html', 'css*']],
    ['python😀', ['python']],
    ['~python', ['python*']],
    ['don`t', ['don', 't*']],
    ['5$', []],
    ['x^2', []],
  ])('%j needs %j', (typed, units) => {
    expect(listUnits(typed)).toEqual(units)
  })

  it('of any text has a plan', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (typed) => {
        const plan = planSearch(typed, synonyms)
        for (const { alternatives } of plan.units) {
          expect(alternatives.flat().length).toBeGreaterThan(0)
        }
      }),
    )
  })
})

describe('marks', () => {
  const marked = (text: string, typed: string) =>
    listMarks(text, planSearch(typed, synonyms)).map(([from, to]) => text.slice(from, to))

  it.each([
    ['Python from Zero', 'pyth', ['Pyth']],
    ['Python from Zero', 'zero python', ['Python', 'Zero']],
    ['Python from Zero', 'thon fr', ['thon fr']],
    ['Écrire à l’école', 'ecole', ['école']],
    ['Die Straße', 'strasse', ['Straße']],
    ['Systems in C++', 'c++', ['C++']],
    ['Mail and e-mail', 'email', ['Mail', 'e', 'mail']],
    ['Nothing', 'xyz', []],
  ])('in %j for %j are %j', (text, typed, pieces) => {
    expect(marked(text, typed)).toEqual(pieces)
  })

  const anyLetter = fc.constantFrom(...'aéßİ +😀')

  it('are in order, inside the text and apart', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyLetter }),
        fc.string({ unit: anyLetter, maxLength: 4 }),
        (text, typed) => {
          const marks = listMarks(text, planSearch(typed, synonyms))
          expect(marks.length).toBeLessThanOrEqual(text.length)
          let last = -1
          for (const [from, to] of marks) {
            expect(from).toBeGreaterThan(last)
            expect(to).toBeGreaterThan(from)
            expect(to).toBeLessThanOrEqual(text.length)
            last = to
          }
        },
      ),
    )
  })
})
