import type { CatalogQuery, CatalogResult } from './catalog-query'
import { correctUnknownWords, replaceKnownWord } from './corrections.server'
import {
  type CourseSelection,
  createSelections,
  findBestMatchKind,
  type MatchKind,
  type SearchSelections,
  wholeCatalog,
} from './course-selection.server'
import { type AnalyzedSearch, analyzeSearch, listSynonyms } from './search-analysis.server'
import type { Synonyms } from './search-plan'
import type { Connection } from './search-transaction.server'

/** What the searched text of a query matches, before the filters narrow the courses down. */
export type TextMatch = {
  /** The courses that the list shows, as SQL. */
  selection: CourseSelection
  /** The search after corrections. Null if the query has no searched text. */
  search: AnalyzedSearch | null
  /**
   * Whether a course has the searched text in its title, summary or instructor. If none has, all
   * matching courses only mention the text.
   */
  hasMainMatches: boolean
  /** The courses that only mention the searched text, as SQL, if `selection` leaves them out. */
  hiddenSelection: CourseSelection | null
  correction: CatalogResult['correction']
}

/** Searches for the text as it was typed and, if no course matches, for likely corrections. */
export async function matchText(
  connection: Connection,
  query: Pick<CatalogQuery, 'q' | 'exact' | 'mentions'>,
): Promise<TextMatch> {
  if (query.q === '') {
    return {
      selection: wholeCatalog,
      search: null,
      hasMainMatches: true,
      hiddenSelection: null,
      correction: null,
    }
  }

  const synonyms = await listSynonyms(connection)
  const uncorrected = await trySearch(connection, query.q, synonyms)
  const shouldCorrect = !query.exact && uncorrected.matchKind === 'none'
  const { search, matchKind, selections } = shouldCorrect
    ? await searchForCorrections(connection, uncorrected, synonyms)
    : uncorrected

  const hasMainMatches = matchKind === 'main'
  // Mentions depend only on the searched text, so that the filters don't decide about them.
  const includesMentions = query.mentions || !hasMainMatches

  return {
    selection: includesMentions ? selections.allMatches : selections.mainMatches,
    search,
    hasMainMatches,
    hiddenSelection: includesMentions ? null : selections.mentions,
    correction: search.searchedText === query.q ? null : { from: query.q, to: search.searchedText },
  }
}

type SearchOutcome = {
  search: AnalyzedSearch
  selections: SearchSelections
  matchKind: MatchKind
}

async function trySearch(
  connection: Connection,
  searchedText: string,
  synonyms: Synonyms,
): Promise<SearchOutcome> {
  const search = await analyzeSearch(connection, searchedText, synonyms)
  const selections = createSelections(search)
  const matchKind = await findBestMatchKind(connection, selections)
  return { search, selections, matchKind }
}

/**
 * Returns the first correction that matches courses by title, summary or instructor, else the first
 * one that other texts of a course mention, else the uncorrected search.
 */
async function searchForCorrections(
  connection: Connection,
  uncorrected: SearchOutcome,
  synonyms: Synonyms,
): Promise<SearchOutcome> {
  const { searchedText } = uncorrected.search
  let firstMention: SearchOutcome | undefined

  for (const correction of await correctUnknownWords(connection, searchedText)) {
    const outcome = await trySearch(connection, correction, synonyms)
    if (outcome.matchKind === 'main') {
      return outcome
    }

    if (outcome.matchKind === 'mention') {
      firstMention ??= outcome
    }
  }

  if (firstMention) {
    return firstMention
  }

  for (const correction of await replaceKnownWord(connection, searchedText)) {
    const outcome = await trySearch(connection, correction, synonyms)
    if (outcome.matchKind === 'main') {
      return outcome
    }
  }

  return uncorrected
}
