import { desc, eq, sql } from 'drizzle-orm'
import {
  displayedRating,
  displayedReviewCount,
} from '~/features/reviews/review-page-queries.server'
import type { Database } from '~/server/database/client.server'
import { courses, homeCourses } from '~/server/database/schema'
import { categoryName, formattedPrice } from './course-columns.server'

/** Courses on a shelf. */
export const coursesPerShelf = 4

const tileColumns = {
  id: courses.id,
  title: courses.title,
  instructorName: courses.instructorName,
  categoryName,
  level: courses.level,
  price: formattedPrice(courses.priceCents),
  rating: displayedRating,
  reviews: displayedReviewCount,
}

/** A course in short. */
export type ShelfCourse = Awaited<ReturnType<typeof listHomeCourses>>[number]

const offered = sql`courses.published and courses.in_catalogue`

/** The courses chosen at the desk, in that order, then those with the most students. */
export async function listHomeCourses(db: Database) {
  const [chosen, popular] = await Promise.all([
    db
      .select(tileColumns)
      .from(homeCourses)
      .innerJoin(courses, eq(courses.id, homeCourses.courseId))
      .where(offered)
      .orderBy(homeCourses.place)
      .limit(coursesPerShelf),
    db
      .select(tileColumns)
      .from(courses)
      .where(offered)
      .orderBy(desc(courses.students), courses.id)
      .limit(2 * coursesPerShelf),
  ])
  const others = popular.filter(({ id }) => chosen.every((course) => course.id !== id))
  return [...chosen, ...others].slice(0, coursesPerShelf)
}

/** Of very many courses with a skill in common, some are looked at. */
const mostOfSkills = 300

/**
 * Four other courses of the catalog to show beside this one: those with most skills in common, then
 * those of its category, then others, each with most students first.
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

/** Compares a few candidates, each found by an index. */
const selectRelatedCourses = (courseId: string) => sql`(
  with given as materialized (select category, skills from courses where id = ${courseId}),
  candidates as (
    (select id, category, skills, students from courses
      where skills && (select skills from given) and ${offered} limit ${mostOfSkills}::int)
    union
    (select id, category, skills, students from courses
      where category = (select category from given) and ${offered}
      order by students desc, id limit ${coursesPerShelf + 1}::int)
    union
    (select id, category, skills, students from courses where ${offered}
      order by students desc, id limit ${coursesPerShelf + 1}::int)
  )
  select id, (select count(*) from unnest(candidates.skills) skill where skill = any(given.skills)) as shared_skills,
    candidates.category is not distinct from given.category as same_category
  from candidates left join given on true
  where id <> ${courseId}
  order by shared_skills desc, same_category desc, students desc, id limit ${coursesPerShelf}::int
)`
