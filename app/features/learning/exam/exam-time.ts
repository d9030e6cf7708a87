/** After the deadline, for an answer that was already on its way. */
export const graceMs = 5_000

/** Whether the server has to hand an attempt in. */
export function isOver({ deadlineAt }: { deadlineAt: Date | null }, now: Date): boolean {
  return deadlineAt !== null && now.getTime() > deadlineAt.getTime() + graceMs
}

/** Minutes and seconds, for example 14:05; an hour has 60 minutes and is not split. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** The moments at which a screen reader says how much time is left: said once each, never the running clock. */
export function announcementAt(secondsBefore: number, secondsNow: number): string | null {
  const passed = (mark: number) => secondsBefore > mark && secondsNow <= mark
  if (passed(0)) return 'The time is over. Your answers are being handed in.'
  if (passed(60)) return '1 minute left.'
  if (passed(300)) return '5 minutes left.'
  return null
}
