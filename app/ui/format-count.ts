const grouped = new Intl.NumberFormat('en-US')

/** Like '45,230'. */
export function formatNumber(number: number): string {
  return number >= 0 && number < 1000 && Number.isInteger(number)
    ? String(number)
    : grouped.format(number)
}

/**
 * The form that fits a count, each a whole sentence: nothing is put together, so that all can be
 * translated.
 */
export function byCount(count: number, one: string, more: string): string {
  return count === 1 ? one : more
}

/**
 * A figure that stands alone: '1 day' or '45,230 students'. A sentence with a count is chosen by
 * `byCount`.
 */
export function formatCount(count: number, one: string, more: string): string {
  return `${formatNumber(count)} ${byCount(count, one, more)}`
}
