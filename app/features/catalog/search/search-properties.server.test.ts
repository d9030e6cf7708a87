import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { createSampleCourse } from '../../../../bench/sample-courses'
import { createTestDatabase } from '../../../../tests/support/test-database'
import {
  type CatalogQuery,
  type CatalogResult,
  emptyCatalogQuery,
  maxCountedCourses,
} from './catalog-query'
import { type FacetGroup, facetGroups, findRange, lengthRanges, priceRanges } from './facets'
import { searchCatalog } from './search-catalog.server'
import { indexContent } from './search-index.server'
import { findSuggestions } from './suggestions.server'
import { fold, listWords } from './words'

/**
 * Compares the search in SQL with the same search in plain TypeScript, on random catalogs and
 * queries.
 */

/** No word of these letters has another form in English, such as a plural. */
const letters = ['k', 'o', 'z', 'Ø', 'ж']
const anyWord = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 })
const anySeparator = fc.constantFrom(' ', ' ', ' ', '-', '+', '. ', "'", '%', '_')
const anyText = fc
  .array(fc.tuple(anyWord, anySeparator), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join('').trim() || 'o')

type Course = typeof courses.$inferInsert

/** Generates the columns in which courses differ. */
const anyCourse = fc.record({
  title: anyText,
  summary: anyText,
  instructorName: anyText,
  subtitle: anyText,
  category: fc.constantFrom('technology', 'design', 'photography'),
  level: fc.constantFrom('beginner', 'advanced'),
  language: fc.constantFrom('English', 'Русский', 'Deutsch'),
  priceMinor: fc.constantFrom(0, 4_999, 5_000, 14_999, 15_000),
  durationHours: fc.constantFrom(0.5, 4.9, 5, 20, 99),
  rating: fc.constantFrom(1, 2.9, 3, 3.5, 4.4, 4.5, 5),
  students: fc.nat(5),
  skills: fc.uniqueArray(fc.constantFrom('Ko', 'Oz', 'Øk'), { maxLength: 2 }),
  lastUpdated: fc.constantFrom('2026-01-01', '2026-05-05'),
  inCatalogue: fc.constant(true),
})

/** Generates the parts in which a query differs from the empty query. */
const anyQuery = fc.record(
  {
    q: fc.oneof(anyText, anyWord, fc.constant('')),
    mentions: fc.boolean(),
    category: fc.constantFrom('all', 'all', 'technology', 'design'),
    level: fc.constantFrom('all', 'all', 'beginner'),
    rating: fc.subarray(['4.5', '3.5']),
    length: fc.subarray(['0-5', '40']),
    price: fc.subarray(['free', '0-50', '50-100']),
    language: fc.subarray(['English', 'Русский', 'Klingon']),
    skill: fc.subarray(['Ko', 'Øk']),
    sort: fc.constantFrom('best', 'students', 'rated', 'newest', 'price-up', 'price-down'),
  },
  { requiredKeys: ['q'] },
)

const collectWords = (...texts: string[]) =>
  new Set(texts.flatMap((text) => [...listWords(fold(text))]))

/**
 * Returns whether the course has each word. The last word, which may be incomplete, only has to
 * begin one.
 */
function hasWords(course: Course, words: readonly string[]): boolean {
  const { title, summary, instructorName, subtitle, skills } = course
  const courseWords = collectWords(title, summary, instructorName, subtitle, ...skills)
  const lastWord = words.at(-1) ?? ''
  const hasLastWord = [...courseWords].some((courseWord) => courseWord.startsWith(lastWord))

  return hasLastWord && words.slice(0, -1).every((word) => courseWords.has(word))
}

/** The search as specified: title, summary or instructor contains the search text. */
function containsText(course: Course, searchText: string): boolean {
  const { title, summary, instructorName } = course
  return [title, summary, instructorName].some((text) => fold(text).includes(fold(searchText)))
}

/** Returns whether a course matches an option of a filter. */
const matchesOption: Record<FacetGroup, (course: Course, value: string) => boolean> = {
  category: (course, value) => course.category === value,
  level: (course, value) => course.level === value,
  rating: (course, value) => course.rating >= Number(value),
  length: (course, value) => findRange(lengthRanges, course.durationHours) === value,
  price: (course, value) => findRange(priceRanges, course.priceMinor / 100) === value,
  language: (course, value) => course.language === value,
  skill: (course, value) => course.skills.includes(value),
  instructor: (course, value) => course.instructorName === value,
}

/** Returns whether a course passes every filter of the query, or every filter except one. */
function passesFilters(course: Course, query: CatalogQuery, ignoredGroup?: FacetGroup): boolean {
  return facetGroups.every((group) => {
    const options = [query[group]].flat().filter((value) => value !== 'all')
    return (
      group === ignoredGroup ||
      options.length === 0 ||
      options.some((value) => matchesOption[group](course, value))
    )
  })
}

/** Courses with a higher number come first. All other orders are by the number of learners. */
const sortKeys: Record<string, (course: Course) => number> = {
  rated: ({ rating }) => rating,
  newest: ({ lastUpdated }) => Date.parse(lastUpdated),
  'price-up': ({ priceMinor }) => -priceMinor,
  'price-down': ({ priceMinor }) => priceMinor,
}

function sortIds(list: readonly Course[], sort: string): string[] {
  const getSortKey = sortKeys[sort] ?? (({ students }: Course) => students)
  return list
    .toSorted(
      (a, b) => getSortKey(b) - getSortKey(a) || b.students - a.students || (a.id < b.id ? 1 : -1),
    )
    .map(({ id }) => id)
}

/** Replaces the courses of the catalog. */
async function storeCourses(db: Database, list: readonly Course[]): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`delete from courses where id <> 'complete-web-development'`)
    await transaction.execute(sql`update courses set published = false`)
    await transaction.insert(courses).values([...list])
    await indexContent(
      transaction,
      list.map(({ id }) => id),
    )
  })
}

/** Reads the first page of the results, and the IDs of the courses of all pages. */
async function readPages(
  db: Database,
  query: CatalogQuery,
): Promise<{ first: CatalogResult; ids: string[] }> {
  const first = await searchCatalog(db, query)
  const ids = first.courses.map(({ id }) => id)
  for (let { nextCursor } = first; nextCursor !== null; ) {
    const page = await searchCatalog(db, { ...query, after: nextCursor })
    ids.push(...page.courses.map(({ id }) => id))
    nextCursor = page.nextCursor
  }

  return { first, ids }
}

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db.execute(sql`delete from search_synonyms`)
})

const commonColumns = {
  description: 'o',
  published: true,
  originalPriceMinor: 0,
  lectures: 1,
  downloadableResources: 0,
  reviews: 1,
  instructor: {
    name: 'o',
    title: 'o',
    experience: 'o',
    students: 1,
    courses: 1,
    rating: 3,
    bio: 'o',
    image: 'o',
  },
  requirements: [],
  whatYouLearn: [],
}

const completeCourses = (list: readonly object[]): Course[] =>
  list.map((course, index) => {
    const id = `c-${String(index).padStart(3, '0')}`
    return { ...commonColumns, ...course, id } as unknown as Course
  })

describe('in any catalog', () => {
  it('a search finds first every course that contains the text, and then only courses with all its words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCourse, { minLength: 1, maxLength: 60 }).map(completeCourses),
        fc.array(anyQuery, { minLength: 8, maxLength: 8 }),
        async (list, changes) => {
          await storeCourses(db, list)
          for (const change of changes) {
            const query = { ...emptyCatalogQuery, exact: true, ...change } as CatalogQuery
            if (query.q !== query.q.trim()) {
              continue
            }

            const { first, ids } = await readPages(db, query)
            const specifiedIds = list
              .filter((course) => query.q === '' || containsText(course, query.q))
              .filter((course) => passesFilters(course, query))
              .map(({ id }) => id)
            const otherIds = new Set(ids.filter((id) => !specifiedIds.includes(id)))
            expect({ query, ids: [...ids].sort() }).toEqual({
              query,
              ids: [...new Set([...specifiedIds, ...otherIds])].sort(),
            })
            expect(ids).toHaveLength(first.total)

            if (query.sort === 'best') {
              expect(new Set(ids.slice(0, specifiedIds.length))).toEqual(new Set(specifiedIds))
            }

            const searchWords = listSearchWords(query.q)
            for (const id of otherIds) {
              const course = list.find((candidate) => candidate.id === id) as Course
              expect({ query, id, hasWords: hasWords(course, searchWords) }).toEqual({
                query,
                id,
                hasWords: true,
              })
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 120_000)

  it('filters show how many courses each option has, and all pages together are in the chosen order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCourse, { minLength: 30, maxLength: 70 }).map(completeCourses),
        fc.array(anyQuery, { minLength: 8, maxLength: 8 }),
        async (list, changes) => {
          await storeCourses(db, list)
          for (const change of changes) {
            const query = {
              ...emptyCatalogQuery,
              ...change,
              q: '',
              mentions: false,
            } as CatalogQuery
            const { first, ids } = await readPages(db, query)
            const expectedCourses = list.filter((course) => passesFilters(course, query))
            expect({ query, ids }).toEqual({ query, ids: sortIds(expectedCourses, query.sort) })
            expect(first.total).toBe(expectedCourses.length)

            for (const group of facetGroups) {
              // The count of an option does not depend on the other options of its own filter.
              const countedCourses = list.filter((course) => passesFilters(course, query, group))
              for (const { value, count } of first.facets[group]) {
                const expectedCount = countedCourses.filter(
                  (course) => value === 'all' || matchesOption[group](course, value),
                ).length
                expect({ query, group, value, count }).toEqual({
                  query,
                  group,
                  value,
                  count: expectedCount,
                })
              }
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 120_000)
})

function listSearchWords(q: string): string[] {
  return fold(q).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

describe('a large catalog', () => {
  const courseCount = 2 * maxCountedCourses

  const countCoursesWhere = async (condition: SQL) => {
    const { rows } = await db.execute(
      sql`select count(*)::int as count from courses where published and ${condition}`,
    )
    return Number(rows[0]?.count)
  }

  const containsTextCondition = (searchText: string) =>
    sql.join(
      ['title', 'summary', 'instructor_name'].map(
        (column) => sql`${sql.identifier(column)} ilike ${`%${searchText}%`}`,
      ),
      sql` or `,
    )

  beforeAll(async () => {
    await db.execute(sql`delete from courses where id <> 'complete-web-development'`)
    const rows = JSON.stringify(
      Array.from({ length: courseCount }, (_, rank) => createSampleCourse(rank, ['noor-haddad'])),
    )
    await db.transaction(async (transaction) => {
      await transaction.execute(sql`
        insert into courses select (jsonb_populate_recordset(null::courses, ${rows}::text::jsonb)).*`)
      await indexContent(transaction, [])
    })
  })

  it('is counted exactly without a search, and has pages beyond the number of courses that a search counts', async () => {
    const firstPage = await searchCatalog(db, emptyCatalogQuery)
    expect(firstPage).toMatchObject({ total: courseCount, isPartial: false })

    const farPage = await searchCatalog(db, { ...emptyCatalogQuery, after: 'sample-0001500' })
    expect(farPage.courses[0]?.id).toBe('sample-0001501')

    const [category] = firstPage.facets.category.slice(1)
    expect(await searchCatalog(db, { ...emptyCatalogQuery, category: 'technology' })).toMatchObject(
      {
        total: category?.count,
        isPartial: false,
      },
    )
  })

  it('has a search with a partial count, which is exact once filters leave few courses', async () => {
    const result = await searchCatalog(db, { ...emptyCatalogQuery, q: 'a' })
    expect(result).toMatchObject({ total: maxCountedCourses, isPartial: true })
    expect(result.facets.level[1]).toMatchObject({ value: 'beginner', isPartial: true })

    const filteredResult = await searchCatalog(db, {
      ...emptyCatalogQuery,
      q: 'a',
      category: 'photography',
      level: 'advanced',
    })
    const count = await countCoursesWhere(
      sql`category = 'photography' and level = 'advanced' and (${containsTextCondition('a')})`,
    )
    expect(filteredResult).toMatchObject({ total: count, isPartial: false })

    const advanced = filteredResult.facets.level.find(({ value }) => value === 'advanced')
    expect(advanced?.count).toBe(count)
  })

  it('has a search that finds all courses if they are few', async () => {
    for (const q of ['photo editing', 'ing fo', 'c++', 'zan', 'qu']) {
      const count = await countCoursesWhere(sql`(${containsTextCondition(q)})`)
      const result = await searchCatalog(db, { ...emptyCatalogQuery, q, exact: true })
      if (result.isPartial) {
        expect(count).toBeGreaterThan(maxCountedCourses)
      } else {
        expect(result.hasOnlyMentions ? 0 : result.total).toBeGreaterThanOrEqual(count)
      }
    }

    expect((await findSuggestions(db, 'python')).courses).toHaveLength(4)
  })
})
