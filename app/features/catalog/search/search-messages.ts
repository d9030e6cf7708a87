import { byCount } from '~/ui/format-count'

/** When PostgreSQL needs more than a second, which a few signs in a very large catalog may take. */
export const searchTooLong =
  'This search takes too long right now. Try again in a moment, or add a word.'

/** Announced by screen readers. */
export function suggestionsFound(count: number): string {
  if (count === 0) {
    return 'No suggestions'
  }

  return byCount(
    count,
    '1 suggestion. Use the arrow keys.',
    `${count} suggestions. Use the arrow keys.`,
  )
}
