import { type SQL, sql } from 'drizzle-orm'
import { shownRating, shownReviewCount } from '~/features/reviews/review-queries.server'
import { priceText } from '~/server/content/currency.server'
import { courses } from '~/server/database/schema/index'
import { type CatalogQuery, mostCounted, pageLength } from './catalog-query'
import type { CatalogCourse } from './catalog-result'
import { type Chosen, countCourses, type FacetCount, type Languages, listSteps, packedGroups } from './facet-counts'
import { mostNames, type NamedGroup, type Sort } from './facets'
import type { Requirement, Unit } from './search-plan'
import { type Connection, integers, listRows } from './search-transaction.server'
import type { WordedSearch } from './search-words.server'

/** The sort key of each order, descending; then by students, then by id. Each has an index. */
const sortKeys: Record<Sort, SQL> = {
  best: sql`students`,
  students: sql`students`,
  rated: sql`rating`,
  newest: sql`updated`,
  'price-up': sql`(-price_cents)`,
  'price-down': sql`price_cents`,
}

/** The courses that a query is about, before its filters narrow them down. */
export type Source = {
  /** A condition of `course_search`. */
  where: SQL
  /** How well a course matches: the best first. */
  tier: SQL
  /** Whether so many courses match that the first ones are found sooner along the order of all. */
  isCommon: boolean
  /** Of very many courses those that are best in any case: they have the words in the title, as typed. */
  surely: SQL | null
}

/** Of a search that finds nothing at all. */
const nothing = sql`false`

/** All courses of the catalog. */
export const wholeCatalog: Source = { where: sql`listed`, tier: sql`0`, isCommon: true, surely: null }

/**
 * The courses that a search finds: by title, summary and instructor, or by any text of the course.
 *
 * The specified search, a piece of these three texts, comes first; among those, and among the others, courses come
 * first that have all words in the title as typed ('C' before 'C++'), then those that have their forms or longer words
 * in the title, then those that have them in the three texts.
 */
export function sourcesOf({
  plan,
  forms,
  expected,
  courses,
  whole,
  wordsWithPiece,
}: WordedSearch): Record<'exact' | 'any' | 'mention', Source> {
  const specified = plan.text === '' ? nothing : sql`folded like ${likePattern(plan.text)}`
  // The same courses, found by an index.
  const indexed = wordsWithPiece ? matching('main', wordsWithPiece.map((word) => `'${word}'`).join(' | ')) : specified
  const query = wordQuery(plan.units, forms)
  const main = matching('main', query)
  const isCommon = areCommon(expected, courses, mostCounted)
  const exact = sql`(${indexed} or ${main})`
  const any = sql`(${indexed} or ${matching('words', query)})`
  const asTyped = typedQuery(plan.units)
  const tier = sql`case when ${specified} then 5 else 0 end
    + case when ${matching('main', withoutSigns(asTyped, plan.units))} then 4 when ${matching('main', asTyped)} then 3
      when ${matching('main', wordQuery(plan.units, forms, 'A'))} then 2 when ${main} then 1 else 0 end`
  const surely = isCommon && whole > 0 && whole <= mostSure ? matching('main', asTyped) : null
  return {
    exact: { where: exact, tier, isCommon, surely },
    any: { where: any, tier, isCommon, surely },
    mention: { where: sql`${matching('words', query)} and not ${exact}`, tier, isCommon, surely: null },
  }
}

/** All of these are sorted. */
const mostSure = 5_000

/** The words as they are typed, in the title. */
function typedQuery(units: readonly Unit[]): string {
  return units
    .map(
      ({ typed }) =>
        `(${typed
          .split(' ')
          .map((word) => `'${word}':A`)
          .join(' & ')})`,
    )
    .join(' & ')
}

/** Leaves out C++ and C# for C: a word with signs is also stored without them. */
function withoutSigns(query: string, units: readonly Unit[]): string {
  const letters = units.flatMap(({ typed }) => typed.split(' ')).filter((word) => /^\p{L}{1,3}$/u.test(word))
  return [query, ...letters.map((word) => `!'${word}+':*A & !'${word}#':*A`)].join(' & ')
}

/** Texts that have this one, character by character. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

function matching(column: 'main' | 'words', query: string): SQL {
  return query === '' ? nothing : sql`${sql.identifier(column)} @@ ${query}::tsquery`
}

/** All units in any order as a `tsquery`; words are letters, digits and `+#.`, so that quotes keep them whole. */
export function wordQuery(units: readonly Unit[], forms: WordedSearch['forms'], weight = ''): string {
  const one = ({ word, begins }: Requirement) => `'${word}'${begins || weight ? ':' : ''}${begins ? '*' : ''}${weight}`
  const inAnyForm = (requirement: Requirement) =>
    [requirement, ...(forms.get(requirement.word) ?? []).map((word) => ({ word, begins: false }))].map(one).join(' | ')
  return units
    .map(({ alternatives }) =>
      alternatives.map((phrase) => phrase.map((each) => `(${inAnyForm(each)})`).join(' & ')).join(' | '),
    )
    .map((unit) => `(${unit})`)
    .join(' & ')
}

/** @returns whether a search shows courses by the specified fields; if not, whether others are known to mention it. */
export async function findOut(
  connection: Connection,
  { exact, any }: Pick<ReturnType<typeof sourcesOf>, 'exact' | 'any'>,
): Promise<'exact' | 'mention' | null> {
  const [row] = await listRows<{ exact: boolean; any: boolean }>(
    connection,
    sql`select exists (select from ${facetsOf(exact.where, exact)}) as exact, exists (select from ${facetsOf(any.where, any)}) as any`,
  )
  return row?.exact ? 'exact' : row?.any ? 'mention' : null
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
  languages: Languages
  sort: Sort
  cursor: Cursor
}

/** Reads the first courses that filters leave of a source, in the order asked for: counts them, and picks a page. */
export async function readMatches(connection: Connection, source: Source, asked: Asked): Promise<Matches> {
  const { chosen, sort, cursor } = asked
  const key = sortKeys[sort]
  const tier = sort === 'best' ? source.tier : sql`0`
  const keys = [sql`tier`, sql`key`, sql`students`, sql`course_id`]
  const surely =
    sort === 'best' && source.surely
      ? sql`union (select course_id from ${rowsOf({ ...source, where: source.surely, isCommon: false }, asked)}
        order by students desc, course_id desc limit ${pageLength}::int)`
      : sql``
  const [row] = await listRows<{ counts: FacetCount[]; page: string[] } & Record<NamedGroup, NameCount[]>>(
    connection,
    sql`with first as (
      (select course_id from ${rowsOf(source, asked)}
      order by ${key} desc, students desc, course_id desc limit ${mostCounted + 1}::int)
      ${surely}
    ), m as materialized (
      select *, ${key} as key, ${tier} as tier from first join course_search using (course_id)
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
export async function countFacets(connection: Connection, source: Source, asked: Filters): Promise<Counts> {
  const rows = await listRows<{ facets: number; courses: number }>(
    connection,
    sql`select facets, count(*)::int as courses from (
      select facets from ${facetsOf(conditionOf(source, asked), source)} limit ${mostCounted + 1}::int
    ) found group by facets`,
  )
  const counts = rows.map(({ facets, courses }): FacetCount => [facets, courses])
  return { counts, isPartial: countCourses(counts) > mostCounted }
}

/** The best of the courses with most students. @returns ids. */
export async function listBest(connection: Connection, source: Source, most: number): Promise<string[]> {
  const fence = source.isCommon ? sql`` : sql`offset 0`
  const surely = source.surely
    ? sql`union (select * from (select * from course_search where ${source.surely} offset 0) found
        order by students desc, course_id desc limit ${most}::int)`
    : sql``
  const rows = await listRows<{ id: string }>(
    connection,
    sql`select course_id as id from (
        (select * from (select * from course_search where ${source.where} ${fence}) found
        order by students desc, course_id desc limit ${mostLookedAt}::int) ${surely}
      ) first
      order by ${source.tier} desc, students desc, course_id desc limit ${most}::int`,
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
export async function listCatalogNames(connection: Connection, group: NamedGroup): Promise<NameCount[]> {
  const rows = await listRows<{ name: string; courses: number }>(
    connection,
    sql`select name, courses from search_names where kind = ${group} and courses > 0
      order by courses desc, name collate "C" limit ${mostNames}::int`,
  )
  return rows.map(({ name, courses }) => [name, courses])
}

/** A page of all courses that filters leave of the catalog: it goes on as long as there are courses. */
export async function readCatalogPage(connection: Connection, asked: Asked): Promise<Page> {
  const keys = [sortKeys[asked.sort], sql`students`, sql`course_id`]
  const page = pageOf(rowsOf(wholeCatalog, asked), keys, asked.cursor)
  const [row] = await listRows<{ page: string[] }>(connection, sql`select (${page}) as page`)
  return readPage(row?.page ?? [], asked.cursor)
}

/**
 * Few courses are found by their own indexes and then sorted; the first ones of very many are found by walking along the index
 * of the order. PostgreSQL would sometimes walk for a rare word, or for a skill that other filters leave out, through the whole
 * table, which `offset 0` prevents.
 */
function rowsOf(source: Source, asked: Asked): SQL {
  const { chosen, sort } = asked
  const mayWalk = source.isCommon && chosen.skill.length === 0 && chosen.instructor.length === 0
  const where = sql.join([conditionOf(source, asked), ...priceRange(sort, chosen.price)], sql` and `)
  return sql`(select * from course_search where ${where} ${mayWalk ? sql`` : sql`offset 0`}) found`
}

/** Lets an order by price begin where the chosen prices do. */
function priceRange(sort: Sort, chosen: readonly string[]): SQL[] {
  if (chosen.length === 0 || (sort !== 'price-up' && sort !== 'price-down')) return []
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

/** Of an integer column. */
const highestCents = 2 ** 31 - 1

/**
 * A rare selection is materialized first: otherwise a limit could make PostgreSQL scan the table until it has enough
 * rows.
 */
function facetsOf(where: SQL, { isCommon }: Pick<Source, 'isCommon'>): SQL {
  const facets = sql`select facets from course_search where ${where}`
  return isCommon ? sql`(${facets}) found` : sql`(with few as materialized (${facets}) select facets from few) found`
}

/** Whether so many courses are found sooner along the order of all: about where both ways cost the same. */
function areCommon(expected: number, courses: number, wanted: number): boolean {
  return expected > Math.sqrt(wanted * courses)
}

type Filters = Pick<Asked, 'chosen' | 'languages'>

function conditionOf({ where }: Source, { chosen, languages }: Filters): SQL {
  const steps = packedGroups
    .filter((group) => chosen[group].length > 0)
    .map(
      (group) => sql`${sql.identifier(`${group}_step`)} = any(${integers(listSteps(group, chosen[group], languages))})`,
    )
  const skills = chosen.skill.length > 0 ? [sql`skills && ${sql.param(chosen.skill)}::text[]`] : []
  const instructors =
    chosen.instructor.length > 0 ? [sql`instructor = any(${sql.param(chosen.instructor)}::text[])`] : []
  return sql.join([where, ...steps, ...skills, ...instructors], sql` and `)
}

/** @param names a query with the column `name`. */
function countedNames(names: SQL, chosen: readonly string[]): SQL {
  return sql`select coalesce(json_agg(json_build_array(name, n)), '[]') from (
    select name, n, row_number() over (order by n desc, name collate "C") as place from (
      select name, count(*) as n from (${names}) names group by name) counted
  ) ranked where place <= ${mostNames}::int or name = any(${sql.param(chosen)}::text[])`
}

/** Ids of courses between which a page stands: it comes after one, or ends before one. */
type Cursor = Pick<CatalogQuery, 'after' | 'before'>
type Page = { ids: string[]; hasPrevious: boolean; hasNext: boolean }

/** One course more than a page has, which tells whether it goes on; none if the course of the cursor isn't in the list. */
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
  if (before !== null) return { ids: page.reverse(), hasPrevious: goesOn, hasNext: true }
  return { ids: page, hasPrevious: after !== null, hasNext: goesOn }
}

/** The columns of a course's card. */
export type CourseRow = Omit<CatalogCourse, 'marks'>

/** Courses by their ids, in that order. */
export async function listCards(connection: Connection, ids: readonly string[]): Promise<CourseRow[]> {
  if (ids.length === 0) return []
  const rows = await listRows<Omit<CourseRow, 'price'> & { priceCents: number }>(
    connection,
    sql`select courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
      (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
      price_cents as "priceCents", category, level
    from unnest(${sql.param(ids)}::text[]) with ordinality as wanted(id, place) join ${courses} using (id)
    where published order by place`,
  )
  return rows.map(({ priceCents, ...card }) => ({ ...card, price: priceText(priceCents) }))
}
