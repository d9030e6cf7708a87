import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPassed, isRight, judgePaper, pointsToPass, rightAnswerOf } from './exam-judge'
import {
  drawQuestions,
  type ExamQuestion,
  readAnswer,
  shownQuestion,
  shuffled,
} from './exam-question'
import { foldText, isAcceptedText, readNumbers } from './typed-answer'

const base = { prompt: 'What?', explanation: 'Because.' }
const single: ExamQuestion = {
  ...base,
  type: 'single',
  id: 's',
  options: ['a', 'b', 'c'],
  answer: 'b',
}
const multiple: ExamQuestion = {
  ...base,
  type: 'multiple',
  id: 'm',
  options: ['a', 'b', 'c', 'd'],
  answers: ['d', 'a'],
}
const ordering: ExamQuestion = {
  ...base,
  type: 'ordering',
  id: 'o',
  items: ['first', 'second', 'third', 'fourth'],
}
const numeric: ExamQuestion = {
  ...base,
  type: 'numeric',
  id: 'n',
  answer: 2.5,
  tolerance: 0.1,
  unit: 'kg',
}
const text: ExamQuestion = { ...base, type: 'text', id: 't', accepted: ['KeyError', 'a key error'] }
const pool = [single, multiple, ordering, numeric, text]

const randomBelow = fc
  .infiniteStream(fc.nat())
  .map((stream) => (limit: number) => (stream.next().value ?? 0) % limit)
const permutation = (count: number) =>
  fc.shuffledSubarray(
    Array.from({ length: count }, (_, index) => index),
    { minLength: count },
  )

const anyText = fc
  .array(fc.integer({ max: 0x10ffff, min: 1 }))
  .map((codes) => String.fromCodePoint(...codes))

describe('judging', () => {
  it('accepts the right answer in whatever order the options were shown, and no other choice', () => {
    fc.assert(
      fc.property(permutation(3), fc.nat(2), (order, chosen) => {
        const right = rightAnswerOf({ question: single, order })
        expect(isRight({ question: single, order }, chosen)).toBe(chosen === right)
      }),
    )
  })

  it('wants exactly the right options of a multiple choice', () => {
    fc.assert(
      fc.property(permutation(4), fc.subarray([0, 1, 2, 3]), (order, chosen) => {
        const options = chosen.map(
          (place) => multiple.type === 'multiple' && multiple.options[order[place] ?? -1],
        )
        const right = options.length === 2 && options.includes('a') && options.includes('d')
        expect(isRight({ question: multiple, order }, chosen)).toBe(right)
      }),
    )
  })

  it('wants every item in its place', () => {
    fc.assert(
      fc.property(permutation(4), permutation(4), (order, chosen) => {
        const inOrder = chosen.every((place, index) => order[place] === index)
        expect(isRight({ question: ordering, order }, chosen)).toBe(inOrder)
      }),
    )
  })

  it.each(['2.5', '2.4', '2.6', ' 2.55 ', '2,5', '2.5 kg', '2.5KG', '+2.5', '25e-1', '２.５'])(
    'takes %j for 2.5 ± 0.1',
    (typed) => {
      expect(isRight({ question: numeric, order: [] }, typed)).toBe(true)
    },
  )

  it.each([
    '2.39',
    '2.61',
    '-2.5',
    '2.5 g',
    'two and a half',
    '',
    '2.5.0',
    'NaN',
    'Infinity',
    '0x2',
  ])('refuses %j for it', (typed) => {
    expect(isRight({ question: numeric, order: [] }, typed)).toBe(false)
  })

  it('takes a number at either end of the tolerance', () => {
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100)
    fc.assert(
      fc.property(amount, fc.nat(500), (answer, cents) => {
        const question: ExamQuestion = {
          ...base,
          type: 'numeric',
          id: 'n',
          answer,
          tolerance: cents / 100,
        }

        for (const sign of [-1, 1]) {
          const end = (answer * 100 + sign * cents) / 100
          expect(isRight({ question, order: [] }, String(end))).toBe(true)
          expect(isRight({ question, order: [] }, String(end + sign * 0.01))).toBe(false)
        }
      }),
    )
  })

  it('reads numbers as people type them', () => {
    const typed = [
      '1,234',
      '1,234.5',
      '1 234',
      '−3',
      '.5',
      '1e3',
      '12,5',
      '0,800',
      '4.5 : 1',
      "1'000",
      '1,2,3',
      'e',
      '-',
      '1,234,567.25',
      '+12,345',
      '1,2345',
      'x1,234',
      '1,234x',
      'x3,5',
      '3,5x',
      '-3,5',
      '12 apples',
      'about 12',
      '1.25e-10',
      '.25',
      '7.',
    ]

    expect(typed.map((value) => readNumbers(value, ':1')[0] ?? null)).toEqual([
      1234,
      1234.5,
      1234,
      -3,
      0.5,
      1000,
      12.5,
      0.8,
      4.5,
      1000,
      null,
      null,
      null,
      1234567.25,
      12345,
      1.2345,
      null,
      null,
      null,
      null,
      -3.5,
      null,
      null,
      1.25e-10,
      0.25,
      7,
    ])
  })

  it.each([
    ['—3', [-3]],
    ['–3', [-3]],
    ['\u20663\u2069', [3]],
    ['\u200f-3\u200b', [-3]],
    ['10³', [1000]],
    ['2.5×10³', [2500]],
    ['5·10⁻²', [0.05]],
    ['10^3', [1000]],
    ['2³ kg', [8]],
    ['3²4', []],
    ['½', [0.5]],
    ['1½', [1.5]],
    ['3/4', [0.75]],
    ['1/0', []],
    ['1.234,5', [1234.5]],
    ['1.234.567', [1_234_567]],
    ['1 234,5', [1234.5]],
    ['1’234.5', [1234.5]],
    ['12,34,567.8', [1_234_567.8]],
    ['1,234', [1234, 1.234]],
    ['1.234', [1.234, 1234]],
    ['0,800', [0.8]],
    ['٣٫٥', [3.5]],
    ['१२', [12]],
    ['−۱۲', [-12]],
    ['𝟙𝟚', [12]],
    ['12 apples', []],
  ])('reads %j as %j', (typed, values) => {
    expect(readNumbers(typed, 'kg')).toEqual(values)
  })

  it('reads a number with its unit, however the power of the unit is typed', () => {
    expect(['5 m²', '5 m2', '5 m^2', '5'].map((typed) => readNumbers(typed, 'm²'))).toEqual([
      [5],
      [5],
      [5],
      [5],
    ])
  })

  it('takes either reading of a comma that may separate thousands or decimals', () => {
    const question: ExamQuestion = {
      ...base,
      type: 'numeric',
      id: 'n',
      answer: 1.234,
      tolerance: 0,
    }

    expect(isRight({ question, order: [] }, '1,234')).toBe(true)
    expect(isRight({ question: { ...question, answer: 1234 }, order: [] }, '1,234')).toBe(true)
    expect(isRight({ question: { ...question, answer: 12.34 }, order: [] }, '1,234')).toBe(false)
  })

  it.each([
    ['—force', '--force'],
    ['–force', '--force'],
    ['––force', '--force'],
    ['−1', '-1'],
    ['—v', '-v'],
    ['rock—paper', 'rock-paper'],
    ['don’t', "don't"],
    ['don´t', "don't"],
    ['«да»', '"да"'],
    ['BİNARY', 'binary'],
    ['BINARY', 'binary'],
    ['ΟΔΟΣ', 'οδος'],
    ['STRASSE', 'Straße'],
    ['bi\u00adna\u200bry', 'binary'],
    ['\u202abinary\u202c', 'binary'],
    ['x^2', 'x²'],
    ['m2', 'm²'],
    ['H₂O', 'h2o'],
    ['٤٢', '42'],
  ])('takes the text %j for %j', (typed, accepted) => {
    expect(isAcceptedText(typed, [accepted])).toBe(true)
  })

  it.each([
    ['-force', '--force'],
    ['10³', '103'],
    ['x²', 'x2'],
    ['\u200b', 'binary'],
    ['1', '-1'],
  ])('does not take the text %j for %j', (typed, accepted) => {
    expect(isAcceptedText(typed, [accepted])).toBe(false)
  })

  it.each([
    'KeyError',
    'keyerror',
    '  KEYERROR ',
    'A  key\u00a0error',
    'ＫｅｙＥｒｒｏｒ',
    'the key-error',
    '`KeyError`.',
    'An KeyError?'.replace('?', '!!'),
  ])('takes the text %j', (typed) => {
    expect(isRight({ question: text, order: [] }, typed)).toBe(true)
  })

  it.each([
    'KeyErrors',
    'key+error',
    '',
    '.',
    'Key',
    'Key.Error',
    'see the KeyError',
    'Beta KeyError',
  ])('refuses the text %j', (typed) => {
    expect(isRight({ question: text, order: [] }, typed)).toBe(false)
  })

  it('wants an answer of the kind that the question has', () => {
    const order = [0, 1, 2, 3]
    for (const question of pool) {
      expect(isRight({ question, order }, null)).toBe(false)
      expect(isRight({ question, order }, '')).toBe(false)
    }

    expect(isRight({ question: single, order }, [1])).toBe(false)
    expect(isRight({ question: numeric, order }, 2)).toBe(false)
    expect(isRight({ question: text, order }, 0)).toBe(false)
    expect(isRight({ question: ordering, order }, [0, 1, 2])).toBe(false)
    expect(isRight({ question: ordering, order }, [0, 1, 2, 3, 3])).toBe(false)
  })

  it('does not fold away an answer of signs only', () => {
    expect(foldText('...')).not.toBe(foldText("''"))
  })

  it('does not care how often a text is folded', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        expect(foldText(foldText(typed))).toBe(foldText(typed))
        expect(foldText(`  ${typed}\t`)).toBe(foldText(typed))
      }),
    )
  })

  it('counts one point a question, none for what was left out', () => {
    fc.assert(
      fc.property(
        randomBelow,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (random, answered) => {
          const paper = drawQuestions(pool, 5, random)
          const given = paper.filter((_, index) => answered[index])
          const answers = new Map(given.map((drawn) => [drawn.question.id, rightAnswerOf(drawn)]))
          expect(judgePaper(paper, answers)).toEqual({ score: given.length, maxScore: 5 })
        },
      ),
    )
  })

  it('passes from the percentage on, in whole points', () => {
    expect(isPassed({ score: 6, maxScore: 10 }, 60)).toBe(true)
    expect(isPassed({ score: 4, maxScore: 8 }, 60)).toBe(false)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 100 }),
        (maxScore, percent) => {
          const needed = pointsToPass(maxScore, percent)
          expect(isPassed({ score: needed, maxScore }, percent)).toBe(true)
          expect(isPassed({ score: needed - 1, maxScore }, percent)).toBe(false)
        },
      ),
    )
  })
})

describe('drawing', () => {
  it('takes different questions of the pool, each with all of its options', () => {
    fc.assert(
      fc.property(randomBelow, fc.integer({ min: 1, max: 5 }), (random, count) => {
        const paper = drawQuestions(pool, count, random)
        expect(new Set(paper.map(({ question }) => question.id)).size).toBe(count)
        for (const { question, order } of paper) {
          const options =
            question.type === 'ordering'
              ? question.items
              : 'options' in question
                ? question.options
                : []

          expect(order.toSorted((a, b) => a - b)).toEqual([...options.keys()])
        }
      }),
    )
  })

  it('never shows an ordering question in its right order', () => {
    fc.assert(
      fc.property(randomBelow, (random) => {
        const [drawn] = drawQuestions([ordering], 1, random)
        expect(drawn && isRight(drawn, [0, 1, 2, 3])).toBe(false)
      }),
    )
  })

  it('keeps every item when it shuffles', () => {
    fc.assert(
      fc.property(randomBelow, fc.array(fc.nat()), (random, items) => {
        expect(shuffled(items, random).toSorted()).toEqual(items.toSorted())
      }),
    )
  })

  it('shows a browser nothing of an answer but the options themselves', () => {
    for (const question of pool) {
      const shown = JSON.stringify(shownQuestion({ question, order: [] }))
      expect(shown).not.toContain(question.explanation)
      for (const secret of ['answer', 'accepted', 'tolerance', 'items', 'KeyError', '2.5']) {
        expect(shown).not.toContain(secret)
      }
    }
  })
})

it('a question shows its unit only if it asks for a number', () => {
  expect(pool.map((question) => shownQuestion({ question, order: [] }).unit)).toEqual([
    null,
    null,
    null,
    'kg',
    null,
  ])
  const plain: ExamQuestion = { ...base, type: 'numeric', id: 'n', answer: 2.5, tolerance: 0.1 }
  expect(shownQuestion({ question: plain, order: [] }).unit).toBeNull()
})

describe('reading an answer from outside', () => {
  const shown = (question: ExamQuestion) => {
    const [drawn] = drawQuestions([question], 1, () => 0)
    return shownQuestion(drawn ?? { question, order: [] })
  }

  it('takes what the question can have as an answer, in one form', () => {
    expect(readAnswer(shown(single), 2)).toBe(2)
    expect(readAnswer(shown(multiple), [3, 0])).toEqual([0, 3])
    expect(readAnswer(shown(multiple), [])).toBeNull()
    expect(readAnswer(shown(ordering), [3, 0, 1, 2])).toEqual([3, 0, 1, 2])
    expect(readAnswer(shown(text), ' len ')).toBe(' len ')
    expect(readAnswer(shown(numeric), '  ')).toBeNull()
  })

  it.each([
    [single, 3],
    [single, -1],
    [single, 0.5],
    [single, '1'],
    [single, [1]],
    [multiple, [0, 0]],
    [multiple, [4]],
    [multiple, 0],
    [ordering, [0, 1, 2]],
    [ordering, [0, 1, 2, 2]],
    [text, 7],
    [text, 'a\0b'],
    [text, 'x'.repeat(201)],
    [numeric, {}],
    [numeric, undefined],
  ])('refuses what cannot be one (%#)', (question, value) => {
    expect(readAnswer(shown(question), value)).toBeUndefined()
  })
})
