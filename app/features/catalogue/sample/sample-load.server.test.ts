import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { testDatabase } from '../../../../tests/support/test-database'
import { findCourseDetail } from '../course-queries.server'
import { type CatalogueQuery, everything } from '../search/catalogue-query'
import { indexContent } from '../search/index-store.server'
import { readIndex } from '../search/kept-index.server'
import { findCatalogue } from '../search/search-catalogue.server'
import { findSuggestions } from '../search/suggestions.server'
import { makeSampleCourse } from './sample-courses'
import { loadSample } from './sample-load.server'

let db: Database
let url: string

beforeAll(async () => {
  ;({ db, url } = await testDatabase())
})

it('courses are the same each time, the most popular first', () => {
  const courses = Array.from({ length: 500 }, (_, rank) => makeSampleCourse(rank, ['noor-haddad']))
  expect(makeSampleCourse(7, ['noor-haddad'])).toEqual(courses[7])
  expect(courses.map(({ students }) => students)).toEqual(
    courses.map(({ students }) => students).toSorted((a, b) => b - a),
  )
  expect(new Set(courses.map(({ title }) => title)).size).toBeGreaterThan(400)
  for (const { rating, price_cents, duration_hours } of courses) {
    expect(rating).toBeGreaterThanOrEqual(1)
    expect(rating).toBeLessThanOrEqual(5)
    expect(price_cents).toBeGreaterThanOrEqual(0)
    expect(duration_hours).toBeGreaterThan(0)
  }
})

it('sample courses stand beside those of the content, open, and go away again', async () => {
  await loadSample(db, 3_000, env.CONTENT_DIR)
  const all = await findCatalogue(db, everything)
  expect(all.total).toBe(3_012)
  expect(all.courses).toHaveLength(24)
  const students = all.courses.map((course) => course.students)
  expect(students).toEqual(students.toSorted((a, b) => b - a))
  expect((await findCatalogue(db, { ...everything, q: 'python from zero' })).courses[0]?.id).toBe('python-from-zero')
  expect(await findCourseDetail(db, 'sample-0000001')).toMatchObject({ curriculum: [] })
  expect((await findSuggestions(db, 'python')).courses).toHaveLength(4)

  await loadSample(db, 0, env.CONTENT_DIR)
  expect(await findCatalogue(db, everything)).toMatchObject({ total: 12 })
  expect(await findCourseDetail(db, 'sample-0000001')).toBeNull()
})

it('pages of the catalogue go through all courses once, in every order, there and back', async () => {
  await loadSample(db, 200, env.CONTENT_DIR)
  for (const query of [
    everything,
    { ...everything, sort: 'price-down' as const },
    { ...everything, q: 'a', sort: 'rated' as const },
    { ...everything, q: 'design' },
    { ...everything, q: 'design', mentions: true, level: 'beginner' as const },
  ]) {
    const pages = []
    let page = await findCatalogue(db, query)
    for (pages.push(page); page.next; pages.push(page)) page = await findCatalogue(db, { ...query, after: page.next })
    const seen = pages.flatMap(({ courses }) => courses.map(({ id }) => id))
    expect(seen).toHaveLength(page.total)
    expect(new Set(seen).size).toBe(page.total)
    const back = pages.length > 1 ? await findCatalogue(db, { ...query, before: page.previous }) : page
    expect(back.courses).toEqual(pages.at(-2)?.courses ?? page.courses)
    if (pages.length > 2) expect(pages[1]?.previous).toBe(pages[1]?.courses[0]?.id)
    expect(pages[0]?.previous).toBeNull()
  }
})

it('counts of a large catalogue are those of the database', async () => {
  await loadSample(db, 3_000, env.CONTENT_DIR)
  for (const q of ['design', 'e', 'management team', 'python', 'ing fo', 'c++', 'a b']) {
    const pattern = `%${q}%`
    const {
      rows: [row],
    } = await db.execute<{ count: number }>(sql`
      select count(*)::int from courses where published and (in_catalogue or id = 'complete-web-development')
        and (title ilike ${pattern} or summary ilike ${pattern} or instructor_name ilike ${pattern})`)
    const { matches, facets } = await findCatalogue(db, { ...everything, q })
    if (q.includes(' ')) expect(matches.exact).toBeGreaterThanOrEqual(row?.count ?? 0)
    else expect({ q, count: matches.exact }).toEqual({ q, count: row?.count })
    for (const { value, count } of facets.category.slice(1)) {
      const narrowed = await findCatalogue(db, { ...everything, q, category: value as 'design' })
      expect(narrowed.total).toBe(count)
    }
  }
})

it('a sample course that somebody wishes for is only hidden', async () => {
  await db.execute(sql`
    insert into users (id, name, first_name, last_name, email, email_verified, provider, created_at, updated_at)
    values ('ada', 'Ada', 'Ada', '', 'ada@example.org', true, 'email', now(), now())`)
  await db.execute(sql`insert into wishes (uid, course_id) values ('ada', 'sample-0000002')`)
  await loadSample(db, 0, env.CONTENT_DIR)
  const { rows: left } = await db.execute(sql`select id, published from courses where sample`)
  expect([...left]).toEqual([{ id: 'sample-0000002', published: false }])
  await loadSample(db, 5, env.CONTENT_DIR)
  expect((await findCatalogue(db, everything)).total).toBe(17)
})

describe('a new version of one segment', () => {
  const queries: Partial<CatalogueQuery>[] = [
    {},
    { q: 'python' },
    { q: 'management team', sort: 'rated' as const },
    { q: 'ing fo', sort: 'price-down' as const },
    { sort: 'newest' as const, category: 'design' as const },
    { language: ['Klingon'] },
    { language: ['English'], rating: ['4.5'] },
    { skill: ['Python'] },
  ]

  /** Compares what a process answers that knew the version before with what one does that has just been started. */
  async function expectSameAsRead(): Promise<void> {
    const { database, pool } = connect(url, { poolSize: 1 })
    for (const query of queries.map((query) => ({ ...everything, ...query })))
      expect(await findCatalogue(db, query)).toEqual(await findCatalogue(database, query))
    for (const typed of ['p', 'man', 'klin'])
      expect(await findSuggestions(db, typed)).toEqual(await findSuggestions(database, typed))
    await pool.end()
  }

  it('is joined with what is known of the others', async () => {
    await loadSample(db, 700, env.CONTENT_DIR)
    await expectSameAsRead()
    await db.execute(
      sql`update courses set rating = 2, price_cents = 7700, language = 'Klingon' where id like 'p%' and not sample`,
    )
    await db.transaction(indexContent)
    await expectSameAsRead()
    // As many that the other segment begins elsewhere.
    await db.execute(sql`
      insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', c.id || n))).*
      from courses c, generate_series(1, 5) n where not sample`)
    await db.transaction(indexContent)
    await expectSameAsRead()
    await loadSample(db, 300, env.CONTENT_DIR)
    await expectSameAsRead()
    await loadSample(db, 0, env.CONTENT_DIR)
    await expectSameAsRead()
  })

  it('reads nothing of the others again, and is none where nothing has changed', async () => {
    await loadSample(db, 100, env.CONTENT_DIR)
    const former = await readIndex(db)
    await db.transaction(indexContent)
    expect((await readIndex(db)).version).toBe(former.version)
    await db.execute(sql`update courses set price_cents = price_cents + 100 where not sample`)
    await db.transaction(indexContent)
    const index = await readIndex(db, former)
    expect(index.version).not.toBe(former.version)
    const [content, sample] = index.segments
    expect(sample?.vocabulary).toBe(former.segments[1]?.vocabulary)
    expect(content?.vocabulary).not.toBe(former.segments[0]?.vocabulary)
  })
})
