/**
 * Decides after how many days a question returns in practice, by the algorithm FSRS (Free Spaced
 * Repetition Scheduler).
 */
import { fsrs, Rating } from 'ts-fsrs'

/** How well a learner remembers a question, in the terms of FSRS. */
type Memory = { stability: number; difficulty: number }

/** `days` is the whole number of days until the question returns, at least 1. */
export type Schedule = { memory: Memory; days: number }

/** The scheduler counts whole days. Without fuzz, the same answers always give the same days. */
const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false, maximum_interval: 365 })

/** Schedules a question that was answered wrongly in a quiz or an exam. */
export function scheduleMissedQuestion(): Schedule {
  return { memory: toMemory(scheduler.next_state(null, 0, Rating.Again)), days: 1 }
}

/**
 * Schedules a question that was practiced. A wrongly answered question returns the next day,
 * however well the learner knew it before.
 *
 * @param daysSince the number of days since the question was last missed or practiced
 */
export function schedulePracticedQuestion(
  memory: Memory,
  daysSince: number,
  isRight: boolean,
): Schedule {
  const elapsedDays = Math.max(0, daysSince)
  const rating = isRight ? Rating.Good : Rating.Again
  const nextMemory = toMemory(scheduler.next_state(memory, elapsedDays, rating))
  const days = isRight ? scheduler.next_interval(nextMemory.stability, elapsedDays) : 1

  return { memory: nextMemory, days }
}

function toMemory({ stability, difficulty }: Memory): Memory {
  return { stability, difficulty }
}
