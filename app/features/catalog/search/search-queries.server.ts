import { type SQL, sql } from 'drizzle-orm'
import { shownRating, shownReviewCount } from '~/features/reviews/review-page-queries.server'
import { formatPrice } from '~/features/school/money'
import { courses } from '~/server/database/schema/index'
import { siteCurrency } from '~/server/site/site.server'
import { categoryName } from '../course-columns.server'
import { type CatalogQuery, mostCounted, pageLength } from './catalog-query'
import type { CatalogCourse } from './catalog-result'
import {
  type CatalogNames,
  type Chosen,
  countCourses,
  type FacetCount,
  listSteps,
  packedGroups,
} from './facet-counts'
import { mostNames, type NamedGroup, type Sort } from './facets'
import { facetsOf, type Source, wholeCatalog } from './search-source.server'
import { type Connection, integers, listRows } from './search-transaction.server'

/** The sort key of each order, descending; then by students, then by id. Each has an index. */
const sortKeys: Record<Sort, SQL> = {
  best: sql`students`,
  students: sql`students`,
  rated: sql`rating`,
  newest: sql`updated`,
  'price-up': sql`(-price_cents)`,
  'price-down': sql`price_cents`,
}

type NameCount = readonly [name: string, courses: number]
/** The filters' counts for some courses. */
type Counts = {
  counts: FacetCount[]
  /** Whether there are more courses than were counted. */
  isPartial: boolean
}
export type Matches = Counts & {
  /** The most common ones, and the chosen ones. */
  names: Record<NamedGroup, NameCount[]>
  page: Page
}

export type Asked = {
  chosen: Chosen
  names: CatalogNames
  sort: Sort
  cursor: Cursor
}

/**
 * Reads the first courses that filters leave of a source, in the order asked for: counts them, and
 * picks a page.
 */
export async function readMatches(
  connection: Connection,
  source: Source,
  asked: Asked,
): Promise<Matches> {
  const { chosen, sort, cursor } = asked
  const key = sortKeys[sort]
  const isBestFirst = sort === 'best'
  const best =
    isBestFirst && source.best ? { ...source, where: source.best, isCommon: false } : null
  const bestRows = best
    ? sql`union (select course_id from ${rowsOf(best, asked)}
        order by students desc, course_id desc limit ${pageLength}::int)`
    : sql``
  const keys = [sql`tier`, sql`key`, sql`students`, sql`course_id`]
  const [row] = await listRows<
    { counts: FacetCount[]; page: string[] } & Record<NamedGroup, NameCount[]>
  >(
    connection,
    sql`with first as (
      (select course_id from ${rowsOf(source, asked)}
        order by ${key} desc, students desc, course_id desc limit ${mostCounted + 1}::int)
      ${bestRows}
    ), m as materialized (
      select *, ${key} as key, ${isBestFirst ? source.tier : sql`0`} as tier from first join course_search using (course_id)
    )
    select
      (select coalesce(json_agg(json_build_array(facets, n)), '[]') from (
        select facets, count(*) as n from m group by facets) c) as counts,
      (${countedNames(sql`select unnest(skills) as name from m`, chosen.skill)}) as skill,
      (${countedNames(sql`select instructor as name from m`, chosen.instructor)}) as instructor,
      (${pageOf(sql`m`, keys, cursor)}) as page`,
  )
  const { counts = [], page = [], skill = [], instructor = [] } = row ?? {}
  const isPartial = countCourses(counts) > mostCounted

  return { counts, page: readPage(page, cursor), names: { skill, instructor }, isPartial }
}

/** Counts courses that filters leave of a source by their facets: all, or some of very many. */
export async function countFacets(
  connection: Connection,
  source: Source,
  asked: Filters,
): Promise<Counts> {
  const rows = await listRows<{ facets: number; courses: number }>(
    connection,
    sql`select facets, count(*)::int as courses from (
      select facets from ${facetsOf(filtered(source, asked))} limit ${mostCounted + 1}::int
    ) found group by facets`,
  )
  const counts = rows.map(({ facets, courses }): FacetCount => [facets, courses])
  return { counts, isPartial: countCourses(counts) > mostCounted }
}

/** The best of the courses with most students. @returns ids. */
export async function listBest(
  connection: Connection,
  source: Source,
  most: number,
): Promise<string[]> {
  const { where, best, isCommon, tier } = source
  const firstOf = (rows: SQL, limit: number) =>
    sql`(select * from (${rows}) found order by students desc, course_id desc limit ${limit}::int)`
  const found = sql`select * from course_search where ${where} ${isCommon ? sql`` : sql`offset 0`}`
  const foundBest = sql`select * from course_search where ${best} offset 0`
  const rows = await listRows<{ id: string }>(
    connection,
    sql`select course_id as id from (
        ${firstOf(found, mostLookedAt)} ${best ? sql`union ${firstOf(foundBest, most)}` : sql``}
      ) first
      order by ${tier} desc, students desc, course_id desc limit ${most}::int`,
  )

  return rows.map(({ id }) => id)
}

const mostLookedAt = 200

/** The facets of the whole catalog, all of which are counted: an index has nothing else. */
export async function countCatalog(connection: Connection): Promise<FacetCount[]> {
  const rows = await listRows<{ facets: number; courses: number }>(
    connection,
    sql`select facets, count(*)::int as courses from course_search where listed group by facets`,
  )
  return rows.map(({ facets, courses }) => [facets, courses])
}

/** The commonest skills or instructors of the whole catalog. */
export async function listCatalogNames(
  connection: Connection,
  group: NamedGroup,
): Promise<NameCount[]> {
  const rows = await listRows<{ name: string; courses: number }>(
    connection,
    sql`select name, courses from search_names where kind = ${group} and courses > 0
      order by courses desc, name collate "C" limit ${mostNames}::int`,
  )

  return rows.map(({ name, courses }) => [name, courses])
}

/**
 * A page of all courses that filters leave of the catalog: it goes on as long as there are courses.
 */
export async function readCatalogPage(connection: Connection, asked: Asked): Promise<Page> {
  const keys = [sortKeys[asked.sort], sql`students`, sql`course_id`]
  const page = pageOf(rowsOf(wholeCatalog, asked), keys, asked.cursor)
  const [row] = await listRows<{ page: string[] }>(connection, sql`select (${page}) as page`)

  return readPage(row?.page ?? [], asked.cursor)
}

/**
 * The rows that filters leave of a source. Common sources are read along the index of the order;
 * rare ones are found by their own indexes and then sorted. `offset 0` keeps PostgreSQL from
 * reading the whole table in order for a rare word or skill.
 */
function rowsOf(source: Source, asked: Asked): SQL {
  const { chosen, sort } = asked
  const mayWalk = source.isCommon && chosen.skill.length === 0 && chosen.instructor.length === 0
  const where = sql.join(
    [filtered(source, asked).where, ...priceRange(sort, chosen.price)],
    sql` and `,
  )

  return sql`(select * from course_search where ${where} ${mayWalk ? sql`` : sql`offset 0`}) found`
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

/** In cents: the steps are like '0-50', '150' or 'free', in dollars. */
function priceBounds(steps: readonly string[]): [least: number, most: number] {
  const bounds = steps.map((step) => (step === 'free' ? [0, 0] : step.split('-').map(Number)))
  const most = bounds.map(([from, to]) => to ?? (from === undefined ? 0 : highestCents / 100))
  return [Math.min(...bounds.map(([from = 0]) => from)) * 100, Math.max(...most) * 100]
}

/** The largest value of an integer column. */
const highestCents = 2 ** 31 - 1

type Filters = Pick<Asked, 'chosen' | 'names'>

/** What filters leave of a source. */
function filtered(source: Source, { chosen, names }: Filters): Source {
  const steps = packedGroups
    .filter((group) => chosen[group].length > 0)
    .map(
      (group) =>
        sql`${sql.identifier(`${group}_step`)} = any(${integers(listSteps(group, chosen[group], names))})`,
    )
  const skills = chosen.skill.length > 0 ? [sql`skills && ${sql.param(chosen.skill)}::text[]`] : []
  const instructors =
    chosen.instructor.length > 0
      ? [sql`instructor = any(${sql.param(chosen.instructor)}::text[])`]
      : []

  return {
    ...source,
    where: sql.join([source.where, ...steps, ...skills, ...instructors], sql` and `),
  }
}

/** @param names a query with the column `name`. */
function countedNames(names: SQL, chosen: readonly string[]): SQL {
  return sql`select coalesce(json_agg(json_build_array(name, n)), '[]') from (
    select name, n, row_number() over (order by n desc, name collate "C") as place from (
      select name, count(*) as n from (${names}) names group by name) counted
  ) ranked where place <= ${mostNames}::int or name = any(${sql.param(chosen)}::text[])`
}

/** The course that a page starts after, or ends before. */
type Cursor = Pick<CatalogQuery, 'after' | 'before'>
type Page = { ids: string[]; hasPrevious: boolean; hasNext: boolean }

/**
 * One course more than a page shows, to know whether there is a next one. Empty if the cursor's
 * course isn't in the list.
 */
function pageOf(from: SQL, keys: readonly SQL[], { after, before }: Cursor): SQL {
  const row = sql`(${sql.join([...keys], sql`, `)})`
  const cursor = after ?? before
  const [comes, direction] = before === null ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const where =
    cursor === null
      ? sql`true`
      : sql`${row} ${comes} (select ${sql.join([...keys], sql`, `)} from ${from} where course_id = ${cursor})`
  const order = keys.map((key) => sql`${key} ${direction}`)

  return sql`select coalesce(json_agg(course_id), '[]') from (
    select course_id from ${from} where ${where} order by ${sql.join(order, sql`, `)} limit ${pageLength + 1}::int) page`
}

function readPage(ids: readonly string[], { after, before }: Cursor): Page {
  const goesOn = ids.length > pageLength
  const page = ids.slice(0, pageLength)
  if (before !== null) {
    return { ids: page.reverse(), hasPrevious: goesOn, hasNext: true }
  }

  return { ids: page, hasPrevious: after !== null, hasNext: goesOn }
}

/** The columns of a course's card. */
export type CourseRow = Omit<CatalogCourse, 'marks'>

/** Courses by their ids, in that order. */
export async function listCards(
  connection: Connection,
  ids: readonly string[],
): Promise<CourseRow[]> {
  if (ids.length === 0) {
    return []
  }

  const rows = await listRows<Omit<CourseRow, 'price'> & { priceCents: number }>(
    connection,
    sql`select courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
      (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
      price_cents as "priceCents", ${categoryName} as "categoryName", level
    from unnest(${sql.param(ids)}::text[]) with ordinality as wanted(id, place) join ${courses} using (id)
    where published order by place`,
  )

  const currency = siteCurrency()
  return rows.map(({ priceCents, ...card }) => ({
    ...card,
    price: formatPrice(priceCents, currency),
  }))
}
