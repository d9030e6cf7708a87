/** After the deadline, for an answer that was already on its way. */
export const graceMs = 5_000

/** Whether the server has to hand an attempt in. */
export function isOver({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + graceMs
}

/** The moments at which a screen reader says how much time is left: said once each, never the running clock. */
export function announcementAt(secondsBefore: number, secondsNow: number): string | null {
  const passed = (mark: number) => secondsBefore > mark && secondsNow <= mark
  if (passed(0)) return 'Time’s up. Your answers are being submitted.'
  if (passed(60)) return '1 minute left.'
  if (passed(300)) return '5 minutes left.'
  return null
}
