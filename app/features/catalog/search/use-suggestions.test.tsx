import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Suggestion } from './catalog-query'
import { MarkedText, splitMarkedText } from './marked-text'
import { formatSuggestionCount, getOptionForKey, groupSuggestions } from './suggestion-panel'

const option = (text: string): Suggestion => ({ text, marks: [], address: '/AllCourses', count: 1 })

describe('the keys of a list of suggestions', () => {
  it('go down from the field through every option and back to the field, and up the other way', () => {
    const walk = (key: string) =>
      [...Array(4)].reduce<number[]>((at) => [...at, next(at.at(-1) ?? -1, key)], [-1])
    const next = (active: number, key: string) => getOptionForKey(active, 3, key) ?? Number.NaN

    expect(walk('ArrowDown')).toEqual([-1, 0, 1, 2, -1])
    expect(walk('ArrowUp')).toEqual([-1, 2, 1, 0, -1])
  })

  it('Home and End belong to the field until an option is chosen', () => {
    expect(['Home', 'End', 'a'].map((key) => getOptionForKey(-1, 3, key))).toEqual([
      null,
      null,
      null,
    ])
    expect(['Home', 'End', 'a'].map((key) => getOptionForKey(1, 3, key))).toEqual([0, 2, null])
    expect(getOptionForKey(-1, 0, 'ArrowDown')).toBeNull()
  })

  it('lead to the field or to an option that exists', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.constantFrom('ArrowDown', 'ArrowUp', 'Home', 'End'),
        fc.nat(),
        (count, key, seed) => {
          const to = getOptionForKey((seed % (count + 1)) - 1, count, key)
          expect(to === null || (to >= -1 && to < count)).toBe(true)
        },
      ),
    )
  })
})

it('groups without a suggestion are left out', () => {
  const groups = groupSuggestions({
    courses: [option('Chess')],
    instructors: [],
    skills: [],
    words: [option('chess')],
  })

  expect(groups.map(({ name }) => name)).toEqual(['Courses', 'Search for'])
  expect(groupSuggestions(null)).toEqual([])
  expect([0, 1, 2].map(formatSuggestionCount)).toEqual([
    'No suggestions',
    '1 suggestion. Use the arrow keys.',
    '2 suggestions. Use the arrow keys.',
  ])
})

describe('a text with marks', () => {
  it('has what matched in it marked, and nothing of it is read as markup', () => {
    const html = renderToStaticMarkup(
      <MarkedText text="<b>Python</b> from Zero" marks={[[3, 9]]} />,
    )
    expect(html.replaceAll(/ class="[^"]*"/g, '')).toBe(
      '&lt;b&gt;<mark>Python</mark>&lt;/b&gt; from Zero',
    )
  })

  it('stays the same text', () => {
    const marks = fc.uniqueArray(fc.nat(20), { maxLength: 6 }).map((ends) => {
      const sorted = ends.toSorted((a, b) => a - b)
      return sorted.flatMap((from, index) =>
        index % 2 === 0 ? [[from, sorted[index + 1] ?? from] as [number, number]] : [],
      )
    })

    fc.assert(
      fc.property(fc.string({ minLength: 20, maxLength: 30 }), marks, (text, pieces) => {
        expect(
          splitMarkedText(text, pieces)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})
