import { getTableName, sql } from 'drizzle-orm'
import { shownRating } from '~/features/reviews/review-page-queries.server'
import { lockContent } from '~/server/content/content-loader.server'
import { db, withOwnConnection } from '~/server/database/client.server'
import {
  categories,
  courseSearch,
  courses,
  searchCategories,
  searchLanguages,
  searchNames,
} from '~/server/database/schema/index'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { log } from '~/server/operations/log.server'
import { featuredCourse, foldSearch } from '../course-filters'
import {
  type CatalogNames,
  mostCategories,
  mostLanguages,
  packFacets,
  stepsOfCourse,
} from './facet-counts'
import { type Connection, listRows } from './search-transaction.server'
import { fold, listWords } from './words'

/** Writes the search index of courses: `course_search`, and its words and names. */

const coursesAtOnce = 500
/** Searches are at most 100 characters long; a longer word is found by its beginning. */
const longestWord = 200

/** Courses that a search finds: those of the catalog, and the one of `/OneCourse`. */
const isFound = sql`(courses.published and (courses.in_catalogue or courses.id = ${featuredCourse}))`

/**
 * Updates the search index of some courses, in the transaction that changes them or their ratings.
 * Courses that a search no longer finds are removed.
 */
export async function writeCourseSearch(
  transaction: Connection,
  courseIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < courseIds.length; from += coursesAtOnce) {
    await writeCourses(transaction, courseIds.slice(from, from + coursesAtOnce))
  }
}

/**
 * After a change of the content: courses that were stored, and those that came or went without it.
 */
export async function indexContent(
  transaction: Connection,
  storedIds: readonly string[],
): Promise<void> {
  const others = await listRows<{ id: string }>(
    transaction,
    sql`select id from courses where ${isFound} and not exists (select from course_search s where s.course_id = courses.id)
      union all select courses.id from course_search s join courses on courses.id = s.course_id where not ${isFound}`,
  )

  await writeCourseSearch(transaction, [...new Set([...storedIds, ...others.map(({ id }) => id)])])
  await countWords(transaction)
  await countNames(transaction)
}

/**
 * Whether a course of the catalog is missing: after an upgrade, or after a backup was restored,
 * which has no search.
 */
async function isIncomplete(db: Connection): Promise<boolean> {
  const [row] = await listRows<{ incomplete: boolean }>(
    db,
    sql`select exists (
      select from courses where ${isFound} and not exists (select from course_search s where s.course_id = courses.id)
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
  priceCents: number
  students: number
  lastUpdated: string
  listed: boolean
}

async function writeCourses(transaction: Connection, ids: readonly string[]): Promise<void> {
  const given = sql`${sql.param(ids)}::text[]`
  // Serializes two ratings of a course, so that the second one counts the first.
  await transaction.execute(
    sql`select from course_search where course_id = any(${given}) order by course_id for update`,
  )
  const rows = await listRows<CourseTexts>(
    transaction,
    sql`select id, title, summary, instructor_name as "instructorName", subtitle, skills, category, level, language,
        ${shownRating}::float8 as rating, duration_hours::float8 as "durationHours", price_cents as "priceCents", students,
        last_updated::text as "lastUpdated", in_catalogue as listed, array(
          select l.title from course_lessons l where l.course_id = courses.id and not l.retired order by l.position
        ) as "lessonTitles"
      from ${courses} where id = any(${given}) and ${isFound}`,
  )
  const found = new Set(rows.map(({ id }) => id))
  const gone = ids.filter((id) => !found.has(id))
  if (gone.length > 0) {
    await transaction.execute(
      sql`delete from course_search where course_id = any(${sql.param(gone)}::text[])`,
    )
  }

  const languages = await number(
    transaction,
    searchLanguages,
    mostLanguages,
    rows.map(({ language }) => foldSearch(language)),
  )
  const categoryNumbers = await number(
    transaction,
    searchCategories,
    mostCategories,
    rows.map(({ category }) => category),
  )

  await upsertRows(
    transaction,
    courseSearch,
    rows.map((course) =>
      searchRow(course, {
        category: categoryNumbers.get(course.category) ?? 0,
        language: languages.get(foldSearch(course.language)) ?? 0,
      }),
    ),
  )
}

type Numbers = { category: number; language: number }

function searchRow(course: CourseTexts, numbers: Numbers): typeof courseSearch.$inferInsert {
  const title = fold(course.title)
  const about = fold(`${course.summary}\n${course.instructorName}`)
  const titleWords = lexemesOf(title)
  const mainWords = lexemesOf(about)
  const otherWords = lexemesOf(
    fold([course.subtitle, ...course.skills, ...course.lessonTitles].join('\n')),
  )
  const steps = stepsOfCourse({ ...course, ...numbers })

  return {
    courseId: course.id,
    listed: course.listed,
    students: course.students,
    rating: course.rating,
    priceCents: course.priceCents,
    updated: course.lastUpdated,
    categoryStep: steps.category,
    levelStep: steps.level,
    ratingStep: steps.rating,
    lengthStep: steps.length,
    priceStep: steps.price,
    languageStep: steps.language,
    facets: packFacets(steps),
    instructor: foldSearch(course.instructorName),
    skills: [...new Set(course.skills.map(foldSearch))],
    folded: `${title}\n${about}`,
    main: [...titleWords.map((word) => `${word}:1A`), ...mainWords].join(' '),
    words: [...titleWords, ...mainWords, ...otherWords].join(' '),
  }
}

/** The words of a text as a `tsvector` has them. */
const lexemesOf = (folded: string) =>
  [...listWords(folded)].map((word) => `'${word.slice(0, longestWord)}'`)

/** The numbers of languages or categories; new ones get the next. */
async function number(
  transaction: Connection,
  table: typeof searchLanguages | typeof searchCategories,
  most: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const list = () =>
    listRows<{ number: number; name: string }>(transaction, sql`select number, name from ${table}`)
  const known = new Map((await list()).map(({ number, name }) => [name, number]))
  const fresh = [...new Set(names)].filter((name) => !known.has(name)).sort()
  if (fresh.length === 0) {
    return known
  }

  if (known.size + fresh.length > most) {
    throw new RangeError(`There are more than ${most} of ${getTableName(table)}.`)
  }

  await transaction.execute(sql`
    insert into ${table} (number, name)
    select (select coalesce(max(number) + 1, 0) from ${table}) + place - 1, name
    from unnest(${sql.param(fresh)}::text[]) with ordinality as fresh(name, place)`)

  return new Map((await list()).map(({ number, name }) => [name, number]))
}

/** In the order of their file. */
export async function listCategories(connection: Connection): Promise<CatalogNames['categories']> {
  const rows = await listRows<{ id: string; name: string; number: number | null }>(
    connection,
    sql`select c.id, c.name, n.number from ${categories} c left join ${searchCategories} n on n.name = c.id
      where c.id is not null order by c.position`,
  )

  return new Map(rows.map(({ id, name, number }) => [id, { name, number }]))
}

/** The one with the most courses first. */
export async function listLanguages(connection: Connection): Promise<CatalogNames['languages']> {
  const rows = await listRows<{ number: number; name: string }>(
    connection,
    sql`select number, name from search_languages order by courses desc, name`,
  )
  return new Map(rows.map(({ number, name }) => [name, number]))
}

/** Recounts all words, which only a change of the content does. */
async function countWords(transaction: Connection): Promise<void> {
  await transaction.execute(sql`
    create temporary table counted on commit drop as
    select word collate "C" as word, coalesce(main.ndoc, 0) as courses, words.ndoc as anywhere
    from ts_stat('select words from course_search') words
    left join ts_stat('select main from course_search') main using (word)`)

  await transaction.execute(sql`
    delete from search_words w where not exists (select from counted where counted.word = w.word)`)
  await transaction.execute(sql`
    insert into search_words (word, stem, courses, anywhere)
    select word, (ts_lexize('english_stem', word))[1], courses, anywhere from counted
    on conflict (word) do update set courses = excluded.courses, anywhere = excluded.anywhere
    where (search_words.courses, search_words.anywhere) is distinct from (excluded.courses, excluded.anywhere)`)
}

/**
 * A folded name as it is stored: a space before each word, so that a search finds the beginnings of
 * words.
 */
export function nameKey(folded: string): string {
  return ` ${folded.replaceAll(/[^\p{L}\p{N}\p{M}+#.]+/gu, ' ').trim()}`
}

async function countNames(transaction: Connection): Promise<void> {
  const counted = await listRows<{ kind: 'skill' | 'instructor'; name: string; courses: number }>(
    transaction,
    sql`select 'skill' as kind, name, count(*) filter (where listed)::int as courses
      from course_search, unnest(skills) as name group by name
      union all
      select 'instructor', instructor, count(*) filter (where listed)::int from course_search group by instructor`,
  )

  await transaction.execute(sql`delete from search_names`)
  await upsertRows(
    transaction,
    searchNames,
    counted.map((row) => ({ ...row, folded: nameKey(fold(row.name)) })),
  )

  await transaction.execute(sql`
    with counted as (
      select language_step as number, count(*) from course_search where listed group by language_step
    )
    update search_languages l set courses = coalesce((select count from counted where counted.number = l.number), 0)`)
}

/**
 * Fills the search index if an upgrade or a restored backup left it empty. Most starts find it
 * complete.
 */
export async function startSearch(): Promise<() => Promise<void>> {
  if (await isIncomplete(db)) {
    log.info('preparing the search of all courses')
    await withOwnConnection((own) =>
      own.transaction(async (transaction) => {
        await lockContent(transaction)
        if (await isIncomplete(transaction)) {
          await indexContent(transaction, [])
        }
      }),
    )

    // Autovacuum would gather these statistics minutes later; until then, plans are bad.
    await db.execute(sql`analyze course_search, search_words, search_names`)
  }

  return async () => {}
}
