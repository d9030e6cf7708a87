import type { Database } from '~/server/database/client.server'
import type { CatalogueQuery } from './catalogue-query'
import type { CatalogueResult } from './catalogue-result'
import { listCorrected, listMistaken } from './corrections'
import type { CourseSet } from './course-set'
import type { SearchIndex } from './search-index.server'
import { findMatches, type Matches } from './search-matches.server'
import { planSearch, type SearchPlan } from './search-plan'
import { keepSet } from './set-bytes'

/** The courses that a query is about, before its filters narrow them down. */
export type Listing = {
  /** By the searched fields, what to show first, next ...; the whole catalogue without a search. */
  exact: CourseSet[]
  /** By what else is known; no course is in two of all these sets. */
  mention: CourseSet
  showsMentions: boolean
  corrected: CatalogueResult['corrected']
  /** Of what was searched in the end; null without a search. */
  plan: SearchPlan | null
}

/**
 * @param listed the whole catalogue.
 * @param mostChecked courses of which the rows have to confirm that they have a piece of text; when there are more, only words
 *   find courses.
 * @throws {IndexChanged}
 */
export async function findListing(
  db: Database,
  index: SearchIndex,
  query: Pick<CatalogueQuery, 'q' | 'exact' | 'mentions'>,
  listed: CourseSet,
  { mostChecked = Number.POSITIVE_INFINITY } = {},
): Promise<Listing> {
  if (query.q === '') {
    const mention = index.makeSet()
    return { exact: [listed], mention, showsMentions: false, corrected: null, plan: null }
  }
  const { typed, plan, matches } = await search(db, index, query, mostChecked)
  const exact = [matches.title, matches.words, matches.pieces]
  return {
    exact,
    mention: matches.mention,
    // Whether there are others does not depend on the filters: what the specification says has been found then.
    showsMentions: query.mentions || exact.every((tier) => tier.isEmpty()),
    corrected: typed === query.q ? null : { from: query.q, to: typed },
    plan,
  }
}

/** What a listing shows, in order. */
export function tiersOf({ exact, mention, showsMentions }: Listing): CourseSet[] {
  return showsMentions ? [...exact, mention] : exact
}

type Search = { typed: string; plan: SearchPlan; matches: Matches }

/** Searches as typed, and only when nothing is found for what may have been meant. */
async function search(
  db: Database,
  index: SearchIndex,
  { q, exact }: Pick<CatalogueQuery, 'q' | 'exact'>,
  mostChecked: number,
): Promise<Search> {
  const asTyped = await searchFor(db, index, q, mostChecked)
  if (exact || isFound(asTyped)) return asTyped
  const vocabularies = index.segments.map(({ vocabulary }) => vocabulary)
  let mentioned: Search | undefined
  for (const meant of listCorrected(q, vocabularies)) {
    const corrected = await searchFor(db, index, meant, mostChecked)
    if (isShown(corrected)) return corrected
    if (isFound(corrected)) mentioned ??= corrected
  }
  if (mentioned) return mentioned
  for (const meant of listMistaken(q, vocabularies)) {
    const corrected = await searchFor(db, index, meant, mostChecked)
    if (isShown(corrected)) return corrected
  }
  return asTyped
}

async function searchFor(db: Database, index: SearchIndex, typed: string, mostChecked: number): Promise<Search> {
  const plan = planSearch(typed, index.synonyms)
  const { searches } = index.kept
  const name = `${typed}\t${mostChecked}`
  const kept = searches.get(name)
  if (kept) return { typed, plan, matches: convert(kept, (set) => index.unpack(set)) }
  const matches = await findMatches(db, index, plan, mostChecked)
  searches.set(name, convert(matches, keepSet))
  return { typed, plan, matches }
}

function convert<From, To>({ title, words, pieces, mention }: Matches<From>, each: (set: From) => To): Matches<To> {
  return { title: each(title), words: each(words), pieces: each(pieces), mention: each(mention) }
}

function isFound({ matches }: Search): boolean {
  return Object.values(matches).some((set) => !set.isEmpty())
}

/** In what the specification names, not only in what else is known of a course. */
function isShown({ matches: { title, words, pieces } }: Search): boolean {
  return [title, words, pieces].some((set) => !set.isEmpty())
}

/** A set of its own with the courses of all sets, of which there is at least one. */
export function union([first, ...more]: readonly CourseSet[]): CourseSet {
  if (!first) throw new RangeError('There is no set.')
  return more.reduce((all, set) => all.addAll(set), first.copy())
}
