/** Whole percent, rounded down; '–' without learners. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.floor((part * 100) / whole)}%`
}
