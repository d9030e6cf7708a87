import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  displayQuestion,
  drawQuestions,
  getCorrectAnswer,
  isAnswerCorrect,
  listOptions,
  scoreAnswers,
  shuffle,
} from './drawn-question.server'
import { readAnswer } from './question-kinds'
import type { ExamQuestion } from './question-kinds.server'

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

describe('grading', () => {
  it('accepts the right answer in whatever order the options were shown, and no other choice', () => {
    fc.assert(
      fc.property(permutation(3), fc.nat(2), (order, chosen) => {
        const right = getCorrectAnswer({ question: single, order })
        expect(isAnswerCorrect({ question: single, order }, chosen)).toBe(chosen === right)
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
        expect(isAnswerCorrect({ question: multiple, order }, chosen)).toBe(right)
      }),
    )
  })

  it('wants every item in its place', () => {
    fc.assert(
      fc.property(permutation(4), permutation(4), (order, chosen) => {
        const inOrder = chosen.every((place, index) => order[place] === index)
        expect(isAnswerCorrect({ question: ordering, order }, chosen)).toBe(inOrder)
      }),
    )
  })

  it.each(['2.5', '2.4', '2.6', ' 2.55 ', '2,5', '2.5 kg', '2.5KG', '+2.5', '25e-1', '２.５'])(
    'takes %j for 2.5 ± 0.1',
    (typed) => {
      expect(isAnswerCorrect({ question: numeric, order: [] }, typed)).toBe(true)
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
    expect(isAnswerCorrect({ question: numeric, order: [] }, typed)).toBe(false)
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
          expect(isAnswerCorrect({ question, order: [] }, String(end))).toBe(true)
          expect(isAnswerCorrect({ question, order: [] }, String(end + sign * 0.01))).toBe(false)
        }
      }),
    )
  })

  it('takes either reading of a comma that may separate thousands or decimals', () => {
    const question: ExamQuestion = {
      ...base,
      type: 'numeric',
      id: 'n',
      answer: 1.234,
      tolerance: 0,
    }

    expect(isAnswerCorrect({ question, order: [] }, '1,234')).toBe(true)
    expect(isAnswerCorrect({ question: { ...question, answer: 1234 }, order: [] }, '1,234')).toBe(
      true,
    )
    expect(isAnswerCorrect({ question: { ...question, answer: 12.34 }, order: [] }, '1,234')).toBe(
      false,
    )
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
    expect(isAnswerCorrect({ question: text, order: [] }, typed)).toBe(true)
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
    expect(isAnswerCorrect({ question: text, order: [] }, typed)).toBe(false)
  })

  it('wants an answer of the kind that the question has', () => {
    const order = [0, 1, 2, 3]
    for (const question of pool) {
      expect(isAnswerCorrect({ question, order }, null)).toBe(false)
      expect(isAnswerCorrect({ question, order }, '')).toBe(false)
    }

    expect(isAnswerCorrect({ question: single, order }, [1])).toBe(false)
    expect(isAnswerCorrect({ question: numeric, order }, 2)).toBe(false)
    expect(isAnswerCorrect({ question: text, order }, 0)).toBe(false)
    expect(isAnswerCorrect({ question: ordering, order }, [0, 1, 2])).toBe(false)
    expect(isAnswerCorrect({ question: ordering, order }, [0, 1, 2, 3, 3])).toBe(false)
  })

  it('counts one point for each correct answer, and none for an unanswered question', () => {
    fc.assert(
      fc.property(
        randomBelow,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (random, answered) => {
          const paper = drawQuestions(pool, 5, random)
          const answeredQuestions = paper.filter((_, index) => answered[index])
          const answers = new Map(
            answeredQuestions.map((drawn) => [drawn.question.id, getCorrectAnswer(drawn)]),
          )
          expect(scoreAnswers(paper, answers)).toEqual({
            score: answeredQuestions.length,
            maxScore: 5,
          })
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
          expect(order.toSorted((a, b) => a - b)).toEqual([...listOptions(question).keys()])
        }
      }),
    )
  })

  it('never shows an ordering question in its right order', () => {
    fc.assert(
      fc.property(randomBelow, (random) => {
        const [drawn] = drawQuestions([ordering], 1, random)
        expect(drawn && isAnswerCorrect(drawn, [0, 1, 2, 3])).toBe(false)
      }),
    )
  })

  it('keeps every item when it shuffles', () => {
    fc.assert(
      fc.property(randomBelow, fc.array(fc.nat()), (random, items) => {
        expect(shuffle(items, random).toSorted()).toEqual(items.toSorted())
      }),
    )
  })

  it('shows a browser nothing of an answer but the options themselves', () => {
    for (const question of pool) {
      const displayedJson = JSON.stringify(displayQuestion({ question, order: [] }))
      expect(displayedJson).not.toContain(question.explanation)
      for (const secret of ['answer', 'accepted', 'tolerance', 'items', 'KeyError', '2.5']) {
        expect(displayedJson).not.toContain(secret)
      }
    }
  })
})

it('a question shows its unit only if it asks for a number', () => {
  expect(pool.map((question) => displayQuestion({ question, order: [] }).unit)).toEqual([
    null,
    null,
    null,
    'kg',
    null,
  ])

  const questionWithoutUnit: ExamQuestion = {
    ...base,
    type: 'numeric',
    id: 'n',
    answer: 2.5,
    tolerance: 0.1,
  }
  expect(displayQuestion({ question: questionWithoutUnit, order: [] }).unit).toBeNull()
})

describe('reading an answer from a browser', () => {
  const drawAndDisplay = (question: ExamQuestion) => {
    const [drawn] = drawQuestions([question], 1, () => 0)
    return displayQuestion(drawn ?? { question, order: [] })
  }

  it('takes what the question can have as an answer, in one form', () => {
    expect(readAnswer(drawAndDisplay(single), 2)).toBe(2)
    expect(readAnswer(drawAndDisplay(multiple), [3, 0])).toEqual([0, 3])
    expect(readAnswer(drawAndDisplay(multiple), [])).toBeNull()
    expect(readAnswer(drawAndDisplay(ordering), [3, 0, 1, 2])).toEqual([3, 0, 1, 2])
    expect(readAnswer(drawAndDisplay(text), ' len ')).toBe(' len ')
    expect(readAnswer(drawAndDisplay(numeric), '  ')).toBeNull()
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
    expect(readAnswer(drawAndDisplay(question), value)).toBeUndefined()
  })
})
