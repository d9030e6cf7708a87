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

/** The courses that a query is about, before its filters narrow them down. */
export type Listing = {
  source: Source
  /** The search after corrections; null without one. */
  search: WordedSearch | null
  /** Courses that only mention the search and aren't shown; null if there can't be any. */
  mentions: Source | null
  /** Whether the list has courses of the specified fields: title, summary and instructor. */
  hasExact: boolean
  showsMentions: boolean
  corrected: CatalogResult['corrected']
}

/** Searches as typed, then for likely corrections if nothing is found. */
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
  const asTyped = await searchFor(connection, query.q, synonyms)
  const { search, found, sources } =
    query.exact || asTyped.found ? asTyped : await correct(connection, asTyped, synonyms)
  // Other courses are offered whatever the filters, because they depend on the specified search
  // only.
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
  sources: Sources
  found: Awaited<ReturnType<typeof findMatchKind>>
}

async function searchFor(
  connection: Connection,
  typed: string,
  synonyms: Synonyms,
): Promise<Search> {
  const search = await readSearch(connection, typed, synonyms)
  const sources = createSources(search)
  return { search, sources, found: await findMatchKind(connection, sources) }
}

async function correct(
  connection: Connection,
  asTyped: Search,
  synonyms: Synonyms,
): Promise<Search> {
  const { typed } = asTyped.search
  let mentioned: Search | undefined
  for (const meant of await listCorrected(connection, typed)) {
    const corrected = await searchFor(connection, meant, synonyms)
    if (corrected.found === 'exact') {
      return corrected
    }

    if (corrected.found) {
      mentioned ??= corrected
    }
  }

  if (mentioned) {
    return mentioned
  }

  for (const meant of await listMistaken(connection, typed)) {
    const corrected = await searchFor(connection, meant, synonyms)
    if (corrected.found === 'exact') {
      return corrected
    }
  }

  return asTyped
}
