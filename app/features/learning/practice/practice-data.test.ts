import { expect, it } from 'vitest'
import { getQuestionPosition, type PracticeToday } from './practice-data'

const today: PracticeToday = {
  practicedCount: 0,
  remainingCount: 0,
  correctCount: 0,
  nextDueDay: null,
}

it('the next question comes after the practiced ones', () => {
  const position = getQuestionPosition(
    { ...today, practicedCount: 2, remainingCount: 3 },
    { isAnswered: false },
  )
  expect(position).toEqual({ number: 3, count: 5, percent: 40 })
})

it('an answered question is counted as practiced', () => {
  const position = getQuestionPosition(
    { ...today, practicedCount: 5, remainingCount: 0 },
    { isAnswered: true },
  )
  expect(position).toEqual({ number: 5, count: 5, percent: 100 })
})

it('an answered question that is not counted today is the first one', () => {
  expect(getQuestionPosition(today, { isAnswered: true })).toEqual({
    number: 1,
    count: 1,
    percent: 0,
  })
})
