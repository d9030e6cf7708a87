import { formatPrice } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { siteCurrency } from '~/server/site/site.server'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  type FacetOption,
  maxCountedCourses,
} from './catalog-query'
import {
  type CatalogNames,
  type Chosen,
  columnGroups,
  listChosen,
  listColumnOptions,
  listNamedOptions,
  without,
} from './facet-counts'
import { type FacetGroup, facetGroups, formatFacetOption, namedGroups } from './facets'
import { listMarks } from './match-marks'
import { listCategories, listLanguages } from './search-index.server'
import { findListing, type Listing } from './search-listing.server'
import {
  type CourseRow,
  countByGroup,
  countCatalog,
  countMatches,
  type ListRequest,
  listCatalogNames,
  listCourseCards,
  type Matches,
  readCatalogPage,
  readMatches,
} from './search-queries.server'
import { type Source, wholeCatalog } from './search-source.server'
import { type Connection, runSearch } from './search-transaction.server'

/** Returns the page of the catalog that a query describes. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return runSearch(db, (connection) => readCatalogResult(connection, query))
}

async function readCatalogResult(
  connection: Connection,
  submittedQuery: CatalogQuery,
): Promise<CatalogResult> {
  const names = {
    languages: await listLanguages(connection),
    categories: await listCategories(connection),
  }
  const query = {
    ...submittedQuery,
    category: names.categories.has(submittedQuery.category) ? submittedQuery.category : 'all',
  }
  const listing = await findListing(connection, query)
  const request: ListRequest = {
    chosen: listChosen(query),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const list = await readList(connection, listing.source, request)
  const { page, isPartial } = list
  const total = isPartial ? maxCountedCourses : list.total
  const cards = await listCourseCards(connection, page.ids)

  return {
    category: query.category,
    courses: cards.map((card) => addMarks(card, listing)),
    total,
    orMore: isPartial,
    matches: await countMatchKinds(connection, listing, request, { total, isPartial }),
    showsMentions: listing.showsMentions,
    corrected: listing.corrected,
    facets: await listFacets(connection, listing, { request, list, names }),
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives:
      total > 0 ? null : await findAlternatives(connection, query, listing, { request, names }),
  }
}

/**
 * Counts how many courses of the list match exactly, and how many only mention the searched text. A
 * list with more courses than are counted offers no mentions.
 */
async function countMatchKinds(
  connection: Connection,
  { mentions, hasExact, showsMentions }: Listing,
  request: ListRequest,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogResult['matches']> {
  if (!hasExact) {
    return { exact: 0, mention: total }
  }

  if (!mentions || isPartial) {
    return { exact: total, mention: 0 }
  }

  const mention = await countMatches(connection, mentions, request.chosen)

  return { exact: showsMentions ? total - mention : total, mention }
}

async function listFacets(
  connection: Connection,
  { source }: Listing,
  { request, list, names }: { request: ListRequest; list: CourseList; names: CatalogNames },
): Promise<CatalogResult['facets']> {
  const { chosen } = request
  const getRequestWithout = (group: FacetGroup) => ({
    ...request,
    chosen: without(chosen, group),
    cursor: firstPage,
  })
  const facets: Partial<CatalogResult['facets']> = {}
  for (const group of columnGroups) {
    const needsOwnCount = !list.isWhole && chosen[group].length > 0
    const counted = needsOwnCount
      ? await countByGroup(connection, source, without(chosen, group), group)
      : { counts: list.options[group], isPartial: list.isPartial }
    const options = listColumnOptions(group, counted, chosen, names)
    facets[group] = options.map((option) => addName(group, option, names))
  }

  for (const group of namedGroups) {
    const isOwn = chosen[group].length > 0
    const { names: counted, areNamesPartial } = isOwn
      ? await readList(connection, source, getRequestWithout(group))
      : list
    facets[group] = listNamedOptions(
      group,
      { counts: counted[group], isPartial: areNamesPartial },
      chosen,
    )
  }

  return facets as CatalogResult['facets']
}

function addName(
  group: FacetGroup,
  option: FacetOption,
  { categories }: CatalogNames,
): FacetOption {
  const name =
    group === 'category' && option.value !== 'all'
      ? categories.get(option.value)
      : formatFacetOption(group, option.value, (priceMinor) =>
          formatPrice(priceMinor, siteCurrency()),
        )
  return name === option.value ? option : { ...option, name }
}

function addMarks(card: CourseRow, { search }: Listing): CatalogCourse {
  const findMarks = (text: string) => (search ? listMarks(text, search.plan, search.forms) : [])
  return {
    ...card,
    marks: {
      title: findMarks(card.title),
      summary: findMarks(card.summary),
      instructorName: findMarks(card.instructorName),
    },
  }
}

type CourseList = Matches & {
  /** Whether each group's courses were counted without the group's own choices. */
  isWhole: boolean
  /** Whether names were counted in the first courses only. */
  areNamesPartial: boolean
}

const firstPage: ListRequest['cursor'] = { after: null, before: null }

/**
 * Reads a page of a source's courses after filters, with the counts for the filters. Reads the first
 * page if the requested page is empty.
 */
async function readList(
  connection: Connection,
  source: Source,
  request: ListRequest,
): Promise<CourseList> {
  const list =
    source === wholeCatalog
      ? await readWholeCatalog(connection, request)
      : await readMatchingCourses(connection, source, request)
  const isFirst = request.cursor.after === null && request.cursor.before === null

  return list.page.ids.length > 0 || isFirst
    ? list
    : readList(connection, source, { ...request, cursor: firstPage })
}

async function readMatchingCourses(
  connection: Connection,
  source: Source,
  request: ListRequest,
): Promise<CourseList> {
  const matches = await readMatches(connection, source, request)
  return { ...matches, isWhole: false, areNamesPartial: matches.isPartial }
}

/** Reads a page without a search: all courses are counted, and there are pages up to the last one. */
async function readWholeCatalog(connection: Connection, request: ListRequest): Promise<CourseList> {
  const page = await readCatalogPage(connection, request)
  const isNarrowed =
    hasChoice(request.chosen, columnGroups) || hasChoice(request.chosen, namedGroups)
  const found = isNarrowed ? await readMatchingCourses(connection, wholeCatalog, request) : null
  if (found && hasChoice(request.chosen, namedGroups)) {
    return { ...found, page }
  }

  const names = found?.names ?? {
    skill: await listCatalogNames(connection, 'skill'),
    instructor: await listCatalogNames(connection, 'instructor'),
  }
  const { total, options } = await countCatalog(connection, request.chosen)

  return {
    total,
    options,
    names,
    page,
    isPartial: false,
    isWhole: true,
    areNamesPartial: found?.isPartial ?? false,
  }
}

function hasChoice(chosen: Chosen, groups: readonly (keyof Chosen)[]): boolean {
  return groups.some((group) => chosen[group].length > 0)
}

const maxLinks = 3
/** Each omitted word costs a search of its own. */
const maxOmittedWords = 8

/**
 * Suggests what to do after a search without results: searches without one of the words, and the
 * categories of the nearest courses.
 */
async function findAlternatives(
  connection: Connection,
  { q }: CatalogQuery,
  { source }: Listing,
  { request, names }: { request: ListRequest; names: CatalogNames },
): Promise<NonNullable<CatalogResult['alternatives']>> {
  const words = q.split(' ')
  const shorter: { word: string; q: string; count: number; source: Source }[] = []
  for (const [at, word] of words.length > 1 ? words.slice(0, maxOmittedWords).entries() : []) {
    const rest = words.toSpliced(at, 1).join(' ')
    const { source } = await findListing(connection, { q: rest, exact: true, mentions: false })
    const count = await countMatches(connection, source, request.chosen)
    if (count > 0) {
      shorter.push({ word, q: rest, count, source })
    }
  }

  shorter.sort((a, b) => b.count - a.count)

  return {
    without: shorter.slice(0, maxLinks).map(({ word, q, count }) => ({ word, q, count })),
    categories: await findNearestCategories(
      connection,
      [source, ...shorter.map(({ source }) => source)],
      { request, names },
    ),
  }
}

/**
 * Returns the categories of the first source that has courses. The filters don't apply.
 *
 * @param sources the search itself, then the searches with fewer words
 */
async function findNearestCategories(
  connection: Connection,
  sources: readonly Source[],
  { request, names }: { request: ListRequest; names: CatalogNames },
) {
  const nothingChosen = without(request.chosen, ...facetGroups)
  for (const source of [...sources, wholeCatalog]) {
    const counted = await countByGroup(connection, source, nothingChosen, 'category')
    if (counted.counts.length === 0) {
      continue
    }

    return listColumnOptions('category', counted, nothingChosen, names)
      .filter(({ value, count }) => names.categories.has(value) && count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxLinks)
      .map(({ value, count }) => ({
        category: value,
        name: names.categories.get(value) ?? value,
        count,
      }))
  }

  return []
}
