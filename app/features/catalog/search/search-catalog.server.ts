import { formatPrice } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { siteCurrency } from '~/server/site/site.server'
import { type CatalogQuery, mostCounted } from './catalog-query'
import type { CatalogCourse, CatalogResult, FacetOption } from './catalog-result'
import {
  type CatalogNames,
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
import { listCategories, listLanguages } from './search-index.server'
import { findListing, type Listing } from './search-listing.server'
import {
  type Asked,
  type CourseRow,
  countCatalog,
  countFacets,
  listCards,
  listCatalogNames,
  type Matches,
  readCatalogPage,
  readMatches,
} from './search-queries.server'
import { type Source, wholeCatalog } from './search-source.server'
import { type Connection, searchWithin } from './search-transaction.server'

/** The page of the catalog that a query asks for. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return searchWithin(db, (connection) => answer(connection, query))
}

async function answer(connection: Connection, asking: CatalogQuery): Promise<CatalogResult> {
  const names = {
    languages: await listLanguages(connection),
    categories: await listCategories(connection),
  }
  const query = {
    ...asking,
    category: names.categories.has(asking.category) ? asking.category : 'all',
  }
  const listing = await findListing(connection, query)
  const asked: Asked = {
    chosen: listChosen(query),
    names,
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const list = await readList(connection, listing.source, asked)
  const { page, isPartial } = list
  const found = countCourses(list.counts, facetTest(asked.chosen, names))
  const total = isPartial ? mostCounted : found
  const cards = await listCards(connection, page.ids)

  return {
    category: query.category,
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

/** How the list splits. A list of more courses than are counted offers no others. */
async function countBoth(
  connection: Connection,
  { mentions, hasExact, showsMentions }: Listing,
  asked: Asked,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogResult['matches']> {
  if (!hasExact) {
    return { exact: 0, mention: total }
  }

  if (!mentions || isPartial) {
    return { exact: total, mention: 0 }
  }

  const mention = countCourses((await countFacets(connection, mentions, asked)).counts)

  return { exact: showsMentions ? total - mention : total, mention }
}

async function listFacets(
  connection: Connection,
  { source }: Listing,
  asked: Asked,
  list: CourseList,
): Promise<CatalogResult['facets']> {
  const { chosen, names } = asked
  const askedWithout = (group: FacetGroup) => ({
    ...asked,
    chosen: without(chosen, group),
    cursor: firstPage,
  })
  const facets: Partial<CatalogResult['facets']> = {}
  for (const group of packedGroups) {
    const isOwn = !list.isWhole && chosen[group].length > 0
    const own = isOwn ? await countFacets(connection, source, askedWithout(group)) : list
    facets[group] = countOptions(group, own, chosen, names).map((option) =>
      withName(group, option, names),
    )
  }

  for (const group of namedGroups) {
    const isOwn = chosen[group].length > 0
    const { names: counted, areNamesPartial } = isOwn
      ? await readList(connection, source, askedWithout(group))
      : list
    facets[group] = nameOptions(
      group,
      { counts: counted[group], isPartial: areNamesPartial },
      chosen,
    )
  }

  return facets as CatalogResult['facets']
}

function withName(
  group: FacetGroup,
  option: FacetOption,
  { categories }: CatalogNames,
): FacetOption {
  const name =
    group === 'category' && option.value !== 'all'
      ? categories.get(option.value)?.name
      : facetName(group, option.value, (priceMinor) => formatPrice(priceMinor, siteCurrency()))
  return name === option.value ? option : { ...option, name }
}

function withMarks(card: CourseRow, { search }: Listing): CatalogCourse {
  const marksOf = (text: string) => (search ? listMarks(text, search.plan, search.forms) : [])
  return {
    ...card,
    marks: {
      title: marksOf(card.title),
      summary: marksOf(card.summary),
      instructorName: marksOf(card.instructorName),
    },
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
 * A page of a source's courses after filters, with the filters' counts; the first page if the
 * requested one is empty.
 */
async function readList(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const list =
    source === wholeCatalog
      ? await readCatalog(connection, asked)
      : await readFound(connection, source, asked)
  const isFirst = asked.cursor.after === null && asked.cursor.before === null

  return list.page.ids.length > 0 || isFirst
    ? list
    : readList(connection, source, { ...asked, cursor: firstPage })
}

async function readFound(
  connection: Connection,
  source: Source,
  asked: Asked,
): Promise<CourseList> {
  const matches = await readMatches(connection, source, asked)
  return { ...matches, isWhole: false, areNamesPartial: matches.isPartial }
}

/** Without a search, all courses are counted, and there are pages up to the last course. */
async function readCatalog(connection: Connection, asked: Asked): Promise<CourseList> {
  const page = await readCatalogPage(connection, asked)
  const isNarrowed = choosesAny(asked.chosen, packedGroups) || choosesAny(asked.chosen, namedGroups)
  const found = isNarrowed ? await readFound(connection, wholeCatalog, asked) : null
  // `countCatalog` knows no skills and instructors.
  if (found && choosesAny(asked.chosen, namedGroups)) {
    return { ...found, page }
  }

  const names = found?.names ?? {
    skill: await listCatalogNames(connection, 'skill'),
    instructor: await listCatalogNames(connection, 'instructor'),
  }
  const counts = await countCatalog(connection)

  return {
    counts,
    names,
    page,
    isPartial: false,
    isWhole: true,
    areNamesPartial: found?.isPartial ?? false,
  }
}

function choosesAny(chosen: Chosen, groups: readonly (keyof Chosen)[]): boolean {
  return groups.some((group) => chosen[group].length > 0)
}

const mostLinks = 3
/** Each is a search of its own. */
const mostWords = 8

/**
 * Suggestions for a search without results: fewer words, and the categories of the nearest courses.
 */
async function findAlternatives(
  connection: Connection,
  { q }: CatalogQuery,
  { source }: Listing,
  asked: Asked,
): Promise<NonNullable<CatalogResult['alternatives']>> {
  const words = q.split(' ')
  const shorter: { word: string; q: string; count: number; source: Source }[] = []
  for (const [at, word] of words.length > 1 ? words.slice(0, mostWords).entries() : []) {
    const rest = words.toSpliced(at, 1).join(' ')
    const { source } = await findListing(connection, { q: rest, exact: true, mentions: false })
    const count = countCourses((await countFacets(connection, source, asked)).counts)
    if (count > 0) {
      shorter.push({ word, q: rest, count, source })
    }
  }

  shorter.sort((a, b) => b.count - a.count)

  return {
    without: shorter.slice(0, mostLinks).map(({ word, q, count }) => ({ word, q, count })),
    categories: await nearestCategories(
      connection,
      [source, ...shorter.map(({ source }) => source)],
      asked,
    ),
  }
}

/** Of the courses that the filters left out, or else of those of fewer words, or of all. */
async function nearestCategories(
  connection: Connection,
  sources: readonly Source[],
  { chosen, names }: Asked,
) {
  const all = { names, chosen: without(chosen, ...facetGroups) }
  for (const source of [...sources, wholeCatalog]) {
    const counted = await countFacets(connection, source, all)
    if (counted.counts.length === 0) {
      continue
    }

    return countOptions('category', counted, all.chosen, names)
      .filter(({ value, count }) => names.categories.has(value) && count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostLinks)
      .map(({ value, count }) => ({
        category: value,
        name: names.categories.get(value)?.name ?? value,
        count,
      }))
  }

  return []
}
