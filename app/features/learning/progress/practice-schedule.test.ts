import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Schedule,
  scheduleMissedQuestion,
  schedulePracticedQuestion,
} from './practice-schedule'

/** An answer that is given on the day on which its question is due, or `daysLate` days later. */
type PracticeAnswer = { isRight: boolean; daysLate: number }

const anyAnswers = fc.array(
  fc.record({ isRight: fc.boolean(), daysLate: fc.integer({ min: 0, max: 400 }) }),
  { maxLength: 30 },
)

/** Returns the first schedule of a question, and the schedule after each answer. */
function listSchedules(answers: readonly PracticeAnswer[]): Schedule[] {
  const schedules = [scheduleMissedQuestion()]
  for (const { isRight, daysLate } of answers) {
    const { memory, days } = schedules.at(-1) ?? scheduleMissedQuestion()
    schedules.push(schedulePracticedQuestion(memory, days + daysLate, isRight))
  }

  return schedules
}

describe('the days until a question is due again', () => {
  it('are whole, from the next day to a year, whatever was answered', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        for (const { memory, days } of listSchedules(answers)) {
          expect(Number.isInteger(days) && days >= 1 && days <= 365).toBe(true)
          expect(memory.stability).toBeGreaterThan(0)
          expect(memory.difficulty >= 1 && memory.difficulty <= 10).toBe(true)
        }
      }),
    )
  })

  it('never shrink while every answer is right, and are one after each wrong one', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        const schedules = listSchedules(answers)
        for (const [index, { isRight }] of answers.entries()) {
          const daysBefore = schedules[index]?.days ?? 0
          const daysAfter = schedules[index + 1]?.days
          if (isRight) {
            expect(daysAfter).toBeGreaterThanOrEqual(daysBefore)
          } else {
            expect(daysAfter).toBe(1)
          }
        }
      }),
    )
  })

  it('grow from a day to months in six right answers', () => {
    const rightAnswers = Array.from({ length: 6 }, () => ({ isRight: true, daysLate: 0 }))
    const days = listSchedules(rightAnswers).map((schedule) => schedule.days)

    expect(days).toEqual([1, 2, 6, 17, 44, 102, 220])
  })
})
