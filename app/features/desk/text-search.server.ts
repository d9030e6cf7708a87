/** Finds people, courses, orders and coupons at the desk by words that staff type or paste. */
import { type SQL, sql } from 'drizzle-orm'
import { createLikePattern } from '~/server/database/like-pattern'
import { cleanText } from '~/ui/form/clean-text'

const maxFilterLength = 200

/** Returns what staff typed into a filter of a list. */
export function readFilterText(search: URLSearchParams, name = 'text'): string {
  return cleanFilterText(search.get(name) ?? '')
}

/** Cleans a text that staff typed, and cuts it to the largest length of a filter. */
export function cleanFilterText(typedText: string): string {
  return cleanText(typedText).slice(0, maxFilterLength)
}

/**
 * Returns the condition that the text contains every word of the search text, in any order. Commas
 * and spaces separate words, so that "Lovelace, Ada" finds Ada Lovelace. The function
 * `fold_search_text` of the database removes case, accents and forms of quotes and dashes. People
 * and orders have an index on its result.
 */
export function containsEveryWord(text: SQL, searchText: string): SQL {
  const words = searchText.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length === 0) {
    return sql`true`
  }

  // `like all (...)` with a list of patterns could not use an index.
  const conditions = words.map(
    (word) => sql`fold_search_text(${text}) like fold_search_text(${createLikePattern(word)})`,
  )
  return sql`(${sql.join(conditions, sql` and `)})`
}
