/**
 * The SQL queries of the catalog: pages of courses, and the numbers of courses for the filters.
 *
 * Every query reads `course_search`, which has one row for each course that can be found. Only the
 * counts of the unsearched catalog come from `catalog_counts` and `search_names`, because counting
 * all courses for each visitor would be too slow.
 */
import { type SQL, sql } from 'drizzle-orm'
import { getApproximateDollarMinor } from '~/features/courses/smallest-payments'
import { siteCurrency } from '~/server/site/site.server'
import { maxCountedCourses, pageLength } from './catalog-query'
import { type CourseSelection, selectRows, wholeCatalog } from './course-selection.server'
import { type ColumnGroup, columnGroups } from './facet-columns'
import { type ChosenOptions, clearGroup, type ValueCount } from './facet-options'
import { maxNamesPerGroup, type NamedGroup, type Sort } from './facets'
import {
  addFilters,
  getColumn,
  joinConditions,
  listColumnConditions,
} from './filter-conditions.server'
import { type Cursor, type Page, parsePage, selectPage } from './page-queries.server'
import { type Connection, listRows, readRow } from './search-transaction.server'

/**
 * The sort key of each order, descending. Courses with the same key are ordered by students, then
 * by ID. Each of these orders has an index.
 */
const sortKeys: Record<Sort, SQL> = {
  best: sql`students`,
  students: sql`students`,
  rated: sql`rating`,
  newest: sql`updated`,
  'price-up': sql`(-price_cents)`,
  'price-down': sql`price_cents`,
}

/** A limit that finds out whether there are more courses than are counted. */
const countLimit = maxCountedCourses + 1

export type PageQuery = {
  chosenOptions: ChosenOptions
  /** The skills and instructors that are counted even if they aren't among the most common ones. */
  countedOptions: Pick<ChosenOptions, NamedGroup>
  sort: Sort
  cursor: Cursor
}

export type CountedPage = {
  /** The number of courses. A search counts at most one more than `maxCountedCourses`. */
  total: number
  optionCounts: OptionCounts
  /** The number of courses of the most common skills and instructors, and of `countedOptions`. */
  nameCounts: Record<NamedGroup, ValueCount[]>
  page: Page
  /** Whether there are more courses than were counted. */
  isPartial: boolean
}

/** The number of courses by the value of each group's column. */
type OptionCounts = Record<ColumnGroup, ValueCount[]>

/**
 * Reads the first courses that the filters leave of a selection, in the requested order. Counts
 * them by each group of filters, and picks a page of them.
 */
export async function readCountedPage(
  connection: Connection,
  selection: CourseSelection,
  pageQuery: PageQuery,
): Promise<CountedPage> {
  const { countedOptions, sort, cursor } = pageQuery
  const sortKey = sortKeys[sort]
  const isBestFirst = sort === 'best'
  const relevance = isBestFirst ? selection.relevance : sql`0`
  const orderColumns = [sql`relevance`, sql`key`, sql`students`, sql`course_id`]

  // If there are many matches, only those with the most students are read. The best ones may have
  // few students, so they are read separately.
  const bestMatches = isBestFirst ? getBestMatches(selection) : null
  const unionWithBestMatches = bestMatches
    ? sql`union (
        select course_id from ${selectFiltered(bestMatches, pageQuery)}
        order by students desc, course_id desc
        limit ${pageLength}::int
      )`
    : sql``

  const selectGroupCounts = (group: ColumnGroup) => sql`(
          select ${getColumn(group)} as value, count(*) as courses from matches group by 1
        )`
  const skills = sql`select unnest(skills) as name from matches`
  const instructors = sql`select instructor as name from matches`

  const row = await readRow<
    { total: number; page: string[] } & OptionCounts & Record<NamedGroup, ValueCount[]>
  >(
    connection,
    sql`
      with first_courses as (
        (
          select course_id from ${selectFiltered(selection, pageQuery)}
          order by ${sortKey} desc, students desc, course_id desc
          limit ${countLimit}::int
        )
        ${unionWithBestMatches}
      ),
      matches as materialized (
        select *, ${sortKey} as key, ${relevance} as relevance
        from first_courses join course_search using (course_id)
      )
      select
        (select count(*)::int from matches) as total,
        ${selectOptionCounts(selectGroupCounts)},
        (${selectNameCounts(skills, countedOptions.skill)}) as skill,
        (${selectNameCounts(instructors, countedOptions.instructor)}) as instructor,
        (${selectPage(sql`matches`, orderColumns, cursor)}) as page`,
  )

  return {
    total: row.total,
    optionCounts: row,
    nameCounts: { skill: row.skill, instructor: row.instructor },
    page: parsePage(row.page, cursor),
    isPartial: row.total > maxCountedCourses,
  }
}

/** Returns the best matches that have to be read separately, or null if there are none. */
function getBestMatches(selection: CourseSelection): CourseSelection | null {
  const { bestMatchCondition } = selection
  return (
    bestMatchCondition && { ...selection, condition: bestMatchCondition, hasManyMatches: false }
  )
}

/**
 * Makes one column of counts for each group of filters.
 *
 * @param selectGroupCounts returns a query with the columns `value` and `courses`
 */
function selectOptionCounts(selectGroupCounts: (group: ColumnGroup) => SQL): SQL {
  const columns = columnGroups.map(
    (group) => sql`(
      select coalesce(json_agg(json_build_array(value, courses)), '[]')
      from ${selectGroupCounts(group)} group_counts
    ) as ${sql.identifier(group)}`,
  )
  return sql.join(columns, sql`, `)
}

/** Counts the courses that the filters leave of a selection, up to `countLimit`. */
export async function countCourses(
  connection: Connection,
  selection: CourseSelection,
  chosenOptions: ChosenOptions,
): Promise<number> {
  const filteredRows = selectRows(addFilters(selection, chosenOptions), sql`course_id`)
  const { total } = await readRow<{ total: number }>(
    connection,
    sql`
      select count(*)::int as total
      from (select course_id from ${filteredRows} limit ${countLimit}::int) first_courses`,
  )
  return total
}

/**
 * Counts the courses that the filters leave of a selection by the values of one group. At most
 * `countLimit` courses are counted.
 */
export async function countByGroup(
  connection: Connection,
  selection: CourseSelection,
  chosenOptions: ChosenOptions,
  group: ColumnGroup,
): Promise<{ counts: ValueCount[]; isPartial: boolean }> {
  const column = getColumn(group)
  const filteredRows = selectRows(addFilters(selection, chosenOptions), column)
  const rows = await listRows<{ value: string; courses: number }>(
    connection,
    sql`
      select value, count(*)::int as courses
      from (select ${column} as value from ${filteredRows} limit ${countLimit}::int) first_courses
      group by value`,
  )
  const total = rows.reduce((sum, { courses }) => sum + courses, 0)

  return {
    counts: rows.map(({ value, courses }): ValueCount => [value, courses]),
    isPartial: total > maxCountedCourses,
  }
}

/** With more courses, sorting all of them would take too long for suggestions. */
const maxRankedCourses = 200

/** Returns the IDs of the best matches among the courses with the most students. */
export async function listBestCourseIds(
  connection: Connection,
  selection: CourseSelection,
  maxCourses: number,
): Promise<string[]> {
  const bestMatches = getBestMatches(selection)
  const selectMostStudents = (subset: CourseSelection, limit: number) => sql`(
    select course_id from ${selectRows(subset, sql`course_id, students`)}
    order by students desc, course_id desc
    limit ${limit}::int
  )`
  const unionWithBestMatches = bestMatches
    ? sql`union ${selectMostStudents(bestMatches, maxCourses)}`
    : sql``

  const rows = await listRows<{ id: string }>(
    connection,
    sql`
      with first_courses as (
        ${selectMostStudents(selection, maxRankedCourses)}
        ${unionWithBestMatches}
      )
      select course_id as id
      from first_courses join course_search using (course_id)
      order by ${selection.relevance} desc, students desc, course_id desc
      limit ${maxCourses}::int`,
  )

  return rows.map(({ id }) => id)
}

/**
 * Counts all courses of the catalog that the filters leave, and the courses of each option. The
 * counts of a group ignore its own chosen options. `catalog_counts` has no skills and instructors,
 * so these filters are ignored.
 */
export async function countCatalog(
  connection: Connection,
  chosenOptions: ChosenOptions,
): Promise<{ total: number; optionCounts: OptionCounts }> {
  const filterConditions = listColumnConditions(chosenOptions)
  const selectGroupCounts = (group: ColumnGroup) => {
    const otherConditions = listColumnConditions(clearGroup(chosenOptions, group))
    return sql`(
          select ${getColumn(group)} as value, sum(courses)::int as courses
          from catalog_counts
          where ${joinConditions(otherConditions)}
          group by 1
        )`
  }

  const row = await readRow<{ total: number } & OptionCounts>(
    connection,
    sql`
      select
        (
          select coalesce(sum(courses), 0)::int
          from catalog_counts
          where ${joinConditions(filterConditions)}
        ) as total,
        ${selectOptionCounts(selectGroupCounts)}`,
  )

  return { total: row.total, optionCounts: row }
}

/**
 * Counts the courses of the most common skills and instructors of the whole catalog, and of others.
 */
export async function countCatalogNames(
  connection: Connection,
  countedOptions: PageQuery['countedOptions'],
): Promise<Record<NamedGroup, ValueCount[]>> {
  const selectNames = (group: NamedGroup) => sql`
    select coalesce(json_agg(json_build_array(name, courses)), '[]')
    from (
      (
        select name, courses
        from search_names
        where kind = ${group} and courses > 0
        order by courses desc, name collate "C"
        limit ${maxNamesPerGroup}::int
      )
      union
      (
        select name, courses
        from search_names
        where kind = ${group} and name = any(${sql.param(countedOptions[group])}::text[])
      )
    ) name_counts`

  return readRow<Record<NamedGroup, ValueCount[]>>(
    connection,
    sql`
      select
        (${selectNames('skill')}) as skill,
        (${selectNames('instructor')}) as instructor`,
  )
}

/** Reads a page of the whole catalog after filters. Unlike a search, it has pages up to the end. */
export async function readCatalogPage(connection: Connection, pageQuery: PageQuery): Promise<Page> {
  const orderColumns = [sortKeys[pageQuery.sort], sql`students`, sql`course_id`]
  const filteredRows = selectFiltered(wholeCatalog, pageQuery)
  const page = selectPage(filteredRows, orderColumns, pageQuery.cursor)
  const { page: ids } = await readRow<{ page: string[] }>(connection, sql`select (${page}) as page`)

  return parsePage(ids, pageQuery.cursor)
}

/**
 * Returns the rows that the filters leave of a selection, with the columns that an order needs.
 * Many matches are read along the index of the order. A few matches are found first, then sorted.
 */
function selectFiltered(selection: CourseSelection, pageQuery: PageQuery): SQL {
  const { chosenOptions, sort } = pageQuery
  const canReadInOrder =
    selection.hasManyMatches &&
    chosenOptions.skill.length === 0 &&
    chosenOptions.instructor.length === 0
  const filtered = addFilters(selection, chosenOptions)
  const priceConditions = listPriceConditions(sort, chosenOptions.price)
  const condition = joinConditions([filtered.condition, ...priceConditions])

  return selectRows(
    { ...filtered, condition, hasManyMatches: canReadInOrder },
    sql`course_id, students, rating, updated, price_cents`,
  )
}

/**
 * Returns a condition with which an order by price starts at the chosen prices, instead of reading
 * past all others.
 */
function listPriceConditions(sort: Sort, priceOptions: readonly string[]): SQL[] {
  if (priceOptions.length === 0) {
    return []
  }

  const { minPrice, maxPrice } = getPriceBounds(priceOptions)
  switch (sort) {
    case 'price-up':
      return [sql`${sortKeys[sort]} between ${-maxPrice}::int and ${-minPrice}::int`]
    case 'price-down':
      return [sql`${sortKeys[sort]} between ${minPrice}::int and ${maxPrice}::int`]
    default:
      return []
  }
}

/** The largest value of an integer column. */
const maxInteger = 2 ** 31 - 1

/**
 * Returns the bounds of several price options together, in minor units.
 *
 * @param priceOptions for example '0-50', '150' (and more) or 'free'
 */
function getPriceBounds(priceOptions: readonly string[]): { minPrice: number; maxPrice: number } {
  const dollarMinor = getApproximateDollarMinor(siteCurrency())
  const bounds = priceOptions.map((option) => {
    if (option === 'free') {
      return { from: 0, to: 0 }
    }

    const [from = 0, to] = option.split('-').map((bound) => Number(bound) * dollarMinor)
    return { from, to: to ?? maxInteger }
  })

  return {
    minPrice: Math.min(...bounds.map(({ from }) => from)),
    maxPrice: Math.max(...bounds.map(({ to }) => to)),
  }
}

/**
 * Counts the courses of the most common names and of the given names.
 *
 * @param selectNames a query with the column `name`
 */
function selectNameCounts(selectNames: SQL, countedOptions: readonly string[]): SQL {
  return sql`
    select coalesce(json_agg(json_build_array(name, courses)), '[]')
    from (
      select
        name,
        courses,
        row_number() over (order by courses desc, name collate "C") as rank
      from (
        select name, count(*) as courses
        from (${selectNames}) names
        group by name
      ) name_counts
    ) ranked
    where rank <= ${maxNamesPerGroup}::int or name = any(${sql.param(countedOptions)}::text[])`
}
