import { priceText } from '~/server/content/currency.server'
import type { Database } from '~/server/database/client.server'
import { type Category, categoryNames } from '../course-filters'
import { type CatalogQuery, mostCounted } from './catalog-query'
import type { CatalogCourse, CatalogResult, FacetOption } from './catalog-result'
import { listCorrected, listMistaken } from './corrections.server'
import { listLanguages } from './course-search.server'
import {
  type Chosen,
  countCourses,
  countOptions,
  facetTest,
  listChosen,
  nameOptions,
  packedGroups,
  without,
} from './facet-counts'
import { type FacetGroup, facetGroups, facetName, namedGroups } from './facets'
import { listMarks } from './match-marks'
import type { Synonyms } from './search-plan'
import {
  type Asked,
  type CourseRow,
  countCatalog,
  countFacets,
  findOut,
  listCards,
  listCatalogNames,
  type Matches,
  readCatalogPage,
  readMatches,
  type Source,
  sourcesOf,
  wholeCatalog,
} from './search-queries.server'
import { type Connection, searchWithin } from './search-transaction.server'
import { listSynonyms, readSearch, type WordedSearch } from './search-words.server'

/** The page of the catalog that a query asks for. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return searchWithin(db, (connection) => answer(connection, query))
}

async function answer(connection: Connection, query: CatalogQuery): Promise<CatalogResult> {
  const listing = await findListing(connection, query)
  const asked: Asked = {
    chosen: listChosen(query),
    languages: await listLanguages(connection),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const list = await readList(connection, listing.source, asked)
  const { page, isPartial } = list
  const found = countCourses(list.counts, facetTest(asked.chosen, asked.languages))
  const total = isPartial ? mostCounted : found
  const cards = await listCards(connection, page.ids)
  return {
    courses: cards.map((card) => withMarks(card, listing)),
    total,
    orMore: isPartial,
    matches: await countBoth(connection, listing, asked, { total, isPartial }),
    showsMentions: listing.showsMentions,
    corrected: listing.corrected,
    facets: await listFacets(connection, listing, asked, list),
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives: total > 0 ? null : await findAlternatives(connection, query, listing, asked),
  }
}

/** How a list splits. Beside more courses than are counted, no others are offered. */
async function countBoth(
  connection: Connection,
  { mentions, hasExact, showsMentions }: Listing,
  asked: Asked,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogResult['matches']> {
  if (!hasExact) return { exact: 0, mention: total }
  if (!mentions || isPartial) return { exact: total, mention: 0 }
  const mention = countCourses((await countFacets(connection, mentions, asked)).counts)
  return { exact: showsMentions ? total - mention : total, mention }
}

async function listFacets(
  connection: Connection,
  { source }: Listing,
  asked: Asked,
  list: CourseList,
): Promise<CatalogResult['facets']> {
  const { chosen, languages } = asked
  const askedWithout = (group: FacetGroup) => ({ ...asked, chosen: without(chosen, group), cursor: firstPage })
  const facets: Partial<CatalogResult['facets']> = {}
  for (const group of packedGroups) {
    const isOwn = !list.isWhole && chosen[group].length > 0
    const own = isOwn ? await countFacets(connection, source, askedWithout(group)) : list
    facets[group] = countOptions(group, own, chosen, languages).map((option) => withName(group, option))
  }
  for (const group of namedGroups) {
    const isOwn = chosen[group].length > 0
    const { names, areNamesPartial } = isOwn ? await readList(connection, source, askedWithout(group)) : list
    facets[group] = nameOptions(group, { counts: names[group], isPartial: areNamesPartial }, chosen)
  }
  return facets as CatalogResult['facets']
}

function withName(group: FacetGroup, option: FacetOption): FacetOption {
  const name = facetName(group, option.value, priceText)
  return name === option.value ? option : { ...option, name }
}

function withMarks(card: CourseRow, { search }: Listing): CatalogCourse {
  const marksOf = (text: string) => (search ? listMarks(text, search.plan, search.forms) : [])
  return {
    ...card,
    marks: { title: marksOf(card.title), summary: marksOf(card.summary), instructorName: marksOf(card.instructorName) },
  }
}

type CourseList = Matches & {
  /** Whether the counts are of all courses of the catalog, whatever the filters leave out. */
  isWhole: boolean
  /** Whether names were counted in the first courses only. */
  areNamesPartial: boolean
}

const firstPage: Asked['cursor'] = { after: null, before: null }

/**
 * A page of a source's courses after filters, with the filters' counts; the first page if the requested one is empty.
 */
async function readList(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const list =
    source === wholeCatalog ? await readCatalog(connection, asked) : await readFound(connection, source, asked)
  const isFirst = asked.cursor.after === null && asked.cursor.before === null
  return list.page.ids.length > 0 || isFirst ? list : readList(connection, source, { ...asked, cursor: firstPage })
}

async function readFound(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const matches = await readMatches(connection, source, asked)
  return { ...matches, isWhole: false, areNamesPartial: matches.isPartial }
}

/** Without a search all courses are counted, and pages go on to the last one. */
async function readCatalog(connection: Connection, asked: Asked): Promise<CourseList> {
  const page = await readCatalogPage(connection, asked)
  const isNarrowed = choosesAny(asked.chosen, packedGroups) || choosesAny(asked.chosen, namedGroups)
  const found = isNarrowed ? await readFound(connection, wholeCatalog, asked) : null
  // The facets of a course say nothing of its skills and instructor.
  if (found && choosesAny(asked.chosen, namedGroups)) return { ...found, page }
  const names = found?.names ?? {
    skill: await listCatalogNames(connection, 'skill'),
    instructor: await listCatalogNames(connection, 'instructor'),
  }
  const counts = await countCatalog(connection)
  return { counts, names, page, isPartial: false, isWhole: true, areNamesPartial: found?.isPartial ?? false }
}

function choosesAny(chosen: Chosen, groups: readonly (keyof Chosen)[]): boolean {
  return groups.some((group) => chosen[group].length > 0)
}

/** The courses that a query is about, before its filters narrow them down. */
type Listing = {
  source: Source
  /** The search that was made in the end; null without one. */
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
  if (query.q === '')
    return { source: wholeCatalog, search: null, mentions: null, hasExact: true, showsMentions: false, corrected: null }
  const synonyms = await listSynonyms(connection)
  const asTyped = await searchFor(connection, query.q, synonyms)
  const { search, found, sources } =
    query.exact || asTyped.found ? asTyped : await correct(connection, asTyped, synonyms)
  // Other courses are offered whatever the filters, because they depend on the specified search only.
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

const mostLinks = 3
/** Each is a search of its own. */
const mostWords = 8

/** Suggestions for a search without results. */
async function findAlternatives(
  connection: Connection,
  { q }: CatalogQuery,
  listing: Listing,
  asked: Asked,
): Promise<NonNullable<CatalogResult['alternatives']>> {
  const words = q.split(' ')
  const shorter: { word: string; q: string; count: number; source: Source }[] = []
  for (const [at, word] of words.length > 1 ? words.slice(0, mostWords).entries() : []) {
    const rest = words.filter((_, index) => index !== at).join(' ')
    const { source } = await findListing(connection, { q: rest, exact: true, mentions: false })
    const count = countCourses((await countFacets(connection, source, asked)).counts)
    if (count > 0) shorter.push({ word, q: rest, count, source })
  }
  shorter.sort((a, b) => b.count - a.count)
  return {
    without: shorter.slice(0, mostLinks).map(({ word, q, count }) => ({ word, q, count })),
    categories: await listCategories(connection, [listing.source, ...shorter.map(({ source }) => source)], asked),
  }
}

/** The categories of the nearest courses: of those that the filters left out, or else of those of fewer words, or of all. */
async function listCategories(connection: Connection, sources: readonly Source[], { chosen, ...asked }: Asked) {
  const all = { ...asked, chosen: without(chosen, ...facetGroups) }
  for (const source of [...sources, wholeCatalog]) {
    const list = await readList(connection, source, { ...all, cursor: firstPage })
    if (list.counts.length === 0) continue
    return countOptions('category', list, all.chosen, asked.languages)
      .filter((option): option is typeof option & { value: Category } => isCategory(option.value) && option.count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostLinks)
      .map(({ value, count }) => ({ category: value, count }))
  }
  return []
}

const isCategory = (value: string) => value !== 'all' && Object.hasOwn(categoryNames, value)
