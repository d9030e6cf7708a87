import { fsrs, Rating } from 'ts-fsrs'

/** The state of a question in the learner's memory, as FSRS describes it. */
export type Memory = { stability: number; difficulty: number }

/** `days` until the question is asked again: whole, at least 1. */
export type Schedule = { memory: Memory; days: number }

/** Whole days only, and the same answers always give the same days. */
const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false, maximum_interval: 365 })

/** After a question was answered wrongly in a quiz or an exam. */
export function missedMemory(): Schedule {
  return scheduleOf(scheduler.next_state(null, 0, Rating.Again), 0)
}

/**
 * After a question was practiced.
 *
 * @param daysSince it was last missed or practiced.
 */
export function practicedMemory(memory: Memory, daysSince: number, right: boolean): Schedule {
  const elapsed = Math.max(0, daysSince)
  return scheduleOf(
    scheduler.next_state(memory, elapsed, right ? Rating.Good : Rating.Again),
    elapsed,
    right,
  )
}

/** A forgotten question returns the next day, however well it was known before. */
function scheduleOf({ stability, difficulty }: Memory, elapsed: number, right = false): Schedule {
  return {
    memory: { stability, difficulty },
    days: right ? scheduler.next_interval(stability, elapsed) : 1,
  }
}
