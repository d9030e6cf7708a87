/**
 * Reads a page of courses together with the counts for the filters, and lists each filter's
 * options. There are two kinds of groups of filters: those with a column in the search table, such
 * as the level, and those with names, which are the skills and the instructors.
 *
 * The counts of a group ignore the group's own chosen options, so that a visitor sees what choosing
 * another option would add ("disjunctive facets").
 *
 * Counting is expensive, so most counts are capped: at most `maxCountedCourses` courses are
 * counted, and the counts are marked as partial if there are more. Counts that the database has
 * prepared cover all courses: those of the columns, as long as no text is searched and no name is
 * chosen, and those of the names in the whole catalog without any filter.
 */
import { getApproximateDollarMinor } from '~/features/courses/smallest-payments'
import { formatPrice } from '~/features/school/money'
import { siteCurrency } from '~/server/site/site.server'
import type { CatalogResult, FacetOption } from './catalog-query'
import { type CourseSelection, wholeCatalog } from './course-selection.server'
import { type ColumnGroup, columnGroups } from './facet-columns'
import {
  type ChosenOptions,
  clearGroup,
  createColumnOptions,
  createNamedOptions,
  type SchoolOptions,
} from './facet-options'
import { type FacetGroup, formatFacetOption, type NamedGroup, namedGroups } from './facets'
import {
  type CountedPage,
  countByGroup,
  countCatalog,
  countCatalogNames,
  type PageQuery,
  readCatalogPage,
  readCountedPage,
} from './search-queries.server'
import type { Connection } from './search-transaction.server'

type PageWithCounts = CountedPage & {
  /** Whether the counts of each group already ignore the group's own chosen options. */
  countsIgnoreOwnGroup: boolean
  /** Whether there are more courses than those whose skills and instructors were counted. */
  areNameCountsPartial: boolean
}

const firstPageCursor: PageQuery['cursor'] = { after: null, before: null }

/**
 * Reads a page of the selected courses after filters, with the counts for the filters. Reads the
 * first page if the requested page is empty.
 */
export async function readPageWithCounts(
  connection: Connection,
  selection: CourseSelection,
  pageQuery: PageQuery,
): Promise<PageWithCounts> {
  const pageWithCounts =
    selection === wholeCatalog
      ? await readPageOfWholeCatalog(connection, pageQuery)
      : await readPageWithCappedCounts(connection, selection, pageQuery)

  const isFirstPage = pageQuery.cursor.after === null && pageQuery.cursor.before === null
  if (pageWithCounts.page.ids.length === 0 && !isFirstPage) {
    return readPageWithCounts(connection, selection, { ...pageQuery, cursor: firstPageCursor })
  }

  return pageWithCounts
}

/**
 * Reads a page and its capped counts. They are counts of the courses after all filters, so they do
 * not ignore the own options of a group.
 */
async function readPageWithCappedCounts(
  connection: Connection,
  selection: CourseSelection,
  pageQuery: PageQuery,
): Promise<PageWithCounts> {
  const countedPage = await readCountedPage(connection, selection, pageQuery)
  return {
    ...countedPage,
    countsIgnoreOwnGroup: false,
    areNameCountsPartial: countedPage.isPartial,
  }
}

/**
 * Reads a page without a searched text, with prepared counts where possible. The pages reach the
 * last course, whereas those of a search end with the last counted one.
 */
async function readPageOfWholeCatalog(
  connection: Connection,
  pageQuery: PageQuery,
): Promise<PageWithCounts> {
  const { chosenOptions, countedOptions } = pageQuery
  const page = await readCatalogPage(connection, pageQuery)

  if (hasChosenOption(chosenOptions, namedGroups)) {
    // There are no prepared counts for courses with a skill or an instructor.
    const cappedPage = await readPageWithCappedCounts(connection, wholeCatalog, pageQuery)
    return { ...cappedPage, page }
  }

  const { total, optionCounts } = await countCatalog(connection, chosenOptions)
  const columnCounts = { total, optionCounts, isPartial: false, countsIgnoreOwnGroup: true }

  if (hasChosenOption(chosenOptions, columnGroups)) {
    // The prepared counts of names are those of all courses, whatever the filters are.
    const { nameCounts, isPartial } = await readCountedPage(connection, wholeCatalog, pageQuery)
    return { ...columnCounts, page, nameCounts, areNameCountsPartial: isPartial }
  }

  const nameCounts = await countCatalogNames(connection, countedOptions)
  return { ...columnCounts, page, nameCounts, areNameCountsPartial: false }
}

function hasChosenOption(chosenOptions: ChosenOptions, groups: readonly FacetGroup[]): boolean {
  return groups.some((group) => chosenOptions[group].length > 0)
}

/** What the facets of a page are made from. */
type FacetContext = {
  pageQuery: PageQuery
  pageWithCounts: PageWithCounts
  schoolOptions: SchoolOptions
}

/** Returns the options of all groups of filters with their counts. */
export async function listFacets(
  connection: Connection,
  selection: CourseSelection,
  context: FacetContext,
): Promise<CatalogResult['facets']> {
  const facets: Partial<CatalogResult['facets']> = {}

  for (const group of columnGroups) {
    facets[group] = await listColumnOptions(connection, selection, group, context)
  }

  for (const group of namedGroups) {
    facets[group] = await listNamedOptions(connection, selection, group, context)
  }

  // Each group has a column or names, so the two loops have filled all groups.
  return facets as CatalogResult['facets']
}

async function listColumnOptions(
  connection: Connection,
  selection: CourseSelection,
  group: ColumnGroup,
  { pageQuery: { chosenOptions }, pageWithCounts, schoolOptions }: FacetContext,
): Promise<FacetOption[]> {
  const needsOwnCount = !pageWithCounts.countsIgnoreOwnGroup && chosenOptions[group].length > 0
  const groupCounts = needsOwnCount
    ? await countByGroup(connection, selection, clearGroup(chosenOptions, group), group)
    : { counts: pageWithCounts.optionCounts[group], isPartial: pageWithCounts.isPartial }
  const options = createColumnOptions(group, groupCounts, chosenOptions, schoolOptions)

  return options.map((option) => addDisplayedText(group, option, schoolOptions))
}

async function listNamedOptions(
  connection: Connection,
  selection: CourseSelection,
  group: NamedGroup,
  { pageQuery, pageWithCounts }: FacetContext,
): Promise<FacetOption[]> {
  const { chosenOptions } = pageQuery
  const needsOwnCount = chosenOptions[group].length > 0
  const { nameCounts, areNameCountsPartial } = needsOwnCount
    ? await readPageWithCounts(connection, selection, {
        ...pageQuery,
        chosenOptions: clearGroup(chosenOptions, group),
        cursor: firstPageCursor,
      })
    : pageWithCounts
  const groupCounts = { counts: nameCounts[group], isPartial: areNameCountsPartial }

  return createNamedOptions(group, groupCounts, chosenOptions)
}

/** Adds the text that a page displays for an option, unless the text is the value itself. */
function addDisplayedText(
  group: FacetGroup,
  option: FacetOption,
  { categories }: SchoolOptions,
): FacetOption {
  const isCategoryId = group === 'category' && option.value !== 'all'
  const name = isCategoryId
    ? categories.get(option.value)
    : formatFacetOption(group, option.value, formatPriceBound)

  return name === option.value ? option : { ...option, name }
}

/** Formats a bound of a price range as an amount in the site's currency. */
function formatPriceBound(approximateDollars: number): string {
  const currency = siteCurrency()
  return formatPrice(approximateDollars * getApproximateDollarMinor(currency), currency)
}
