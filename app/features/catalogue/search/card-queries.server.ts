import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { courses } from '~/server/database/schema'
import { pageShows } from '~/server/page-cache.server'
import { courseSubject } from '~/server/product-state.server'
import { shownRating, shownReviewCount } from '../review-rating.server'
import type { CatalogueCourse } from './catalogue-result'
import type { KeptIndex } from './kept-index.server'
import type { SearchIndex } from './search-index.server'
import { list } from './search-matches.server'

type Card = Omit<CatalogueCourse, 'marks'>
type CommonNames = Record<'skill' | 'instructor', string[]>

/**
 * The cards of courses of the index, in the order of the places.
 *
 * @throws {IndexChanged}
 */
export async function listCards(index: SearchIndex, places: readonly number[]): Promise<Card[]> {
  if (places.length === 0) await index.requireCurrent()
  const cards = new Map<number, Card>()
  for (const part of index.split(places)) {
    const rows = await index.readRows<Card & { place: number }>(sql`
      select p.place, courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
        (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
        price_cents as "priceCents", category, level
      from search_places p join ${courses} on courses.id = p.course_id
      where p.segment = ${part.segment} and p.place = any(${list(part.places)}) and published`)
    for (const { place, ...card } of rows) cards.set(place + part.offset, card)
    pageShows(...rows.map(({ id }) => courseSubject(id)))
  }
  return places.flatMap((place) => cards.get(place) ?? [])
}

/**
 * The place of a course in the index; null if it has none.
 *
 * @throws {IndexChanged}
 */
export async function findPlace(index: SearchIndex, courseId: string): Promise<number | null> {
  const [row] = await index.readRows<{ segment: string; place: number }>(
    sql`select segment, place from search_places
      where course_id = ${courseId} and segment = any(${sql.param(index.segments.map(({ name }) => name))}::text[])`,
  )
  const segment = index.segments.find(({ name }) => name === row?.segment)
  return row && segment ? segment.offset + row.place : null
}

/** Most visitors ask for the same few lists. */
const knownNames = new WeakMap<KeptIndex, LRUCache<string, CommonNames>>()
const mostKnown = 200

/**
 * The skills and instructors of some courses, those of most of them first.
 *
 * @param most of each.
 * @throws {IndexChanged}
 */
export async function listCommonNames(
  index: SearchIndex,
  places: readonly number[],
  most: number,
): Promise<CommonNames> {
  const known = knownNames.get(index.kept) ?? new LRUCache<string, CommonNames>({ max: mostKnown })
  knownNames.set(index.kept, known)
  const key = places.join()
  const names = known.get(key) ?? (await readCommonNames(index, places, most))
  known.set(key, names)
  return names
}

async function readCommonNames(index: SearchIndex, places: readonly number[], most: number): Promise<CommonNames> {
  const counts = { skill: new Map<string, number>(), instructor: new Map<string, number>() }
  for (const part of index.split(places)) {
    const rows = await index.readRows<{ instructor: string; skills: string[] }>(sql`
      select instructor_name as instructor, skills from search_places p join courses c on c.id = p.course_id
      where p.segment = ${part.segment} and p.place = any(${list(part.places)})`)
    for (const { instructor, skills } of rows) {
      counts.instructor.set(instructor, (counts.instructor.get(instructor) ?? 0) + 1)
      for (const skill of skills) counts.skill.set(skill, (counts.skill.get(skill) ?? 0) + 1)
    }
  }
  const commonest = (names: Map<string, number>) =>
    [...names]
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([name]) => name)
  return { skill: commonest(counts.skill), instructor: commonest(counts.instructor) }
}
