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
  /** Whether the learner has used all attempts, and none of them ever stops counting. */
  isExhausted: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000

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
  const countedStartsMs = listCountedStarts(attemptsWithinDays, attempts, now)

  const remaining = Math.max(0, maxAttempts - countedStartsMs.length)
  if (remaining === 0 && attemptsWithinDays === null) {
    return { remaining, nextAt: null, isExhausted: true }
  }

  // The next attempt may start once all of these times have passed.
  const waitEndsMs: number[] = []
  for (const { submittedAt } of attempts) {
    if (submittedAt) {
      waitEndsMs.push(submittedAt.getTime() + minutesBetweenAttempts * minuteMs)
    }
  }

  // At the limit, the oldest attempt that fills the limit has to stop counting.
  const blockingStartMs = remaining === 0 ? countedStartsMs.at(-maxAttempts) : undefined
  if (blockingStartMs !== undefined && attemptsWithinDays !== null) {
    waitEndsMs.push(blockingStartMs + attemptsWithinDays * dayMs)
  }

  const nextMs = Math.max(now.getTime(), ...waitEndsMs)
  const nextAt = nextMs > now.getTime() ? new Date(nextMs) : null
  return { remaining, nextAt, isExhausted: false }
}

/** Returns when the counted attempts were started, in milliseconds since 1970, oldest first. */
function listCountedStarts(
  attemptsWithinDays: number | null,
  attempts: readonly AttemptTimes[],
  now: Date,
): number[] {
  const startsMs = attempts.map(({ startedAt }) => startedAt.getTime()).toSorted((a, b) => a - b)
  if (attemptsWithinDays === null) {
    return startsMs
  }

  const periodMs = attemptsWithinDays * dayMs
  return startsMs.filter((startMs) => now.getTime() - startMs < periodMs)
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
 * of attempts in progress. An attempt whose time ran out before maintenance began gets no extra time.
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
