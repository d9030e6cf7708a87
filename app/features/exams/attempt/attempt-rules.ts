/**
 * The rules of exam attempts: when a learner may start one, when the result shows the correct
 * answers, when the time of an attempt is over, and how maintenance extends it.
 */

export type AttemptRules = {
  maxAttempts: number
  /**
   * An attempt counts for this many days (of 24 hours) after its start. If this is null, attempts
   * count forever.
   */
  attemptsWithinDays: number | null
  /** The pause from the end of an attempt to the start of the next one. */
  minutesBetweenAttempts: number
}

/** When an attempt took place. `submittedAt` is null while the attempt is in progress. */
type AttemptTimes = { startedAt: Date; submittedAt: Date | null }

/**
 * An attempt in progress counts as used. Until it ends, the caller refuses to start another one.
 */
type AttemptAllowance = {
  /** How many attempts the learner has left, even if the next one may not start yet. */
  remaining: number
  /** Whether no further attempt can ever start: none is left, and attempts count forever. */
  isExhausted: boolean
  /**
   * When the next attempt may start. It is null if the attempt may start now, or if `isExhausted`.
   */
  nextStartAt: Date | null
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** How long after the deadline the server still accepts answers that were already on their way. */
export const answerGraceMs = 5_000

/**
 * Computes how many attempts a learner has left and when the next one may start.
 *
 * @param attempts the learner's attempts of this exam, in any order
 */
export function computeAttemptAllowance(
  rules: AttemptRules,
  attempts: readonly AttemptTimes[],
  now: Date,
): AttemptAllowance {
  const { maxAttempts, attemptsWithinDays, minutesBetweenAttempts } = rules
  const countedStarts = listCountedStarts(attemptsWithinDays, attempts, now)
  const remaining = Math.max(0, maxAttempts - countedStarts.length)

  // The next attempt may start once all of these times have passed, in milliseconds since 1970.
  const earliestStarts = [now.getTime()]
  for (const { submittedAt } of attempts) {
    if (submittedAt) {
      earliestStarts.push(submittedAt.getTime() + minutesBetweenAttempts * minuteMs)
    }
  }

  if (remaining === 0) {
    if (attemptsWithinDays === null) {
      return { remaining, nextStartAt: null, isExhausted: true }
    }

    // One attempt has to stop counting. With a limit of 3, it is the third newest attempt.
    const blockingStart = countedStarts.at(-maxAttempts) ?? now.getTime()
    earliestStarts.push(blockingStart + attemptsWithinDays * dayMs)
  }

  const nextStart = Math.max(...earliestStarts)
  const nextStartAt = nextStart > now.getTime() ? new Date(nextStart) : null

  return { remaining, nextStartAt, isExhausted: false }
}

/** Returns when the counted attempts were started, in milliseconds since 1970, oldest first. */
function listCountedStarts(
  attemptsWithinDays: number | null,
  attempts: readonly AttemptTimes[],
  now: Date,
): number[] {
  const starts = attempts.map(({ startedAt }) => startedAt.getTime()).toSorted((a, b) => a - b)
  if (attemptsWithinDays === null) {
    return starts
  }

  const countingMs = attemptsWithinDays * dayMs
  return starts.filter((start) => now.getTime() - start < countingMs)
}

type LearnerExamStatus = { isPassed: boolean; hasOpenAttempt: boolean; isExhausted: boolean }

/**
 * Returns whether the page with an exam's result shows the correct answers and their explanations:
 * only if they can no longer help the learner pass, and not during an attempt, which may contain
 * the same questions.
 */
export function canSeeAnswers(status: LearnerExamStatus): boolean {
  const { isPassed, hasOpenAttempt, isExhausted } = status
  return !hasOpenAttempt && (isPassed || isExhausted)
}

type AttemptDeadline = {
  /** It is null for an exam without a time limit. */
  deadlineAt: Date | null
}

/**
 * Returns whether the server has to submit an attempt: its deadline and the grace period are over.
 */
export function isOverdue({ deadlineAt }: AttemptDeadline, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + answerGraceMs
}

/**
 * Returns how many seconds of an attempt in progress were lost to maintenance, rounded up. The
 * caller adds them to the deadline, and subtracts them from the time that the learner needed. An
 * attempt that was overdue when the maintenance began lost none.
 */
export function computeLostSeconds(
  { startedAt, deadlineAt }: AttemptDeadline & { startedAt: Date },
  maintenance: { startedAt: Date; endedAt: Date },
): number {
  if (isOverdue({ deadlineAt }, maintenance.startedAt)) {
    return 0
  }

  const interruptedAt = Math.max(maintenance.startedAt.getTime(), startedAt.getTime())
  return Math.max(0, Math.ceil((maintenance.endedAt.getTime() - interruptedAt) / 1000))
}
