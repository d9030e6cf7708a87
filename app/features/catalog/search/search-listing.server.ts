import type { CatalogueQuery } from './catalog-query'
import type { CatalogueResult } from './catalog-result'
import { listCorrected, listMistaken } from './corrections.server'
import { findOut, type Source, sourcesOf, wholeCatalog } from './matches.server'
import type { Synonyms } from './search-plan'
import type { Connection } from './search-transaction.server'
import { listSynonyms, readSearch, type WordedSearch } from './search-words.server'

/** The courses that a query is about, before its filters narrow them down. */
export type Listing = {
  source: Source
  /** The search that was made in the end; null without one. */
  search: WordedSearch | null
  /** Courses that only mention what is searched for, and aren't shown; null if there can't be any. */
  mentions: Source | null
  /** Whether the list has courses of the specified fields: title, summary and instructor. */
  hasExact: boolean
  showsMentions: boolean
  corrected: CatalogueResult['corrected']
}

/** Searches as typed, and only when nothing is found for what may have been meant. */
export async function findListing(
  connection: Connection,
  query: Pick<CatalogueQuery, 'q' | 'exact' | 'mentions'>,
): Promise<Listing> {
  if (query.q === '')
    return { source: wholeCatalog, search: null, mentions: null, hasExact: true, showsMentions: false, corrected: null }
  const synonyms = await listSynonyms(connection)
  const asTyped = await searchFor(connection, query.q, synonyms)
  const { search, found, sources } =
    query.exact || asTyped.found ? asTyped : await correct(connection, asTyped, synonyms)
  // Whether there are others does not depend on the filters: what the specification says has been found then.
  const showsMentions = query.mentions || found !== 'exact'
  return {
    source: showsMentions ? sources.any : sources.exact,
    search,
    mentions: found === 'exact' ? sources.mention : null,
    hasExact: found === 'exact',
    showsMentions,
    corrected: search.typed === query.q ? null : { from: query.q, to: search.typed },
  }
}

type Search = {
  search: WordedSearch
  sources: ReturnType<typeof sourcesOf>
  found: Awaited<ReturnType<typeof findOut>>
}

async function searchFor(connection: Connection, typed: string, synonyms: Synonyms): Promise<Search> {
  const search = await readSearch(connection, typed, synonyms)
  const sources = sourcesOf(search)
  return { search, sources, found: await findOut(connection, sources) }
}

async function correct(connection: Connection, asTyped: Search, synonyms: Synonyms): Promise<Search> {
  const { typed } = asTyped.search
  let mentioned: Search | undefined
  for (const meant of await listCorrected(connection, typed)) {
    const corrected = await searchFor(connection, meant, synonyms)
    if (corrected.found === 'exact') return corrected
    if (corrected.found) mentioned ??= corrected
  }
  if (mentioned) return mentioned
  for (const meant of await listMistaken(connection, typed)) {
    const corrected = await searchFor(connection, meant, synonyms)
    if (corrected.found === 'exact') return corrected
  }
  return asTyped
}
