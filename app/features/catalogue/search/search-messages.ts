import { byCount } from '~/ui/count-text'

/** When many long searches run at once. */
export const searchesBusy = 'Too many long searches are running. Please try again in a moment.'

/** Said to whoever can’t see the list. */
export function suggestionsFound(count: number): string {
  if (count === 0) return 'No suggestions'
  return byCount(count, '1 suggestion. Use the arrow keys.', `${count} suggestions. Use the arrow keys.`)
}
