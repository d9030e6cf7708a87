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
  type Asked,
  type CourseRow,
  countByGroup,
  countCatalog,
  countMatches,
  listCatalogNames,
  listCourseCards,
  type Matches,
  readCatalogPage,
  readMatches,
} from './search-queries.server'
import { type Source, wholeCatalog } from './search-source.server'
import { type Connection, runSearch } from './search-transaction.server'

/** The page of the catalog that a query asks for. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return runSearch(db, (connection) => answer(connection, query))
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
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const list = await readList(connection, listing.source, asked)
  const { page, isPartial } = list
  const total = isPartial ? maxCountedCourses : list.total
  const cards = await listCourseCards(connection, page.ids)

  return {
    category: query.category,
    courses: cards.map((card) => withMarks(card, listing)),
    total,
    orMore: isPartial,
    matches: await countBoth(connection, listing, asked, { total, isPartial }),
    showsMentions: listing.showsMentions,
    corrected: listing.corrected,
    facets: await listFacets(connection, listing, { asked, list, names }),
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives:
      total > 0 ? null : await findAlternatives(connection, query, listing, { asked, names }),
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

  const mention = await countMatches(connection, mentions, asked.chosen)

  return { exact: showsMentions ? total - mention : total, mention }
}

async function listFacets(
  connection: Connection,
  { source }: Listing,
  { asked, list, names }: { asked: Asked; list: CourseList; names: CatalogNames },
): Promise<CatalogResult['facets']> {
  const { chosen } = asked
  const askedWithout = (group: FacetGroup) => ({
    ...asked,
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
    facets[group] = options.map((option) => withName(group, option, names))
  }

  for (const group of namedGroups) {
    const isOwn = chosen[group].length > 0
    const { names: counted, areNamesPartial } = isOwn
      ? await readList(connection, source, askedWithout(group))
      : list
    facets[group] = listNamedOptions(
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
      ? categories.get(option.value)
      : formatFacetOption(group, option.value, (priceMinor) =>
          formatPrice(priceMinor, siteCurrency()),
        )
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
  /** Whether each group's courses were counted without the group's own choices. */
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
  const isNarrowed = choosesAny(asked.chosen, columnGroups) || choosesAny(asked.chosen, namedGroups)
  const found = isNarrowed ? await readFound(connection, wholeCatalog, asked) : null
  if (found && choosesAny(asked.chosen, namedGroups)) {
    return { ...found, page }
  }

  const names = found?.names ?? {
    skill: await listCatalogNames(connection, 'skill'),
    instructor: await listCatalogNames(connection, 'instructor'),
  }
  const { total, options } = await countCatalog(connection, asked.chosen)

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
  { asked, names }: { asked: Asked; names: CatalogNames },
): Promise<NonNullable<CatalogResult['alternatives']>> {
  const words = q.split(' ')
  const shorter: { word: string; q: string; count: number; source: Source }[] = []
  for (const [at, word] of words.length > 1 ? words.slice(0, mostWords).entries() : []) {
    const rest = words.toSpliced(at, 1).join(' ')
    const { source } = await findListing(connection, { q: rest, exact: true, mentions: false })
    const count = await countMatches(connection, source, asked.chosen)
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
      { asked, names },
    ),
  }
}

/** Of the courses that the filters left out, or else of those of fewer words, or of all. */
async function nearestCategories(
  connection: Connection,
  sources: readonly Source[],
  { asked, names }: { asked: Asked; names: CatalogNames },
) {
  const nothingChosen = without(asked.chosen, ...facetGroups)
  for (const source of [...sources, wholeCatalog]) {
    const counted = await countByGroup(connection, source, nothingChosen, 'category')
    if (counted.counts.length === 0) {
      continue
    }

    return listColumnOptions('category', counted, nothingChosen, names)
      .filter(({ value, count }) => names.categories.has(value) && count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostLinks)
      .map(({ value, count }) => ({
        category: value,
        name: names.categories.get(value) ?? value,
        count,
      }))
  }

  return []
}
