/** The rules that decide when a learner may start an attempt, see answers, and run out of time. */

export type AttemptRules = {
  maxAttempts: number
  /** Only attempts started within this many days count. Null means that all attempts count. */
  attemptsWithinDays: number | null
  /** The pause from the end of an attempt to the start of the next one. */
  minutesBetweenAttempts: number
}

/** When an attempt took place. `submittedAt` is null while the attempt is in progress. */
type AttemptTimes = { startedAt: Date; submittedAt: Date | null }

type AttemptAllowance = {
  /** How many attempts the learner may still start. The pause between attempts is not considered. */
  remaining: number
  /** When the next attempt may start. Null means now, or never if `isExhausted`. */
  nextAt: Date | null
  /** The learner has used all attempts and none of them expires. */
  isExhausted: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Computes how many attempts a learner has and when the next one may start.
 *
 * @param attempts the learner's attempts of this exam, in any order
 */
export function computeAttemptAllowance(
  { maxAttempts, attemptsWithinDays, minutesBetweenAttempts }: AttemptRules,
  attempts: readonly AttemptTimes[],
  now: Date,
): AttemptAllowance {
  const windowMs =
    attemptsWithinDays === null ? Number.POSITIVE_INFINITY : attemptsWithinDays * dayMs
  const countedStarts = attempts
    .map(({ startedAt }) => startedAt.getTime())
    .filter((startedMs) => now.getTime() - startedMs < windowMs)
    .toSorted((a, b) => a - b)

  const remaining = Math.max(0, maxAttempts - countedStarts.length)
  const isExhausted = remaining === 0 && attemptsWithinDays === null
  if (isExhausted) {
    return { remaining, nextAt: null, isExhausted }
  }

  // An attempt becomes free when the oldest start that fills the limit leaves the window.
  const blockingStart = countedStarts.at(-maxAttempts) ?? 0
  const windowEndMs = remaining > 0 ? Number.NEGATIVE_INFINITY : blockingStart + windowMs

  const lastSubmitMs = Math.max(
    ...attempts.map(({ submittedAt }) => submittedAt?.getTime() ?? Number.NEGATIVE_INFINITY),
  )
  const pauseEndMs = lastSubmitMs + minutesBetweenAttempts * minuteMs

  const nextMs = Math.max(windowEndMs, pauseEndMs)
  return { remaining, nextAt: nextMs > now.getTime() ? new Date(nextMs) : null, isExhausted }
}

type ExamProgress = { isPassed: boolean; hasOpenAttempt: boolean; isExhausted: boolean }

/**
 * Returns whether a result shows each question with its correct answer and explanation. Answers stay
 * hidden as long as they could help the learner pass. They are also hidden during an attempt, because
 * it may contain the same questions.
 */
export function canSeeAnswers({ isPassed, hasOpenAttempt, isExhausted }: ExamProgress): boolean {
  return !hasOpenAttempt && (isPassed || isExhausted)
}

/** How long after the deadline the server still accepts answers that were already on their way. */
export const answerGraceMs = 5_000

type Deadline = { deadlineAt: Date | null }

/** Returns whether the server has to submit an attempt, because its time has run out. */
export function isOverdue({ deadlineAt }: Deadline, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + answerGraceMs
}

/**
 * Returns by how many seconds maintenance extends an attempt, rounded up. Maintenance stops the clock
 * of running exams. An exam whose time ran out before maintenance began gets no extra time.
 *
 * @param maintenanceStart when the maintenance began that ends now
 */
export function computePausedSeconds(
  { startedAt, deadlineAt }: Deadline & { startedAt: Date },
  maintenanceStart: Date,
  now: Date,
): number {
  if (isOverdue({ deadlineAt }, maintenanceStart)) {
    return 0
  }

  const pauseStartMs = Math.max(maintenanceStart.getTime(), startedAt.getTime())
  return Math.max(0, Math.ceil((now.getTime() - pauseStartMs) / 1000))
}
