import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { executePrepared } from '~/server/database/prepared.server'
import { courses } from '~/server/database/schema'
import { shownRating, shownReviewCount } from '../review-rating.server'
import type { CatalogueCourse } from './catalogue-result'
import type { SearchIndex } from './search-index.server'
import { list } from './search-matches.server'

type Card = Omit<CatalogueCourse, 'marks'>

/** The cards of courses of the index, in the order of the places. */
export async function listCards(db: Database, index: SearchIndex, places: readonly number[]): Promise<Card[]> {
  const cards = new Map<number, Card>()
  for (const part of index.split(places)) {
    const rows = await executePrepared<Card & { place: number }>(
      db,
      sql`
        select p.place, courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
          (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
          price_cents as "priceCents", category, level
        from search_places p join ${courses} on courses.id = p.course_id
        where p.segment = ${part.segment} and p.place = any(${list(part.places)}) and published`,
    )
    for (const { place, ...card } of rows) cards.set(place + part.offset, card)
  }
  return places.flatMap((place) => cards.get(place) ?? [])
}

/** The place of a course in the index; null if it has none. */
export async function findPlace(db: Database, index: SearchIndex, courseId: string): Promise<number | null> {
  const [row] = await executePrepared<{ segment: string; place: number }>(
    db,
    sql`select segment, place from search_places where course_id = ${courseId}`,
  )
  const segment = index.segments.find(({ name }) => name === row?.segment)
  return row && segment ? segment.offset + row.place : null
}

/** The skills and instructors of some courses, those of most of them first. */
export async function listCommonNames(
  db: Database,
  index: SearchIndex,
  places: readonly number[],
): Promise<Record<'skill' | 'instructor', string[]>> {
  const counts = { skill: new Map<string, number>(), instructor: new Map<string, number>() }
  for (const part of index.split(places)) {
    const rows = await executePrepared<{ instructor: string; skills: string[] }>(
      db,
      sql`
        select instructor_name as instructor, skills from search_places p join courses c on c.id = p.course_id
        where p.segment = ${part.segment} and p.place = any(${list(part.places)})`,
    )
    for (const { instructor, skills } of rows) {
      counts.instructor.set(instructor, (counts.instructor.get(instructor) ?? 0) + 1)
      for (const skill of skills) counts.skill.set(skill, (counts.skill.get(skill) ?? 0) + 1)
    }
  }
  const sorted = (names: Map<string, number>) => [...names].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  return { skill: sorted(counts.skill), instructor: sorted(counts.instructor) }
}
