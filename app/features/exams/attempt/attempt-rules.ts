import { timeLeft } from '../exam-messages'

export type AttemptRules = {
  maxAttempts: number
  /** Only attempts started within this many days count; null: all attempts. */
  attemptsWithinDays: number | null
  /** From the end of an attempt to the start of the next one. */
  minutesBetweenAttempts: number
}

/** A learner's attempt; `submittedAt` is null while it is in progress. */
export type AttemptTimes = { startedAt: Date; submittedAt: Date | null }

export type AttemptAllowance = {
  /** How many attempts are left, ignoring the pause. */
  left: number
  /** When the next one may begin; null if that is now, or never. */
  nextAt: Date | null
  /** No attempts are left, and none will come back. */
  usedUp: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** @param attempts every one of the learner's, in any order. */
export function attemptAllowance(
  { maxAttempts, attemptsWithinDays, minutesBetweenAttempts }: AttemptRules,
  attempts: readonly AttemptTimes[],
  now: Date,
): AttemptAllowance {
  const windowMs =
    attemptsWithinDays === null ? Number.POSITIVE_INFINITY : attemptsWithinDays * dayMs
  const counting = attempts
    .map(({ startedAt }) => startedAt.getTime())
    .filter((startedMs) => now.getTime() - startedMs < windowMs)
    .toSorted((a, b) => a - b)
  const left = Math.max(0, maxAttempts - counting.length)
  const usedUp = left === 0 && attemptsWithinDays === null
  const lastEnd = Math.max(
    ...attempts.map(({ submittedAt }) => submittedAt?.getTime() ?? Number.NEGATIVE_INFINITY),
  )
  const freed =
    left > 0 ? Number.NEGATIVE_INFINITY : (counting[counting.length - maxAttempts] ?? 0) + windowMs
  const next = Math.max(freed, lastEnd + minutesBetweenAttempts * minuteMs)

  return { left, nextAt: usedUp || next <= now.getTime() ? null : new Date(next), usedUp }
}

/**
 * Whether a result shows each question, with right or wrong, the correct answer and its
 * explanation: only once that can't help the learner pass, and not while an attempt is under way,
 * which may ask the same questions.
 */
export function answersAreShown(exam: {
  passed: boolean
  underWay: boolean
  usedUp: boolean
}): boolean {
  return !exam.underWay && (exam.passed || exam.usedUp)
}

/** After the deadline, for an answer that was already on its way. */
export const graceMs = 5_000

/** Whether the server has to hand an attempt in. */
export function isOver({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + graceMs
}

/**
 * Maintenance stops the clock of an exam under way. An exam that was over before it began stays
 * over.
 *
 * @param since when the maintenance began that ends now.
 * @returns by how many seconds the deadline moves, rounded up.
 */
export function pausedSeconds(
  { startedAt, deadlineAt }: { startedAt: Date; deadlineAt: Date | null },
  since: Date,
  now: Date,
): number {
  if (isOver({ deadlineAt }, since)) {
    return 0
  }

  const from = Math.max(since.getTime(), startedAt.getTime())
  return Math.max(0, Math.ceil((now.getTime() - from) / 1000))
}

/** Screen reader announcements at 5 minutes, 1 minute and the end, once each. */
export function announcementAt(secondsBefore: number, secondsNow: number): string | null {
  const mark = [0, 60, 300].find((seconds) => secondsBefore > seconds && secondsNow <= seconds)
  return mark === undefined ? null : (timeLeft[mark] ?? null)
}
