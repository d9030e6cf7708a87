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

/** Letters whose words have no other English forms. */
const letters = ['k', 'o', 'z', 'Ø', 'ж']
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 })
const sign = fc.constantFrom(' ', ' ', ' ', '-', '+', '. ', "'", '%', '_')
const text = fc
  .array(fc.tuple(word, sign), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join('').trim() || 'o')

type Course = typeof courses.$inferInsert

const course = fc.record({
  title: text,
  summary: text,
  instructorName: text,
  subtitle: text,
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

const query = fc.record(
  {
    q: fc.oneof(text, word, fc.constant('')),
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

const parts = ({ title, summary, instructorName }: Course) =>
  [title, summary, instructorName].map(fold)
const wordsIn = (...texts: string[]) => new Set(texts.flatMap((each) => [...listWords(fold(each))]))
const has = (words: Set<string>, wanted: readonly string[], isBegun: boolean) =>
  wanted.every((one, at) =>
    isBegun && at === wanted.length - 1
      ? [...words].some((other) => other.startsWith(one))
      : words.has(one),
  )

/** The specified search: a piece of title, description or instructor. */
const isSpecified = (course: Course, q: string) =>
  parts(course).some((part) => part.includes(fold(q)))

/** The courses that match an option of a filter. */
const optionOf: Record<FacetGroup, (course: Course, value: string) => boolean> = {
  category: (course, value) => course.category === value,
  level: (course, value) => course.level === value,
  rating: (course, value) => course.rating >= Number(value),
  length: (course, value) => findRange(lengthRanges, course.durationHours) === value,
  price: (course, value) => findRange(priceRanges, course.priceMinor / 100) === value,
  language: (course, value) => course.language === value,
  skill: (course, value) => course.skills.includes(value),
  instructor: (course, value) => course.instructorName === value,
}

function passes(course: Course, query: CatalogQuery, except?: FacetGroup): boolean {
  return facetGroups.every((group) => {
    const chosen = [query[group]].flat().filter((value) => value !== 'all')
    return (
      group === except ||
      chosen.length === 0 ||
      chosen.some((value) => optionOf[group](course, value))
    )
  })
}

const keyOf: Record<string, (course: Course) => number> = {
  rated: ({ rating }) => rating,
  newest: ({ lastUpdated }) => Date.parse(lastUpdated),
  'price-up': ({ priceMinor }) => -priceMinor,
  'price-down': ({ priceMinor }) => priceMinor,
}

function inOrder(list: readonly Course[], sort: string): string[] {
  const key = keyOf[sort] ?? (({ students }: Course) => students)
  return list
    .toSorted((a, b) => key(b) - key(a) || b.students - a.students || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

async function store(db: Database, list: readonly Course[]): Promise<void> {
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

const complete = (list: readonly object[]): Course[] =>
  list.map(
    (course, index) =>
      ({ ...bare, ...course, id: `c-${String(index).padStart(3, '0')}` }) as unknown as Course,
  )

const bare = {
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

describe('on any catalog', () => {
  it('a search finds every course of the specified match, those first, and nothing that has not all words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(course, { minLength: 1, maxLength: 60 }).map(complete),
        fc.array(query, { minLength: 8, maxLength: 8 }),
        async (list, changes) => {
          await store(db, list)
          for (const change of changes) {
            const query = { ...emptyCatalogQuery, exact: true, ...change } as CatalogQuery
            if (query.q !== query.q.trim()) {
              continue
            }

            const { first, ids } = await readPages(db, query)
            const specified = list.filter((each) => query.q === '' || isSpecified(each, query.q))
            const shown = specified.filter((each) => passes(each, query)).map(({ id }) => id)
            const others = new Set(ids.filter((id) => !shown.includes(id)))
            expect({ query, ids: [...ids].sort() }).toEqual({
              query,
              ids: [...new Set([...shown, ...others])].sort(),
            })
            expect(ids).toHaveLength(first.total)
            if (query.sort === 'best') {
              expect(new Set(ids.slice(0, shown.length))).toEqual(new Set(shown))
            }

            const wanted = [...listSearchWords(query.q)]
            for (const id of others) {
              const found = list.find((each) => each.id === id) as Course
              const words = wordsIn(
                found.title,
                found.summary,
                found.instructorName,
                found.subtitle,
                ...found.skills,
              )

              expect({ query, id, has: has(words, wanted, true) }).toEqual({ query, id, has: true })
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 120_000)

  it('filters count what they leave, and orders are those asked for, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(course, { minLength: 30, maxLength: 70 }).map(complete),
        fc.array(query, { minLength: 8, maxLength: 8 }),
        async (list, changes) => {
          await store(db, list)
          for (const change of changes) {
            const query = {
              ...emptyCatalogQuery,
              ...change,
              q: '',
              mentions: false,
            } as CatalogQuery
            const { first, ids } = await readPages(db, query)
            const left = list.filter((each) => passes(each, query))
            expect({ query, ids }).toEqual({ query, ids: inOrder(left, query.sort) })
            expect(first.total).toBe(left.length)
            for (const group of facetGroups) {
              const others = list.filter((each) => passes(each, query, group))
              for (const { value, count } of first.facets[group]) {
                const expected = others.filter(
                  (each) => value === 'all' || optionOf[group](each, value),
                ).length
                expect({ query, group, value, count }).toEqual({
                  query,
                  group,
                  value,
                  count: expected,
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
  const size = 2 * maxCountedCourses

  const countWhere = async (condition: SQL) => {
    const { rows } = await db.execute(
      sql`select count(*)::int as count from courses where published and ${condition}`,
    )
    return Number(rows[0]?.count)
  }
  const hasPiece = (piece: string) =>
    sql.join(
      ['title', 'summary', 'instructor_name'].map(
        (column) => sql`${sql.identifier(column)} ilike ${`%${piece}%`}`,
      ),
      sql` or `,
    )

  beforeAll(async () => {
    await db.execute(sql`delete from courses where id <> 'complete-web-development'`)
    const rows = JSON.stringify(
      Array.from({ length: size }, (_, rank) => createSampleCourse(rank, ['noor-haddad'])),
    )
    await db.transaction(async (transaction) => {
      await transaction.execute(sql`
        insert into courses select (jsonb_populate_recordset(null::courses, ${rows}::text::jsonb)).*`)
      await indexContent(transaction, [])
    })
  })

  it('is counted exactly without a search, and its pages go on behind the courses that a search counts', async () => {
    const all = await searchCatalog(db, emptyCatalogQuery)
    expect(all).toMatchObject({ total: size, isPartial: false })

    const far = await searchCatalog(db, { ...emptyCatalogQuery, after: 'sample-0001500' })
    expect(far.courses[0]?.id).toBe('sample-0001501')

    const [category] = all.facets.category.slice(1)
    expect(await searchCatalog(db, { ...emptyCatalogQuery, category: 'technology' })).toMatchObject(
      {
        total: category?.count,
        isPartial: false,
      },
    )
  })

  it('says that there are more than it counts, and filters leave what has all of them', async () => {
    const found = await searchCatalog(db, { ...emptyCatalogQuery, q: 'a' })
    expect(found).toMatchObject({ total: maxCountedCourses, isPartial: true })
    expect(found.facets.level[1]).toMatchObject({ value: 'beginner', isPartial: true })

    const left = await searchCatalog(db, {
      ...emptyCatalogQuery,
      q: 'a',
      category: 'photography',
      level: 'advanced',
    })
    const count = await countWhere(
      sql`category = 'photography' and level = 'advanced' and (${hasPiece('a')})`,
    )
    expect(left).toMatchObject({ total: count, isPartial: false })
    expect(left.facets.level.find(({ value }) => value === 'advanced')?.count).toBe(count)
  })

  it('finds a few courses exactly', async () => {
    for (const q of ['photo editing', 'ing fo', 'c++', 'zan', 'qu']) {
      const count = await countWhere(sql`(${hasPiece(q)})`)
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
