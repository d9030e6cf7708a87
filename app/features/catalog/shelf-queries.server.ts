import { desc, sql } from 'drizzle-orm'
import { shownRating, shownReviewCount } from '~/features/reviews/review-queries.server'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { shownPrice } from './course-columns.server'

/** Courses on a shelf. */
const shelfLength = 4

const tileColumns = {
  id: courses.id,
  title: courses.title,
  instructorName: courses.instructorName,
  category: courses.category,
  level: courses.level,
  price: shownPrice(courses.priceCents),
  rating: shownRating,
  reviews: shownReviewCount,
}

/** A course in short. */
export type ShelfCourse = Awaited<ReturnType<typeof listPopularCourses>>[number]

const offered = sql`courses.published and courses.in_catalogue`

/** The catalog's courses with most students. */
export async function listPopularCourses(db: Database) {
  const popular = db.select(tileColumns).from(courses).where(offered)
  return popular.orderBy(desc(courses.students), courses.id).limit(shelfLength)
}

/** Of a course's learners the last ones, and of a skill's courses some, are looked at: a page never waits for all of them. */
const mostLearners = 500
const mostOfSkill = 300

/**
 * Four other courses of the catalog to show beside this one, in one query. One skill in common counts as much as a
 * tenth of its learners; then come courses of its category, then others, most students first.
 */
export async function listRelatedCourses(db: Database, courseId: string): Promise<ShelfCourse[]> {
  return db
    .select(tileColumns)
    .from(courses)
    .innerJoin(sql`${relatedTo(courseId)} as related`, sql`related.id = courses.id`)
    .orderBy(sql`related.score desc, related.same_category desc`, desc(courses.students), courses.id)
}

const relatedTo = (courseId: string) => sql`(
  with given as materialized (select category, skills from courses where id = ${courseId}),
  learners as materialized (
    select uid, count(*) over () as in_all from (
      select uid from enrollments where course_id = ${courseId} order by enrolled_at desc limit ${mostLearners}::int
    ) latest
  ),
  candidates as (
    select found.id, 1.0 as score from given cross join unnest(given.skills) as skill
      cross join lateral (
        select courses.id from courses where courses.skills @> array[skill] and ${offered} limit ${mostOfSkill}::int
      ) found
    union all
    select course_id, 10.0 / in_all from learners join enrollments using (uid)
    union all
    select id, 0 from (
      select courses.id from courses where courses.category = (select category from given) and ${offered}
      order by courses.students desc, courses.id limit ${shelfLength + 1}::int
    ) of_category
    union all
    select id, 0 from (
      select courses.id from courses where ${offered} order by courses.students desc, courses.id
      limit ${2 * shelfLength + 1}::int
    ) popular
  )
  select c.id, scored.score, c.category = (select category from given) as same_category
  from (select id, sum(score) as score from candidates where id <> ${courseId} group by id) scored
    -- The limit keeps each a look-up by its id: joined freely, all courses would be walked.
    cross join lateral (
      select courses.* from courses where courses.id = scored.id and ${offered} limit 1
    ) c
  order by scored.score desc, same_category desc, c.students desc, c.id limit ${shelfLength}::int
)`
