/**
 * The rules of exam attempts: when a learner may start one, when the answers are shown, and when its time
 * is over.
 */

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
  /** Whether no further attempt can ever start: all are used, and used attempts count forever. */
  isExhausted: boolean
  /**
   * When the next attempt may start, or null if there is nothing to wait for. That is so if it may start
   * now, and if `isExhausted`. The caller refuses to start an attempt while another one is in progress.
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
  const countedStartsMs = listCountedStarts(attemptsWithinDays, attempts, now)

  const remaining = Math.max(0, maxAttempts - countedStartsMs.length)
  if (remaining === 0 && attemptsWithinDays === null) {
    return { remaining, nextStartAt: null, isExhausted: true }
  }

  // The next attempt may start once all of these times have passed.
  const waitEndsMs: number[] = []
  for (const { submittedAt } of attempts) {
    if (submittedAt) {
      waitEndsMs.push(submittedAt.getTime() + minutesBetweenAttempts * minuteMs)
    }
  }

  // At the limit, one attempt has to stop counting first. With a limit of 3, that is the third newest.
  const blockingStartMs = remaining === 0 ? countedStartsMs.at(-maxAttempts) : undefined
  if (blockingStartMs !== undefined && attemptsWithinDays !== null) {
    waitEndsMs.push(blockingStartMs + attemptsWithinDays * dayMs)
  }

  const nextStartMs = Math.max(now.getTime(), ...waitEndsMs)
  const nextStartAt = nextStartMs > now.getTime() ? new Date(nextStartMs) : null

  return { remaining, nextStartAt, isExhausted: false }
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

type ExamStanding = { isPassed: boolean; hasOpenAttempt: boolean; isExhausted: boolean }

/**
 * Returns whether a result shows each question with its correct answer and explanation. Answers stay
 * hidden as long as they could help the learner pass. They are also hidden during an attempt, because
 * it may contain the same questions.
 */
export function canSeeAnswers({ isPassed, hasOpenAttempt, isExhausted }: ExamStanding): boolean {
  return !hasOpenAttempt && (isPassed || isExhausted)
}

/** `deadlineAt` is null for an exam without a time limit. */
type TimedAttempt = { deadlineAt: Date | null }

/** Returns whether the server has to submit an attempt, because its time has run out. */
export function isOverdue({ deadlineAt }: TimedAttempt, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + answerGraceMs
}

/**
 * Returns by how many seconds maintenance that ends now extends an attempt in progress, rounded up. An
 * attempt that was overdue before the maintenance began gets no extra time. An attempt without a deadline
 * gets it, too, because the seconds are left out of the time that the learner needed.
 */
export function computeExtensionSeconds(
  { startedAt, deadlineAt }: TimedAttempt & { startedAt: Date },
  maintenanceStartedAt: Date,
  now: Date,
): number {
  if (isOverdue({ deadlineAt }, maintenanceStartedAt)) {
    return 0
  }

  const interruptionStartMs = Math.max(maintenanceStartedAt.getTime(), startedAt.getTime())
  return Math.max(0, Math.ceil((now.getTime() - interruptionStartMs) / 1000))
}
