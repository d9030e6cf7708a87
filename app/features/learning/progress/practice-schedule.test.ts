import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Schedule,
  scheduleMissedQuestion,
  schedulePracticedQuestion,
} from './practice-schedule'

const answers = fc.array(
  fc.record({ right: fc.boolean(), late: fc.integer({ min: 0, max: 400 }) }),
  { maxLength: 30 },
)

/** A learner who practices each question when it is due, or some days later. */
function practice(given: readonly { right: boolean; late: number }[]): Schedule[] {
  const schedules = [scheduleMissedQuestion()]
  for (const { right, late } of given) {
    const { memory, days } = schedules.at(-1) ?? scheduleMissedQuestion()
    schedules.push(schedulePracticedQuestion(memory, days + late, right))
  }

  return schedules
}

describe('the days until a question comes back', () => {
  it('are whole, from the next day to a year, whatever was answered', () => {
    fc.assert(
      fc.property(answers, (given) => {
        for (const { memory, days } of practice(given)) {
          expect(Number.isInteger(days) && days >= 1 && days <= 365).toBe(true)
          expect(memory.stability).toBeGreaterThan(0)
          expect(memory.difficulty >= 1 && memory.difficulty <= 10).toBe(true)
        }
      }),
    )
  })

  it('never shrink while every answer is right, and are one after each wrong one', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const schedules = practice(given)
        for (const [index, { right }] of given.entries()) {
          const [before, after] = [schedules[index], schedules[index + 1]]
          if (right) {
            expect(after?.days).toBeGreaterThanOrEqual(before?.days ?? 0)
          } else {
            expect(after?.days).toBe(1)
          }
        }
      }),
    )
  })

  it('grow from a day to months in six right answers', () => {
    const days = practice(Array.from({ length: 6 }, () => ({ right: true, late: 0 }))).map(
      (schedule) => schedule.days,
    )
    expect(days).toEqual([1, 2, 6, 17, 44, 102, 220])
  })
})
