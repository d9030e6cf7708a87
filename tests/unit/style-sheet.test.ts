import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLineProblem,
  findReadingTimeProblem,
  findTitleProblem,
  listWordingProblems,
  toTitleCase,
} from '../../tools/content-style/style-sheet'

describe('a title', () => {
  it.each([
    'Python from Zero',
    'Content and Search That Lasts',
    'Photography: Light and Composition',
    'Decisions with if, elif and else',
    'Fluid Type With clamp()',
    'A First Server in Node.js',
    'Loading Fonts Without Jumping Text',
    'K-Means and Principal Components',
    'Where to Go On',
    'And So on...',
  ])('is in title case: %s', (title) => {
    const decided = title.replace('if, elif', 'if, elif').replace('So on', 'So On')
    expect(toTitleCase(decided)).toBe(decided)
  })

  it.each([
    ['Composing the frame', 'Composing the Frame'],
    ['Check: tokens and their tiers', 'Check: Tokens and Their Tiers'],
    ['what strategy is: the field it plays on', 'What Strategy Is: The Field It Plays On'],
    ['Case study: a second brand', 'Case Study: A Second Brand'],
  ])('in sentence case is told with the right one: %s', (title, right) => {
    expect(findTitleProblem(title)).toBe(`‘${title}’ isn’t in title case. Write ‘${right}’.`)
    expect(findTitleProblem(right)).toBeNull()
  })

  it('has no period at its end', () => {
    expect(findTitleProblem('Reading Light.')).toMatch(/no period/)
    expect(findTitleProblem('And Then...')).toBeNull()
  })

  it('in title case stays as it is, whatever it was before', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', ' ', 'of ', 'the ', ':', '.', '(') }),
        (title) => {
          expect(toTitleCase(toTitleCase(title))).toBe(toTitleCase(title))
          expect(toTitleCase(title).toLowerCase()).toBe(title.toLowerCase())
        },
      ),
    )
  })
})

it('a subtitle is a line without a period, a text of several sentences has them', () => {
  expect(findLineProblem('Learn to program.', 'subtitle', 110)).toMatch(/no period/)
  expect(findLineProblem('First one. Then another.', 'subtitle', 110)).toBeNull()
  expect(findLineProblem('x'.repeat(111), 'subtitle', 110)).toBe(
    '`subtitle` has 111 letters; 110 fit on its lines. Shorten it.',
  )
})

describe('words', () => {
  it.each([
    [
      'The behaviour of Colours',
      ['‘behaviour’ is British. Write ‘behavior’.', '‘Colours’ is British. Write ‘Colors’.'],
    ],
    [
      'modelling by a modeller',
      ['‘modelling’ is British. Write ‘modeling’.', '‘modeller’ is British. Write ‘modeler’.'],
    ],
    ['The catalogues', ['‘catalogues’ is British. Write ‘catalogs’.']],
    [
      'an optimised organisation',
      [
        '‘optimised’ is British. Write ‘optimized’.',
        '‘organisation’ is British. Write ‘organization’.',
      ],
    ],
    [
      '90 % and 5 percent',
      ['Write ‘90%’ instead of ‘90 %’.', 'Write ‘5%’ instead of ‘5 percent’.'],
    ],
    ['38214 learners', ['Write ‘38,214’ instead of ‘38214’.']],
  ])('that leave the style sheet are told: %s', (text, problems) => {
    expect(listWordingProblems(text)).toEqual(problems)
  })

  it.each([
    'An optimistic organism in the model of a programmer',
    '90%, 1,200 and 38,214 in 2026',
    'postal code 02134, port 8080, #123456, 2026-11-22',
    'Enroll in a meter of gray centers',
    'percentages and percentiles, and 17 % 5 is 2',
  ])('that keep to it are not: %s', (text) => {
    expect(listWordingProblems(text)).toEqual([])
  })
})

it('a reading time is told that no reader has', () => {
  expect(findReadingTimeProblem(900, 5 * 60)).toBeNull()
  expect(findReadingTimeProblem(900, 14 * 60)).toBeNull()
  expect(findReadingTimeProblem(900, 60 * 60)).toMatch(
    /900 words, which take 3 to 15 min with their exercises, .* says 60 min/,
  )
  expect(findReadingTimeProblem(3_000, 60)).toMatch(/3,000 words, which take 10 to 50 min/)
})
