/** Finds people, courses and coupons at the desk by words of a text that staff type or paste. */
import { type SQL, sql } from 'drizzle-orm'
import { createLikePattern } from '~/features/catalog/search/course-selection.server'
import { cleanText } from '~/ui/form/clean-text'

const maxFilterLength = 200

/** Returns what staff typed into a filter of a list. */
export function readFilterText(search: URLSearchParams, name = 'text'): string {
  return cleanFilterText(search.get(name) ?? '')
}

export function cleanFilterText(typedText: string): string {
  return cleanText(typedText).slice(0, maxFilterLength)
}

/**
 * Returns a LIKE pattern for titles that contain the text. Titles have typographic quotes and dashes,
 * so that each quote and dash of the text stands for any one character. Unlike the functions below,
 * the pattern can use an index.
 */
export function createTitlePattern(text: string): string {
  return createLikePattern(text).replaceAll(/['"-]/g, '_')
}

/** Accents after decomposition, and invisible characters that are copied along with a text. */
const ignoredCharacters = String.raw`[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]`

/** Letters and signs that decomposition keeps, each above the one that people type for it. */
const specialCharacters = '‘’‛ʼʻ′“”„‟‐‒–—―−øłđı'
const typedCharacters = `''''''""""------oldi`
const sharpS = 'ß'

/** Returns the text without case, accents and forms of quotes and dashes. */
function foldText(text: SQL): SQL {
  const plainText = sql`regexp_replace(normalize(${text}, NFKD), ${ignoredCharacters}, '', 'g')`
  const lowerText = sql`replace(lower(${plainText}), ${sharpS}, 'ss')`

  return sql`translate(${lowerText}, ${specialCharacters}, ${typedCharacters})`
}

/**
 * Returns the condition that the text contains every word of the search text, in any order. Commas
 * and spaces separate words, so that "Lovelace, Ada" finds Ada Lovelace.
 */
export function containsEveryWord(text: SQL, searchText: string): SQL {
  const words = searchText.split(/[\s,;]+/).filter((word) => word !== '')
  const patterns = sql.param(words.map(createLikePattern))
  const foldedPatterns = sql`select ${foldText(sql`pattern`)} from unnest(${patterns}::text[]) pattern`

  return sql`${foldText(text)} like all (array(${foldedPatterns}))`
}
