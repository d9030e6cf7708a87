export type AttemptRules = {
  maxAttempts: number
  /** Only attempts that were started within so many days count; null: all there ever were. */
  attemptsWithinDays: number | null
}

export type AttemptAllowance = {
  /** How many attempts the learner may start now. */
  left: number
  /** When none is left: the moment at which the oldest one that counts no longer does; null if that never comes. */
  nextAt: Date | null
}

const dayMs = 86_400_000

/** @param startedAt of every attempt of the learner's, the one under way included, in any order. */
export function attemptAllowance(
  { maxAttempts, attemptsWithinDays }: AttemptRules,
  startedAt: readonly Date[],
  now: Date,
): AttemptAllowance {
  const windowMs = attemptsWithinDays === null ? Number.POSITIVE_INFINITY : attemptsWithinDays * dayMs
  const counting = startedAt
    .map((moment) => moment.getTime())
    .filter((moment) => now.getTime() - moment < windowMs)
    .toSorted((a, b) => a - b)
  const left = Math.max(0, maxAttempts - counting.length)
  const frees = counting[counting.length - maxAttempts]
  const comes = left === 0 && frees !== undefined && attemptsWithinDays !== null
  return { left, nextAt: comes ? new Date(frees + windowMs) : null }
}

/** The rule as a learner reads it. */
export function attemptRuleText({ maxAttempts, attemptsWithinDays }: AttemptRules): string {
  const attempts = maxAttempts === 1 ? 'one attempt' : `${maxAttempts} attempts`
  const is = maxAttempts === 1 ? 'is' : 'are'
  if (attemptsWithinDays === null) return `There ${is} ${attempts} in all.`
  return `There ${is} ${attempts} within ${attemptsWithinDays === 1 ? '24 hours' : `${attemptsWithinDays} days`}.`
}
