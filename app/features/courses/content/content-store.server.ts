import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import * as tables from '~/server/database/schema'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { applyFileOffers } from '../course-offers.server'
import { getLessonFormat } from '../lessons/lesson-formats.server'
import { endSales, recordPrices } from '../prices.server'
import type { Content } from './content-files.server'
import { hashCourse } from './content-hashes.server'
import {
  listRemovalWarnings,
  type MoveLessonProgress,
  moveProgressToNewIds,
  renameCourses,
} from './content-renames.server'
import { type CourseContent, toCourseOutline } from './course-folder.server'

const coursesAtOnce = 200

/**
 * Stores the loaded content; courses that were not read stay unchanged.
 *
 * @returns warnings about progress in lessons or courses that are gone.
 */
export async function storeContent(
  transaction: Transaction,
  content: Content,
  moveWork: MoveLessonProgress,
): Promise<string[]> {
  const outlines = content.courses.map(toCourseOutline)
  const warnings = await listRemovalWarnings(transaction, outlines, content.ids)
  await renameCourses(transaction, outlines)
  for (let from = 0; from < content.courses.length; from += coursesAtOnce) {
    await storeCourses(transaction, content.courses.slice(from, from + coursesAtOnce))
  }

  await unpublishGone(transaction, content.ids)
  await moveProgressToNewIds(transaction, outlines, content.ids, moveWork)
  await storeSite(transaction, content)
  await storeOutlines(transaction, content)

  return warnings
}

async function storeCourses(
  transaction: Transaction,
  courses: readonly CourseContent[],
): Promise<void> {
  const ids = courses.map(({ id }) => id)
  const now = await databaseTime(transaction)
  await upsertRows(transaction, tables.courses, courses.map(courseRow))
  // The file may still name a sale that is over.
  await endSales(transaction, now, ids)

  await applyFileOffers(transaction, ids, now)
  await recordPrices(transaction, ids, now)
  await transaction
    .delete(tables.courseSections)
    .where(isAnyOf(tables.courseSections.courseId, ids))
  await upsertRows(transaction, tables.courseSections, courses.flatMap(sectionRows))
  const lessons = courses.flatMap(lessonRows)
  await upsertRows(transaction, tables.courseLessons, lessons)
  await retireOthers(transaction, ids, lessons)
  await upsertRows(
    transaction,
    tables.exams,
    courses.map(({ id: courseId, exam }) => ({ courseId, ...exam })),
  )

  await transaction.delete(tables.courseReviews).where(isAnyOf(tables.courseReviews.courseId, ids))
  await upsertRows(transaction, tables.courseReviews, courses.flatMap(reviewRows))
}

function courseRow(course: CourseContent): typeof tables.courses.$inferInsert {
  const {
    aliases: _a,
    curriculum: _c,
    reviewsList: _r,
    exam: _e,
    lessonTexts: _t,
    downloads: _d,
    ...detail
  } = course
  return { ...detail, instructorName: detail.instructor.name }
}

function sectionRows({ id: courseId, curriculum }: CourseContent) {
  return curriculum.map(({ lessons: _lessons, ...section }, position) => ({
    ...section,
    courseId,
    position,
  }))
}

function lessonRows({ id: courseId, curriculum, lessonTexts, downloads }: CourseContent) {
  const lessons = curriculum.flatMap((section) =>
    section.lessons.map((lesson) => ({ lesson, sectionId: section.id })),
  )
  return lessons.map(({ lesson, sectionId }, position) => ({
    courseId,
    sectionId,
    id: lesson.id,
    position,
    title: lesson.title,
    kind: lesson.kind,
    durationSeconds: lesson.durationSeconds,
    preview: lesson.preview,
    ...getLessonFormat(lesson).getStoredMaterial(lesson, {
      courseId,
      lessonText: lessonTexts[lesson.id] ?? null,
    }),
    downloads: downloads[lesson.id] ?? [],
    retired: false,
  }))
}

function reviewRows({ id: courseId, reviewsList }: CourseContent) {
  return reviewsList.map((review, position) => ({ ...review, courseId, position }))
}

async function retireOthers(
  transaction: Transaction,
  courseIds: readonly string[],
  lessons: readonly { courseId: string; id: string }[],
): Promise<void> {
  await transaction.execute(sql`
    update course_lessons l set retired = true
    where course_id = any(${sql.param(courseIds)}::text[]) and not retired and (course_id, id) not in (
      select * from unnest(
        ${sql.param(lessons.map(({ courseId }) => courseId))}::text[], ${sql.param(lessons.map(({ id }) => id))}::text[]))`)
}

/** Progress in them is preserved. */
async function unpublishGone(transaction: Transaction, ids: readonly string[]): Promise<void> {
  await transaction.execute(
    sql`update courses set published = false where published and not ${isAnyOf(tables.courses.id, ids)}`,
  )
}

/** Content of the site-wide files, a few rows. */
async function storeSite(
  transaction: Transaction,
  { testimonials, categories, synonyms }: Pick<Content, 'testimonials' | 'categories' | 'synonyms'>,
): Promise<void> {
  await transaction.delete(tables.testimonials)
  await transaction.delete(tables.categories)
  await transaction.delete(tables.searchSynonyms)
  const placed = <Entry>(entries: readonly Entry[]) =>
    entries.map((entry, position) => ({ ...entry, position }))
  await upsertRows(transaction, tables.testimonials, placed(testimonials))
  await upsertRows(transaction, tables.categories, placed(categories))
  await upsertRows(
    transaction,
    tables.searchSynonyms,
    placed(synonyms.map((phrases) => ({ phrases }))),
  )
}

/** Of the courses that were read; a course without a folder has none. */
async function storeOutlines(
  transaction: Transaction,
  { courses, ids, hashes }: Content,
): Promise<void> {
  const rows = courses.map((course) => ({
    courseId: course.id,
    hash: hashCourse(hashes, course.id, course.instructor.image),
    outline: toCourseOutline(course),
  }))

  await upsertRows(transaction, tables.contentCourses, rows)
  await transaction
    .delete(tables.contentCourses)
    .where(sql`not ${isAnyOf(tables.contentCourses.courseId, ids)}`)
}

/** In one parameter, however many values there are. */
function isAnyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::text[])`
}
