/**
 * The search index of courses: `course_search`, its words (`search_words`), the names of skills and
 * instructors (`search_names`) and the counts for the filters (`catalog_counts`). All four are
 * derived from the courses and can be written again at any time.
 */
import { type SQL, sql } from 'drizzle-orm'
import { lockContent } from '~/features/courses/content/content-lock.server'
import { getApproximateDollarMinor } from '~/features/courses/smallest-payments'
import { displayedRating } from '~/features/reviews/review-page-queries.server'
import { db, withOwnConnection } from '~/server/database/client.server'
import { categories, courseSearch, courses, searchNames } from '~/server/database/schema/index'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { StartError } from '~/server/env.server'
import { log } from '~/server/operations/log.server'
import { siteCurrency } from '~/server/site/site.server'
import { defaultCourseId } from './catalog-query'
import { columnByGroup, getCourseRanges } from './facet-columns'
import type { SchoolOptions } from './facet-options'
import { priceRanges } from './facets'
import { normalizeName } from './normalize-search'
import { type Connection, listRows, readRow, toIntegerArray } from './search-transaction.server'
import { fold, listWords } from './words'

const batchSize = 500
/**
 * Longer words are cut. A search is at most 100 characters long, so it can't contain such a word.
 */
const maxWordLength = 200

/** Searches find the courses of the catalog, and the sample course of `/OneCourse`. */
const isSearchable = sql`(courses.published and (courses.in_catalogue or courses.id = ${defaultCourseId}))`

/**
 * Updates the search index of some courses, in the transaction that changes them or their ratings.
 * Courses that a search no longer finds are removed.
 */
export async function writeCourseSearch(
  transaction: Connection,
  courseIds: readonly string[],
): Promise<void> {
  const changes: CountChanges = new Map()
  await writeInBatches(transaction, courseIds, changes)
  await applyChanges(transaction, changes)
}

async function writeInBatches(
  transaction: Connection,
  courseIds: readonly string[],
  changes: CountChanges,
): Promise<void> {
  for (let start = 0; start < courseIds.length; start += batchSize) {
    const batchIds = courseIds.slice(start, start + batchSize)
    await lockCourses(transaction, batchIds)

    const optionsBefore = await listCountedOptions(transaction, batchIds)
    await writeCourses(transaction, batchIds)
    const optionsAfter = await listCountedOptions(transaction, batchIds)

    addChange(changes, optionsBefore, -1)
    addChange(changes, optionsAfter, 1)
  }
}

/**
 * Updates the search index after the content has changed: for the courses that were stored, and for
 * those that appeared in the catalog or left it without being stored.
 */
export async function indexContent(
  transaction: Connection,
  storedIds: readonly string[],
): Promise<void> {
  const changedCourses = await listRows<{ id: string }>(
    transaction,
    sql`
      select id
      from courses
      where ${isSearchable} and not exists (
        select from course_search s where s.course_id = courses.id and s.category is not null
      )
      union all
      select courses.id
      from course_search s
      join courses on courses.id = s.course_id
      where not ${isSearchable}`,
  )

  const courseIds = [...new Set([...storedIds, ...changedCourses.map(({ id }) => id)])]
  // The counts are written anew below, so the changes are not needed.
  await writeInBatches(transaction, courseIds, new Map())
  await countWords(transaction)
  await countNames(transaction)
  await countOptions(transaction)
}

/**
 * Returns whether the index lacks a course, as after an upgrade or after restoring a backup, which
 * contains no search index.
 */
async function isIncomplete(connection: Connection): Promise<boolean> {
  const [row] = await listRows<{ incomplete: boolean }>(
    connection,
    sql`
      select exists (
        select from courses
        where ${isSearchable} and not exists (
          select from course_search s where s.course_id = courses.id and s.category is not null
        )
      ) as incomplete`,
  )

  return row?.incomplete === true
}

type CourseTexts = {
  id: string
  title: string
  summary: string
  instructorName: string
  subtitle: string
  skills: string[]
  lessonTitles: string[]
  category: string
  level: string
  language: string
  rating: number
  durationHours: number
  priceMinor: number
  students: number
  lastUpdated: string
  listed: boolean
}

/** Locks the courses, so that of two simultaneous ratings the second one counts the first. */
async function lockCourses(transaction: Connection, courseIds: readonly string[]): Promise<void> {
  await transaction.execute(sql`
    select from course_search
    where course_id = any(${sql.param(courseIds)}::text[])
    order by course_id
    for update`)
}

async function writeCourses(transaction: Connection, ids: readonly string[]): Promise<void> {
  const rows = await listRows<CourseTexts>(
    transaction,
    sql`
      select
        id,
        title,
        summary,
        instructor_name as "instructorName",
        subtitle,
        skills,
        category,
        level,
        language,
        ${displayedRating}::float8 as rating,
        duration_hours::float8 as "durationHours",
        price_cents as "priceMinor",
        students,
        last_updated::text as "lastUpdated",
        in_catalogue as listed,
        array(
          select l.title
          from course_lessons l
          where l.course_id = courses.id and not l.retired
          order by l.position
        ) as "lessonTitles"
      from ${courses}
      where id = any(${sql.param(ids)}::text[]) and ${isSearchable}`,
  )

  const searchableIds = new Set(rows.map(({ id }) => id))
  const removedIds = ids.filter((id) => !searchableIds.has(id))
  if (removedIds.length > 0) {
    await transaction.execute(
      sql`delete from course_search where course_id = any(${sql.param(removedIds)}::text[])`,
    )
  }

  await upsertRows(transaction, courseSearch, rows.map(toSearchRow))
}

function toSearchRow(course: CourseTexts): typeof courseSearch.$inferInsert {
  const title = fold(course.title)
  const summaryAndInstructor = fold(`${course.summary}\n${course.instructorName}`)
  const titleWords = listLexemes(title)
  const mainWords = listLexemes(summaryAndInstructor)
  const otherWords = listLexemes(
    fold([course.subtitle, ...course.skills, ...course.lessonTitles].join('\n')),
  )

  return {
    courseId: course.id,
    listed: course.listed,
    students: course.students,
    rating: course.rating,
    priceMinor: course.priceMinor,
    updated: course.lastUpdated,
    category: course.category,
    level: course.level,
    language: normalizeName(course.language),
    ...getCourseRanges(course, getApproximateDollarMinor(siteCurrency())),
    instructor: normalizeName(course.instructorName),
    skills: [...new Set(course.skills.map(normalizeName))],
    folded: `${title}\n${summaryAndInstructor}`,
    main: [...titleWords.map((word) => `${word}:1A`), ...mainWords].join(' '),
    words: [...titleWords, ...mainWords, ...otherWords].join(' '),
  }
}

/** Returns the words of a text in the syntax of a `tsvector`. */
const listLexemes = (folded: string) =>
  [...listWords(folded)].map((word) => `'${word.slice(0, maxWordLength)}'`)

/** Reads the categories of the school and the languages of its catalog. */
export async function readSchoolOptions(connection: Connection): Promise<SchoolOptions> {
  const options = await readRow<{ categories: [id: string, name: string][]; languages: string[] }>(
    connection,
    sql`
      select
        (
          select coalesce(json_agg(json_build_array(id, name) order by position), '[]')
          from ${categories}
          where id is not null
        ) as categories,
        (
          select coalesce(json_agg(language order by courses desc, language), '[]')
          from (
            select language, sum(courses) as courses
            from catalog_counts
            group by language
          ) language_counts
          where courses > 0
        ) as languages`,
  )

  return { languages: options.languages, categories: new Map(options.categories) }
}

/** Counts the courses of all words anew. The words change only with the content. */
async function countWords(transaction: Connection): Promise<void> {
  await transaction.execute(sql`
    create temporary table word_counts on commit drop as
    select word collate "C" as word, coalesce(main.ndoc, 0) as courses, words.ndoc as anywhere
    from ts_stat('select words from course_search') words
    left join ts_stat('select main from course_search') main using (word)`)

  await transaction.execute(sql`
    delete from search_words w
    where not exists (select from word_counts c where c.word = w.word)`)
  await transaction.execute(sql`
    insert into search_words (word, stem, courses, anywhere)
    select word, (ts_lexize('english_stem', word))[1], courses, anywhere
    from word_counts
    on conflict (word) do update
    set courses = excluded.courses, anywhere = excluded.anywhere
    where (search_words.courses, search_words.anywhere)
      is distinct from (excluded.courses, excluded.anywhere)`)
}

/**
 * Returns a folded name as it is stored: with a space before each word, so that a search can look
 * for the beginnings of words.
 */
export function createNameKey(folded: string): string {
  return ` ${folded.replaceAll(/[^\p{L}\p{N}\p{M}+#.]+/gu, ' ').trim()}`
}

async function countNames(transaction: Connection): Promise<void> {
  const nameCounts = await listRows<{
    kind: 'skill' | 'instructor'
    name: string
    courses: number
  }>(
    transaction,
    sql`
      select 'skill' as kind, name, count(*) filter (where listed)::int as courses
      from course_search, unnest(skills) as name
      group by name
      union all
      select 'instructor', instructor, count(*) filter (where listed)::int
      from course_search
      group by instructor`,
  )

  await transaction.execute(sql`delete from search_names`)
  await upsertRows(
    transaction,
    searchNames,
    nameCounts.map((row) => ({ ...row, folded: createNameKey(fold(row.name)) })),
  )
}

const optionColumnNames = Object.values(columnByGroup)
const optionColumns = sql.raw(optionColumnNames.join(', '))
/** Reads the same columns from a JSON array of their values. */
const optionValues = sql.raw(optionColumnNames.map((_, index) => `options ->> ${index}`).join(', '))

/** By how much the number of courses with the same options changes, by these options as JSON. */
type CountChanges = Map<string, number>

/** Returns the options of some courses that count in the catalog, as JSON, one for each course. */
async function listCountedOptions(
  transaction: Connection,
  courseIds: readonly string[],
): Promise<string[]> {
  const rows = await listRows<{ options: string }>(
    transaction,
    sql`
      select jsonb_build_array(${optionColumns})::text as options
      from course_search
      where listed and category is not null and course_id = any(${sql.param(courseIds)}::text[])`,
  )
  return rows.map(({ options }) => options)
}

function addChange(changes: CountChanges, options: readonly string[], change: 1 | -1): void {
  for (const optionsJson of options) {
    changes.set(optionsJson, (changes.get(optionsJson) ?? 0) + change)
  }
}

/**
 * Adds the changes to `catalog_counts`. The caller has locked the rows of all courses before, and
 * the counts are locked in a fixed order, so that two transactions never wait for each other.
 */
async function applyChanges(transaction: Connection, changes: CountChanges): Promise<void> {
  const sortedChanges = [...changes].filter(([, change]) => change !== 0).sort()
  if (sortedChanges.length === 0) {
    return
  }

  const options = sortedChanges.map(([optionsJson]) => optionsJson)
  const courses = sortedChanges.map(([, change]) => change)
  await transaction.execute(sql`
    insert into catalog_counts (${optionColumns}, courses)
    select ${optionValues}, courses
    from unnest(${sql.param(options)}::jsonb[], ${toIntegerArray(courses)})
      as changed(options, courses)
    on conflict (${optionColumns}) do update
    set courses = catalog_counts.courses + excluded.courses`)
}

/**
 * Counts the courses of all options anew. A rating that changes at the same time waits for the lock
 * and is counted afterwards.
 */
async function countOptions(transaction: Connection): Promise<void> {
  await transaction.execute(sql`lock table catalog_counts in exclusive mode`)
  await transaction.execute(sql`delete from catalog_counts`)
  await transaction.execute(sql`
    insert into catalog_counts (${optionColumns}, courses)
    select ${optionColumns}, count(*)
    from course_search
    where listed and category is not null
    group by ${optionColumns}`)
}

/**
 * Assigns each price to its range again, because the ranges depend on the currency. It changes
 * nothing while the currency is the same.
 */
export async function updatePriceRanges(transaction: Connection, currency: string): Promise<void> {
  // The courses are locked in the same order as by other changes, so that none waits for another.
  const changedCourses = await listRows<{ id: string }>(
    transaction,
    sql`
      with changed as (
        select course_id
        from course_search
        where category is not null and price_range <> ${selectPriceRange(currency)}
        order by course_id
        for update
      )
      update course_search
      set price_range = ${selectPriceRange(currency)}
      from changed
      where course_search.course_id = changed.course_id
      returning course_search.course_id as id`,
  )

  if (changedCourses.length > 0) {
    await countOptions(transaction)
  }
}

/** Selects the range of a price like `getCourseRanges`. */
function selectPriceRange(currency: string): SQL {
  const dollarMinor = getApproximateDollarMinor(currency)
  const branches = priceRanges.map((range) => {
    if (range === 'free') {
      return sql`when price_cents <= 0 then ${range}::text`
    }

    const [, upperBound] = range.split('-')
    const maxPrice = Number(upperBound) * dollarMinor - 1
    return upperBound === undefined
      ? sql`else ${range}::text`
      : sql`when price_cents <= ${maxPrice}::int then ${range}::text`
  })

  return sql`case ${sql.join(branches, sql` `)} end`
}

/**
 * Fills the search index if an upgrade or a restored backup left it empty. Most starts find it
 * complete.
 */
export async function startSearch(): Promise<() => Promise<void>> {
  if (await isIncomplete(db)) {
    log.info('preparing the search of all courses')
    await withOwnConnection((connection) =>
      connection.transaction(async (transaction) => {
        const lock = await lockContent(transaction)
        if (!lock.ok) {
          throw new StartError(lock.problem)
        }

        if (await isIncomplete(transaction)) {
          await indexContent(transaction, [])
        }
      }),
    )

    // Autovacuum would gather these statistics minutes later. Without them, queries are slow.
    await db.execute(sql`analyze course_search, search_words, search_names, catalog_counts`)
  }

  // The operator may have changed the setting CURRENCY. A large school takes longer than the time
  // limit of the common connections.
  await withOwnConnection((connection) =>
    connection.transaction((transaction) => updatePriceRanges(transaction, siteCurrency())),
  )

  return async () => {}
}
