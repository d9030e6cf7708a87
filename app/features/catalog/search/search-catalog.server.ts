/**
 * Answers a query of the catalog: a page of courses, the number of all matching courses, and each
 * filter option with the number of courses that it would leave.
 *
 * The counts of a group of filters ignore the group's own chosen options, so that a visitor sees
 * what choosing another option would add ("disjunctive facets"). Without a searched text and without a
 * chosen skill or instructor, all courses are counted. Otherwise at most `maxCountedCourses` are counted,
 * and the counts are marked as partial if there are more.
 */
import { formatPrice } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { siteCurrency } from '~/server/site/site.server'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  emptyCatalogQuery,
  type FacetOption,
  maxCountedCourses,
} from './catalog-query'
import { type CourseSelection, wholeCatalog } from './course-selection.server'
import {
  type ChosenOptions,
  type ContentOptions,
  clearGroup,
  columnGroups,
  createColumnOptions,
  createNamedOptions,
  getChosenOptions,
} from './facet-counts'
import { type FacetGroup, formatFacetOption, namedGroups } from './facets'
import { listMarks } from './match-marks'
import { listCategories, listLanguages } from './search-index.server'
import {
  type CountedPage,
  type CourseCardData,
  countByGroup,
  countCatalog,
  countCatalogNames,
  countCourses,
  listCourseCards,
  type PageQuery,
  readCatalogPage,
  readCountedPage,
} from './search-queries.server'
import { type Connection, runSearch } from './search-transaction.server'
import { matchText, type TextMatch } from './text-match.server'

/** Returns the page of the catalog that a query describes. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return runSearch(db, (connection) => readCatalogResult(connection, query))
}

async function readCatalogResult(
  connection: Connection,
  submittedQuery: CatalogQuery,
): Promise<CatalogResult> {
  const contentOptions: ContentOptions = {
    languages: await listLanguages(connection),
    categories: await listCategories(connection),
  }
  const isCategory = contentOptions.categories.has(submittedQuery.category)
  const query = { ...submittedQuery, category: isCategory ? submittedQuery.category : 'all' }

  const textMatch = await matchText(connection, query)
  const pageQuery: PageQuery = {
    chosenOptions: getChosenOptions(query),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const facetedPage = await readFacetedPage(connection, textMatch.selection, pageQuery)
  const { page, isPartial } = facetedPage
  const total = isPartial ? maxCountedCourses : facetedPage.total
  const cards = await listCourseCards(connection, page.ids)

  return {
    category: query.category,
    courses: cards.map((card) => addMarks(card, textMatch)),
    total,
    orMore: isPartial,
    matches: await countMatchKinds(connection, textMatch, pageQuery, { total, isPartial }),
    showsMentions: textMatch.showsMentions,
    corrected: textMatch.corrected,
    facets: await listFacets(connection, textMatch, { pageQuery, facetedPage, contentOptions }),
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives:
      total > 0
        ? null
        : await findAlternatives(connection, query, textMatch, { pageQuery, contentOptions }),
  }
}

type FacetedPage = CountedPage & {
  /** Whether the counts of each group already ignore the group's own chosen options. */
  countsIgnoreOwnGroup: boolean
  /** Whether skills and instructors were counted in `maxCountedCourses` courses only. */
  areNameCountsPartial: boolean
}

const firstPageCursor: PageQuery['cursor'] = { after: null, before: null }

/**
 * Reads a page of the selected courses after filters, with the counts for the filters. Reads the
 * first page if the requested page is empty.
 */
async function readFacetedPage(
  connection: Connection,
  selection: CourseSelection,
  pageQuery: PageQuery,
): Promise<FacetedPage> {
  const facetedPage =
    selection === wholeCatalog
      ? await readPageOfWholeCatalog(connection, pageQuery)
      : await readPageWithCappedCounts(connection, selection, pageQuery)

  const isFirstPage = pageQuery.cursor.after === null && pageQuery.cursor.before === null
  if (facetedPage.page.ids.length === 0 && !isFirstPage) {
    return readFacetedPage(connection, selection, { ...pageQuery, cursor: firstPageCursor })
  }

  return facetedPage
}

async function readPageWithCappedCounts(
  connection: Connection,
  selection: CourseSelection,
  pageQuery: PageQuery,
): Promise<FacetedPage> {
  const countedPage = await readCountedPage(connection, selection, pageQuery)
  return {
    ...countedPage,
    countsIgnoreOwnGroup: false,
    areNameCountsPartial: countedPage.isPartial,
  }
}

/** Reads a page without a searched text. There are pages up to the last course. */
async function readPageOfWholeCatalog(
  connection: Connection,
  pageQuery: PageQuery,
): Promise<FacetedPage> {
  const { chosenOptions } = pageQuery
  const page = await readCatalogPage(connection, pageQuery)

  const hasChosenNames = hasChoice(chosenOptions, namedGroups)
  const hasFilters = hasChosenNames || hasChoice(chosenOptions, columnGroups)
  const filteredPage = hasFilters
    ? await readPageWithCappedCounts(connection, wholeCatalog, pageQuery)
    : null
  if (filteredPage && hasChosenNames) {
    // `countCatalog` can't filter by skills and instructors, so the capped counts are used.
    return { ...filteredPage, page }
  }

  const nameCounts = filteredPage?.nameCounts ?? {
    skill: await countCatalogNames(connection, 'skill'),
    instructor: await countCatalogNames(connection, 'instructor'),
  }
  const { total, optionCounts } = await countCatalog(connection, chosenOptions)

  return {
    total,
    optionCounts,
    nameCounts,
    page,
    isPartial: false,
    countsIgnoreOwnGroup: true,
    areNameCountsPartial: filteredPage?.isPartial ?? false,
  }
}

function hasChoice(chosenOptions: ChosenOptions, groups: readonly FacetGroup[]): boolean {
  return groups.some((group) => chosenOptions[group].length > 0)
}

/** Adds the positions at which the search matches the texts of a course. */
function addMarks(card: CourseCardData, { search }: TextMatch): CatalogCourse {
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

/**
 * Counts how many courses of the list match exactly, and how many only mention the searched text. A
 * list with more courses than are counted offers no mentions.
 */
async function countMatchKinds(
  connection: Connection,
  { mentions, hasExact, showsMentions }: TextMatch,
  pageQuery: PageQuery,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogResult['matches']> {
  if (!hasExact) {
    return { exact: 0, mention: total }
  }

  if (!mentions || isPartial) {
    return { exact: total, mention: 0 }
  }

  const mentionCount = await countCourses(connection, mentions, pageQuery.chosenOptions)

  return { exact: showsMentions ? total - mentionCount : total, mention: mentionCount }
}

/** Returns the options of all groups of filters with their counts. */
async function listFacets(
  connection: Connection,
  { selection }: TextMatch,
  {
    pageQuery,
    facetedPage,
    contentOptions,
  }: { pageQuery: PageQuery; facetedPage: FacetedPage; contentOptions: ContentOptions },
): Promise<CatalogResult['facets']> {
  const { chosenOptions } = pageQuery
  const facets: Partial<CatalogResult['facets']> = {}

  for (const group of columnGroups) {
    const needsOwnCount = !facetedPage.countsIgnoreOwnGroup && chosenOptions[group].length > 0
    const groupCounts = needsOwnCount
      ? await countByGroup(connection, selection, clearGroup(chosenOptions, group), group)
      : { counts: facetedPage.optionCounts[group], isPartial: facetedPage.isPartial }
    const options = createColumnOptions(group, groupCounts, chosenOptions, contentOptions)
    facets[group] = options.map((option) => addLabel(group, option, contentOptions))
  }

  for (const group of namedGroups) {
    const needsOwnCount = chosenOptions[group].length > 0
    const countedPage = needsOwnCount
      ? await readFacetedPage(connection, selection, {
          ...pageQuery,
          chosenOptions: clearGroup(chosenOptions, group),
          cursor: firstPageCursor,
        })
      : facetedPage
    const groupCounts = {
      counts: countedPage.nameCounts[group],
      isPartial: countedPage.areNameCountsPartial,
    }
    facets[group] = createNamedOptions(group, groupCounts, chosenOptions)
  }

  return facets as CatalogResult['facets']
}

/** Adds the text that a page displays for an option, unless the text is the value itself. */
function addLabel(
  group: FacetGroup,
  option: FacetOption,
  { categories }: ContentOptions,
): FacetOption {
  const currency = siteCurrency()
  const isCategory = group === 'category' && option.value !== 'all'
  const label = isCategory
    ? categories.get(option.value)
    : formatFacetOption(group, option.value, (priceMinor) => formatPrice(priceMinor, currency))

  return label === option.value ? option : { ...option, name: label }
}

/** The maximum number of suggested searches, and of suggested categories. */
const maxAlternatives = 3
/** Each omitted word costs a search of its own. */
const maxOmittedWords = 8

/**
 * Suggests what to do after a search without results: searches without one of the words, and the
 * categories of the nearest courses.
 */
async function findAlternatives(
  connection: Connection,
  { q }: CatalogQuery,
  { selection }: TextMatch,
  { pageQuery, contentOptions }: { pageQuery: PageQuery; contentOptions: ContentOptions },
): Promise<NonNullable<CatalogResult['alternatives']>> {
  const shorterSearches = await findShorterSearches(connection, q, pageQuery)

  // The filters don't apply to the categories, because choosing a category clears the filters.
  const selections = [selection, ...shorterSearches.map((search) => search.selection), wholeCatalog]
  const categories = await findNearestCategories(connection, selections, contentOptions)

  return {
    without: shorterSearches
      .slice(0, maxAlternatives)
      .map(({ word, q, count }) => ({ word, q, count })),
    categories,
  }
}

type ShorterSearch = {
  /** The omitted word. */
  word: string
  /** The searched text without the word. */
  q: string
  count: number
  selection: CourseSelection
}

/** Returns the searches without one of the words that have results, the one with the most first. */
async function findShorterSearches(
  connection: Connection,
  searchedText: string,
  { chosenOptions }: PageQuery,
): Promise<ShorterSearch[]> {
  const words = searchedText.split(' ')
  if (words.length < 2) {
    return []
  }

  const shorterSearches: ShorterSearch[] = []
  for (const [index, word] of words.slice(0, maxOmittedWords).entries()) {
    const isRepeated = words.indexOf(word) !== index
    if (isRepeated) {
      continue
    }

    const q = words.toSpliced(index, 1).join(' ')
    const { selection } = await matchText(connection, { q, exact: true, mentions: false })
    const count = await countCourses(connection, selection, chosenOptions)
    if (count > 0) {
      shorterSearches.push({ word, q, count, selection })
    }
  }

  return shorterSearches.sort((a, b) => b.count - a.count)
}

const noOptionsChosen = getChosenOptions(emptyCatalogQuery)

/** Returns the categories with the most courses in the first selection that has any course. */
async function findNearestCategories(
  connection: Connection,
  selections: readonly CourseSelection[],
  contentOptions: ContentOptions,
) {
  const { categories } = contentOptions

  for (const selection of selections) {
    const categoryCounts = await countByGroup(connection, selection, noOptionsChosen, 'category')
    if (categoryCounts.counts.length === 0) {
      continue
    }

    return createColumnOptions('category', categoryCounts, noOptionsChosen, contentOptions)
      .filter(({ value, count }) => categories.has(value) && count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxAlternatives)
      .map(({ value, count }) => ({
        category: value,
        name: categories.get(value) ?? value,
        count,
      }))
  }

  return []
}
