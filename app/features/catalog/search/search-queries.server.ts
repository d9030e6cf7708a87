import { type SQL, sql } from 'drizzle-orm'
import {
  displayedRating,
  displayedReviewCount,
} from '~/features/reviews/review-page-queries.server'
import { formatPrice } from '~/features/school/money'
import { courses } from '~/server/database/schema/index'
import { siteCurrency } from '~/server/site/site.server'
import { categoryName } from '../course-columns.server'
import {
  type CatalogCourse,
  type CatalogQuery,
  maxCountedCourses,
  pageLength,
} from './catalog-query'
import {
  type Chosen,
  type ColumnGroup,
  columnByGroup,
  columnGroups,
  listColumnValues,
  type ValueCount,
  without,
} from './facet-counts'
import { maxNamesPerGroup, type NamedGroup, type Sort } from './facets'
import { type Source, selectRows, wholeCatalog } from './search-source.server'
import { type Connection, listRows } from './search-transaction.server'

/**
 * The sort key of each order, descending. Courses with the same key are ordered by students, then by
 * ID. Each of these orders has an index.
 */
const sortKeys: Record<Sort, SQL> = {
  best: sql`students`,
  students: sql`students`,
  rated: sql`rating`,
  newest: sql`updated`,
  'price-up': sql`(-price_cents)`,
  'price-down': sql`price_cents`,
}

/** The number of courses by the value of each group's column. */
type OptionCounts = Record<ColumnGroup, ValueCount[]>
export type Matches = {
  /** The number of courses. A search counts at most one more than `maxCountedCourses`. */
  total: number
  options: OptionCounts
  /** The number of courses of the most common names and of the chosen names. */
  names: Record<NamedGroup, ValueCount[]>
  page: Page
  /** Whether there are more courses than were counted. */
  isPartial: boolean
}

export type ListRequest = {
  chosen: Chosen
  sort: Sort
  cursor: Cursor
}

/**
 * Reads the first courses that filters leave of a source, in the requested order: counts them by
 * each group of filters, and picks a page.
 */
export async function readMatches(
  connection: Connection,
  source: Source,
  request: ListRequest,
): Promise<Matches> {
  const { chosen, sort, cursor } = request
  const key = sortKeys[sort]
  const isBestFirst = sort === 'best'
  const best =
    isBestFirst && source.best ? { ...source, where: source.best, isCommon: false } : null
  const bestRows = best
    ? sql`union (
        select course_id from ${selectFiltered(best, request)}
        order by students desc, course_id desc
        limit ${pageLength}::int
      )`
    : sql``
  const tier = isBestFirst ? source.tier : sql`0`
  const keys = [sql`tier`, sql`key`, sql`students`, sql`course_id`]

  const [row] = await listRows<
    { total: number; page: string[] } & OptionCounts & Record<NamedGroup, ValueCount[]>
  >(
    connection,
    sql`
      with first as (
        (
          select course_id from ${selectFiltered(source, request)}
          order by ${key} desc, students desc, course_id desc
          limit ${maxCountedCourses + 1}::int
        )
        ${bestRows}
      ),
      matches as materialized (
        select *, ${key} as key, ${tier} as tier
        from first join course_search using (course_id)
      )
      select
        (select count(*)::int from matches) as total,
        ${selectOptionCounts(
          (group) => sql`(
          select ${getColumn(group)} as value, count(*) as courses from matches group by 1
        )`,
        )},
        (${selectNameCounts(sql`select unnest(skills) as name from matches`, chosen.skill)}) as skill,
        (${selectNameCounts(sql`select instructor as name from matches`, chosen.instructor)}) as instructor,
        (${selectPage(sql`matches`, keys, cursor)}) as page`,
  )
  if (row === undefined) {
    throw new Error('A query without a FROM clause returned no row.')
  }

  return {
    total: row.total,
    options: row,
    names: { skill: row.skill, instructor: row.instructor },
    page: parsePage(row.page, cursor),
    isPartial: row.total > maxCountedCourses,
  }
}

/** Returns the column of a group with the quotes that SQL needs. */
const getColumn = (group: ColumnGroup): SQL =>
  sql.identifier(columnByGroup[group]) as unknown as SQL

/** Makes one column of counts for each group of filters, from rows with a value and its courses. */
function selectOptionCounts(selectGroup: (group: ColumnGroup) => SQL): SQL {
  const columns = columnGroups.map(
    (group) => sql`(
      select coalesce(json_agg(json_build_array(value, courses)), '[]')
      from ${selectGroup(group)} counted
    ) as ${sql.identifier(group)}`,
  )
  return sql.join(columns, sql`, `)
}

/** Counts the courses that filters leave of a source, up to one more than `maxCountedCourses`. */
export async function countMatches(
  connection: Connection,
  source: Source,
  chosen: Chosen,
): Promise<number> {
  const rows = selectRows(addFilters(source, chosen), sql`course_id`)
  const [row] = await listRows<{ total: number }>(
    connection,
    sql`
      select count(*)::int as total
      from (select course_id from ${rows} limit ${maxCountedCourses + 1}::int) found`,
  )
  return row?.total ?? 0
}

/** Counts the courses that filters leave of a source by one group: all, or some of very many. */
export async function countByGroup(
  connection: Connection,
  source: Source,
  chosen: Chosen,
  group: ColumnGroup,
): Promise<{ counts: ValueCount[]; isPartial: boolean }> {
  const rows = selectRows(addFilters(source, chosen), getColumn(group))
  const counted = await listRows<{ value: string; courses: number }>(
    connection,
    sql`
      select value, count(*)::int as courses
      from (select ${getColumn(group)} as value from ${rows} limit ${maxCountedCourses + 1}::int) found
      group by value`,
  )
  const total = counted.reduce((sum, { courses }) => sum + courses, 0)

  return {
    counts: counted.map(({ value, courses }): ValueCount => [value, courses]),
    isPartial: total > maxCountedCourses,
  }
}

/** Returns the IDs of the best among the courses with the most students. */
export async function listBestCourseIds(
  connection: Connection,
  source: Source,
  most: number,
): Promise<string[]> {
  const { best, tier } = source
  const selectFirst = (rows: Source, limit: number) => sql`(
    select course_id from ${selectRows(rows, sql`course_id, students`)}
    order by students desc, course_id desc
    limit ${limit}::int
  )`
  const bestRows = best
    ? sql`union ${selectFirst({ ...source, where: best, isCommon: false }, most)}`
    : sql``

  const rows = await listRows<{ id: string }>(
    connection,
    sql`
      with first as (${selectFirst(source, maxRankedCourses)} ${bestRows})
      select course_id as id
      from first join course_search using (course_id)
      order by ${tier} desc, students desc, course_id desc
      limit ${most}::int`,
  )

  return rows.map(({ id }) => id)
}

const maxRankedCourses = 200

/**
 * Counts all courses of the catalog that filters leave, and the courses of each option without its
 * own group's choices. `catalog_counts` knows no skills and instructors.
 */
export async function countCatalog(
  connection: Connection,
  chosen: Chosen,
): Promise<{ total: number; options: OptionCounts }> {
  const [row] = await listRows<{ total: number } & OptionCounts>(
    connection,
    sql`
      select
        (
          select coalesce(sum(courses), 0)::int from catalog_counts
          where ${joinConditions(listColumnConditions(chosen))}
        ) as total,
        ${selectOptionCounts(
          (group) => sql`(
          select ${getColumn(group)} as value, sum(courses)::int as courses from catalog_counts
          where ${joinConditions(listColumnConditions(without(chosen, group)))}
          group by 1
        )`,
        )}`,
  )
  if (row === undefined) {
    throw new Error('A query without a FROM clause returned no row.')
  }

  return { total: row.total, options: row }
}

/** Lists the most common skills or instructors of the whole catalog. */
export async function listCatalogNames(
  connection: Connection,
  group: NamedGroup,
): Promise<ValueCount[]> {
  const rows = await listRows<{ name: string; courses: number }>(
    connection,
    sql`
      select name, courses
      from search_names
      where kind = ${group} and courses > 0
      order by courses desc, name collate "C"
      limit ${maxNamesPerGroup}::int`,
  )

  return rows.map(({ name, courses }) => [name, courses])
}

/** Reads a page of the whole catalog after filters. Unlike a search, it has pages up to the end. */
export async function readCatalogPage(connection: Connection, request: ListRequest): Promise<Page> {
  const keys = [sortKeys[request.sort], sql`students`, sql`course_id`]
  const page = selectPage(selectFiltered(wholeCatalog, request), keys, request.cursor)
  const [row] = await listRows<{ page: string[] }>(connection, sql`select (${page}) as page`)

  return parsePage(row?.page ?? [], request.cursor)
}

/**
 * Returns the rows that filters leave of a source, with the columns that an order needs. Common
 * sources are read along the index of the order; rare ones are found by their own indexes first.
 */
function selectFiltered(source: Source, request: ListRequest): SQL {
  const { chosen, sort } = request
  const canReadInOrder =
    source.isCommon && chosen.skill.length === 0 && chosen.instructor.length === 0
  const filtered = addFilters(source, chosen)
  const where = joinConditions([filtered.where, ...priceRange(sort, chosen.price)])

  return selectRows(
    { ...filtered, where, isCommon: canReadInOrder },
    sql`course_id, students, rating, updated, price_cents`,
  )
}

/** Starts an order by price at the chosen prices, instead of reading past all others. */
function priceRange(sort: Sort, chosen: readonly string[]): SQL[] {
  if (chosen.length === 0 || (sort !== 'price-up' && sort !== 'price-down')) {
    return []
  }

  const [least, most] = priceBounds(chosen)
  const [from, to] = sort === 'price-up' ? [-most, -least] : [least, most]

  return [sql`${sortKeys[sort]} between ${from}::int and ${to}::int`]
}

/**
 * Returns the bounds in minor units. The chosen ranges are written in hundreds of them, like '0-50',
 * '150' or 'free'.
 */
function priceBounds(steps: readonly string[]): [least: number, most: number] {
  const bounds = steps.map((step) => (step === 'free' ? [0, 0] : step.split('-').map(Number)))
  const most = bounds.map(([from, to]) => to ?? (from === undefined ? 0 : maxCents / 100))
  return [Math.min(...bounds.map(([from = 0]) => from)) * 100, Math.max(...most) * 100]
}

/** The largest value of an integer column. */
const maxCents = 2 ** 31 - 1

/** Returns the source with the condition that a course passes every group of filters. */
function addFilters(source: Source, chosen: Chosen): Source {
  const conditions = listColumnConditions(chosen)
  if (chosen.skill.length > 0) {
    conditions.push(sql`skills && ${sql.param(chosen.skill)}::text[]`)
  }

  if (chosen.instructor.length > 0) {
    conditions.push(sql`instructor = any(${sql.param(chosen.instructor)}::text[])`)
  }

  return { ...source, where: joinConditions([source.where, ...conditions]) }
}

/** Returns a condition for each group with a column and a choice. */
function listColumnConditions(chosen: Chosen): SQL[] {
  return columnGroups
    .filter((group) => chosen[group].length > 0)
    .map((group) => {
      const values = chosen[group].flatMap((option) => listColumnValues(group, option))
      return sql`${getColumn(group)} = any(${sql.param(values)}::text[])`
    })
}

function joinConditions(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
}

/**
 * Counts the courses of the most common names and of the chosen names.
 *
 * @param names a query with the column `name`
 */
function selectNameCounts(names: SQL, chosen: readonly string[]): SQL {
  return sql`
    select coalesce(json_agg(json_build_array(name, courses)), '[]')
    from (
      select
        name,
        courses,
        row_number() over (order by courses desc, name collate "C") as rank
      from (
        select name, count(*) as courses
        from (${names}) names
        group by name
      ) counted
    ) ranked
    where rank <= ${maxNamesPerGroup}::int or name = any(${sql.param(chosen)}::text[])`
}

/** The course that a page starts after, or ends before. */
type Cursor = Pick<CatalogQuery, 'after' | 'before'>
type Page = { ids: string[]; hasPrevious: boolean; hasNext: boolean }

/**
 * Selects the course IDs of a page and one more, which says whether there is another page. The page
 * is empty if the cursor's course isn't in the list.
 */
function selectPage(from: SQL, keys: readonly SQL[], { after, before }: Cursor): SQL {
  const row = sql`(${sql.join([...keys], sql`, `)})`
  const cursorId = after ?? before
  const isBackward = before !== null
  const comparison = isBackward ? sql`>` : sql`<`
  const direction = isBackward ? sql`asc` : sql`desc`
  const cursorRow = sql`
    select ${sql.join([...keys], sql`, `)}
    from ${from}
    where course_id = ${cursorId}`
  const where = cursorId === null ? sql`true` : sql`${row} ${comparison} (${cursorRow})`
  const order = keys.map((key) => sql`${key} ${direction}`)

  return sql`
    select coalesce(json_agg(course_id), '[]')
    from (
      select course_id
      from ${from}
      where ${where}
      order by ${sql.join(order, sql`, `)}
      limit ${pageLength + 1}::int
    ) page`
}

function parsePage(ids: readonly string[], { after, before }: Cursor): Page {
  const hasMore = ids.length > pageLength
  const pageIds = ids.slice(0, pageLength)
  if (before !== null) {
    return { ids: pageIds.reverse(), hasPrevious: hasMore, hasNext: true }
  }

  return { ids: pageIds, hasPrevious: after !== null, hasNext: hasMore }
}

/** The columns of a course's card. */
export type CourseRow = Omit<CatalogCourse, 'marks'>

/** Lists the published courses with these IDs, in the order of the IDs. */
export async function listCourseCards(
  connection: Connection,
  ids: readonly string[],
): Promise<CourseRow[]> {
  if (ids.length === 0) {
    return []
  }

  const rows = await listRows<Omit<CourseRow, 'price'> & { priceCents: number }>(
    connection,
    sql`
      select
        courses.id,
        title,
        summary,
        instructor_name as "instructorName",
        ${displayedRating}::float8 as rating,
        (${displayedReviewCount})::int as reviews,
        duration_hours::float8 as "durationHours",
        students,
        price_cents as "priceCents",
        ${categoryName} as "categoryName",
        level
      from unnest(${sql.param(ids)}::text[]) with ordinality as requested(id, place)
      join ${courses} using (id)
      where published
      order by place`,
  )

  const currency = siteCurrency()
  return rows.map(({ priceCents, ...card }) => ({
    ...card,
    price: formatPrice(priceCents, currency),
  }))
}
