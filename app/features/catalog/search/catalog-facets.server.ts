/**
 * Reads a page of courses together with the counts for the filters, and lists each filter's
 * options.
 *
 * The counts of a group of filters ignore the group's own chosen options, so that a visitor sees
 * what choosing another option would add ("disjunctive facets"). Without a searched text and
 * without a chosen skill or instructor, all courses are counted. Otherwise at most
 * `maxCountedCourses` are counted, and the counts are marked as partial if there are more.
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
  /** Whether skills and instructors were counted in `maxCountedCourses` courses only. */
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

/** Reads a page, and counts at most `maxCountedCourses` of the courses after all filters. */
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
 * Reads a page without a searched text. All courses are counted, except after a filter by skill or
 * instructor. There are pages up to the last course.
 */
async function readPageOfWholeCatalog(
  connection: Connection,
  pageQuery: PageQuery,
): Promise<PageWithCounts> {
  const { chosenOptions, countedOptions } = pageQuery
  const page = await readCatalogPage(connection, pageQuery)

  if (hasChosenOption(chosenOptions, namedGroups)) {
    // `countCatalog` can't filter by skills and instructors.
    const cappedCounts = await readPageWithCappedCounts(connection, wholeCatalog, pageQuery)
    return { ...cappedCounts, page }
  }

  const { total, optionCounts } = await countCatalog(connection, chosenOptions)
  const fullCounts = { total, optionCounts, isPartial: false, countsIgnoreOwnGroup: true }

  if (hasChosenOption(chosenOptions, columnGroups)) {
    // `countCatalogNames` can't filter.
    const cappedCounts = await readCountedPage(connection, wholeCatalog, pageQuery)
    const { nameCounts, isPartial } = cappedCounts
    return { ...fullCounts, page, nameCounts, areNameCountsPartial: isPartial }
  }

  const nameCounts = await countCatalogNames(connection, countedOptions)
  return { ...fullCounts, page, nameCounts, areNameCountsPartial: false }
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
  const currency = siteCurrency()
  const dollarMinor = getApproximateDollarMinor(currency)
  const isCategory = group === 'category' && option.value !== 'all'
  const name = isCategory
    ? categories.get(option.value)
    : formatFacetOption(group, option.value, (bound) => formatPrice(bound * dollarMinor, currency))

  return name === option.value ? option : { ...option, name }
}
