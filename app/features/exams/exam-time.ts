import { timeLeft } from './exam-messages'

/** After the deadline, for an answer that was already on its way. */
export const graceMs = 5_000

/** Whether the server has to hand an attempt in. */
export function isOver({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + graceMs
}

/**
 * Maintenance takes nobody's time: the clock of an exam under way stands still until it ends. One that was over by then
 * stays over.
 *
 * @param since when the maintenance began that ends now.
 * @returns by how many seconds the deadline moves, rounded up.
 */
export function pausedSeconds(
  { startedAt, deadlineAt }: { startedAt: Date; deadlineAt: Date | null },
  since: Date,
  now: Date,
): number {
  if (isOver({ deadlineAt }, since)) return 0
  const from = Math.max(since.getTime(), startedAt.getTime())
  return Math.max(0, Math.ceil((now.getTime() - from) / 1000))
}

/** The moments at which a screen reader says how much time is left: said once each, never the running clock. */
export function announcementAt(secondsBefore: number, secondsNow: number): string | null {
  const mark = [0, 60, 300].find((seconds) => secondsBefore > seconds && secondsNow <= seconds)
  return mark === undefined ? null : (timeLeft[mark] ?? null)
}
