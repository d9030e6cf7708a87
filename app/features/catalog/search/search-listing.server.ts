import type { CatalogQuery, CatalogResult } from './catalog-query'
import { listCorrected, listMistaken } from './corrections.server'
import type { Synonyms } from './search-plan'
import {
  createSources,
  findMatchKind,
  listSynonyms,
  readSearch,
  type Source,
  type Sources,
  type WordedSearch,
  wholeCatalog,
} from './search-source.server'
import type { Connection } from './search-transaction.server'

/** The courses that match the searched text of a query, before the filters narrow them down. */
export type Listing = {
  source: Source
  /** The search after corrections. Null if the query has no searched text. */
  search: WordedSearch | null
  /** Courses that only mention the searched text and aren't shown. Null if there can't be any. */
  mentions: Source | null
  /** Whether a course has the searched text in its title, summary or instructor. */
  hasExact: boolean
  showsMentions: boolean
  corrected: CatalogResult['corrected']
}

/** Searches for the text as it was typed and, if no course matches, for likely corrections. */
export async function findListing(
  connection: Connection,
  query: Pick<CatalogQuery, 'q' | 'exact' | 'mentions'>,
): Promise<Listing> {
  if (query.q === '') {
    return {
      source: wholeCatalog,
      search: null,
      mentions: null,
      hasExact: true,
      showsMentions: false,
      corrected: null,
    }
  }

  const synonyms = await listSynonyms(connection)
  const uncorrected = await searchFor(connection, query.q, synonyms)
  const shouldCorrect = !query.exact && uncorrected.matchKind === null
  const { search, matchKind, sources } = shouldCorrect
    ? await searchForCorrections(connection, uncorrected, synonyms)
    : uncorrected

  const hasExact = matchKind === 'exact'
  // Mentions depend only on the searched text, so that the filters don't decide about them.
  const showsMentions = query.mentions || !hasExact

  return {
    source: showsMentions ? sources.any : sources.exact,
    search,
    mentions: hasExact ? sources.mention : null,
    hasExact,
    showsMentions,
    corrected: search.typed === query.q ? null : { from: query.q, to: search.typed },
  }
}

type SearchOutcome = {
  search: WordedSearch
  sources: Sources
  matchKind: Awaited<ReturnType<typeof findMatchKind>>
}

async function searchFor(
  connection: Connection,
  text: string,
  synonyms: Synonyms,
): Promise<SearchOutcome> {
  const search = await readSearch(connection, text, synonyms)
  const sources = createSources(search)
  return { search, sources, matchKind: await findMatchKind(connection, sources) }
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
  const { typed } = uncorrected.search
  let firstMention: SearchOutcome | undefined

  for (const correction of await listCorrected(connection, typed)) {
    const outcome = await searchFor(connection, correction, synonyms)
    if (outcome.matchKind === 'exact') {
      return outcome
    }

    if (outcome.matchKind === 'mention') {
      firstMention ??= outcome
    }
  }

  if (firstMention) {
    return firstMention
  }

  for (const correction of await listMistaken(connection, typed)) {
    const outcome = await searchFor(connection, correction, synonyms)
    if (outcome.matchKind === 'exact') {
      return outcome
    }
  }

  return uncorrected
}
