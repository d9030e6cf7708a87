/** Upper bounds in seconds: from a kept page to what no one waits for. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** A histogram of seconds in plain numbers, because most of them are counted on every request. */
export class Durations {
  /** How many lasted up to the bound of the same place and longer than the one before; the last: longer than all. */
  readonly counts = new Array<number>(durationBounds.length + 1).fill(0)
  sum = 0

  note(seconds: number): void {
    const place = durationBounds.findIndex((bound) => seconds <= bound)
    const at = place === -1 ? durationBounds.length : place
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += seconds
  }
}
