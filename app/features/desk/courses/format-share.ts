/** Formats a part as whole percent, rounded down, or as '–' if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.floor((part * 100) / whole)}%`
}
