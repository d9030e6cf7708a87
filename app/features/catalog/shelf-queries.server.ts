import { desc, eq, sql } from 'drizzle-orm'
import {
  displayedRating,
  displayedReviewCount,
} from '~/features/reviews/review-page-queries.server'
import type { Database } from '~/server/database/client.server'
import { courses, homeCourses } from '~/server/database/schema'
import { categoryName, formattedPrice } from './course-columns.server'

/** The number of courses on a shelf. */
export const coursesPerShelf = 4

const tileColumns = {
  id: courses.id,
  title: courses.title,
  instructorName: courses.instructorName,
  categoryName,
  level: courses.level,
  price: formattedPrice(courses.priceMinor),
  rating: displayedRating,
  reviews: displayedReviewCount,
}

/** What a small card shows of a course. */
export type ShelfCourse = Awaited<ReturnType<typeof listHomeCourses>>[number]

const isListed = sql`courses.published and courses.in_catalogue`

/**
 * Returns the courses for Home: those that were chosen at the desk, in their order, then those with
 * the most students.
 */
export async function listHomeCourses(db: Database) {
  const [chosenCourses, popularCourses] = await Promise.all([
    db
      .select(tileColumns)
      .from(homeCourses)
      .innerJoin(courses, eq(courses.id, homeCourses.courseId))
      .where(isListed)
      .orderBy(homeCourses.place)
      .limit(coursesPerShelf),
    db
      .select(tileColumns)
      .from(courses)
      .where(isListed)
      .orderBy(desc(courses.students), courses.id)
      .limit(2 * coursesPerShelf),
  ])

  const chosenIds = new Set(chosenCourses.map(({ id }) => id))
  const otherCourses = popularCourses.filter(({ id }) => !chosenIds.has(id))

  return [...chosenCourses, ...otherCourses].slice(0, coursesPerShelf)
}

/** The maximum number of courses with a common skill that are compared. */
const maxSkillCandidates = 300

/**
 * Returns other courses of the catalog to show beside this one: those with the most skills in
 * common, then those of its category, then others. Courses with the same rank are sorted by
 * students.
 */
export async function listRelatedCourses(db: Database, courseId: string): Promise<ShelfCourse[]> {
  return db
    .select(tileColumns)
    .from(courses)
    .innerJoin(sql`${selectRelatedCourses(courseId)} as related`, sql`related.id = courses.id`)
    .orderBy(
      sql`related.shared_skills desc, related.same_category desc`,
      desc(courses.students),
      courses.id,
    )
}

/** Returns SQL that compares a few candidates, each of which is found by an index. */
const selectRelatedCourses = (courseId: string) => sql`(
  with given as materialized (
    select category, skills from courses where id = ${courseId}
  ),
  candidates as (
    (
      select id, category, skills, students
      from courses
      where skills && (select skills from given) and ${isListed}
      limit ${maxSkillCandidates}::int
    )
    union
    (
      select id, category, skills, students
      from courses
      where category = (select category from given) and ${isListed}
      order by students desc, id
      limit ${coursesPerShelf + 1}::int
    )
    union
    (
      select id, category, skills, students
      from courses
      where ${isListed}
      order by students desc, id
      limit ${coursesPerShelf + 1}::int
    )
  )
  select
    id,
    (
      select count(*)
      from unnest(candidates.skills) skill
      where skill = any(given.skills)
    ) as shared_skills,
    candidates.category is not distinct from given.category as same_category
  from candidates
  left join given on true
  where id <> ${courseId}
  order by shared_skills desc, same_category desc, students desc, id
  limit ${coursesPerShelf}::int
)`
