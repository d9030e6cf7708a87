import type { Suggestion, Suggestions } from './catalog-result'

export type SuggestionGroup = { name: string; options: Suggestion[] }

/** The groups that have something, in the order in which they are shown. */
export function suggestionGroups(suggestions: Suggestions | null): SuggestionGroup[] {
  if (!suggestions) return []
  const groups = [
    { name: 'Courses', options: suggestions.courses },
    { name: 'Instructors', options: suggestions.instructors },
    { name: 'Skills', options: suggestions.skills },
    { name: 'Search for', options: suggestions.words },
  ]
  return groups.filter(({ options }) => options.length > 0)
}

/**
 * Where a key leads in a list of `count` options, by the ARIA combobox pattern.
 *
 * @param active the option that is chosen, -1 while only the field is.
 * @returns null for a key that is the field's own: Home and End move its cursor until an option is chosen.
 */
export function optionForKey(active: number, count: number, key: string): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return active === count - 1 ? -1 : active + 1
  if (key === 'ArrowUp') return active === -1 ? count - 1 : active - 1
  if (active === -1) return null
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
