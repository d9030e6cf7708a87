import { sql } from 'drizzle-orm'
import { courses } from '~/server/database/schema'
import { foldSearch } from '../course-filters'
import { shownRating, shownReviewCount } from '../review-rating.server'
import type { CatalogueCourse } from './catalogue-result'
import type { NamedGroup } from './facets'
import type { SearchIndex } from './search-index.server'
import { list } from './search-matches.server'

/** What a card shows, and the skills that filters offer. */
export type CourseRow = Omit<CatalogueCourse, 'marks'> & { skills: readonly string[] }

/**
 * Courses of the index, in the order of the places.
 *
 * @throws {IndexChanged}
 */
export async function listCards(index: SearchIndex, places: readonly number[]): Promise<CourseRow[]> {
  const cardsOf = await readCards(index, places)
  return cardsOf(places)
}

/**
 * Reads courses of the index, in one round trip.
 *
 * @returns gives those of some of the places, in their order.
 * @throws {IndexChanged}
 */
export async function readCards(
  index: SearchIndex,
  places: readonly number[],
): Promise<(places: readonly number[]) => CourseRow[]> {
  const wanted = index
    .split(new Set(places))
    .flatMap(({ segment, places }) => places.map((place) => ({ segment, place })))
  const rows = await index.readRows<CourseRow & { segment: string; place: number }>(sql`
    select p.segment, p.place, courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
      (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
      price_cents as "priceCents", category, level, skills
    from unnest(${sql.param(wanted.map(({ segment }) => segment))}::text[], ${list(wanted.map(({ place }) => place))})
      as wanted(segment, place)
    join search_places p using (segment, place) join ${courses} on courses.id = p.course_id
    where published`)
  const cards = new Map<number, CourseRow>()
  for (const { segment, place, ...card } of rows) cards.set(place + index.kept.segmentOf(segment).offset, card)
  return (places) => places.flatMap((place) => cards.get(place) ?? [])
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

/** The skills or instructors of some courses as the index names them, those of most of the courses first. */
export function listCommonNames(rows: readonly CourseRow[], group: NamedGroup, most: number): string[] {
  const names = rows.flatMap(({ skills, instructorName }) => (group === 'skill' ? skills : [instructorName]))
  return listCommonest(names.map(foldSearch), most)
}

function listCommonest(names: readonly string[], most: number): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([name]) => name)
}
