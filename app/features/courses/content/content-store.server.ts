import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import * as tables from '~/server/database/schema'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { type Result, success } from '~/server/result'
import { applyFileOffers } from '../course-offers.server'
import { getLessonFormat } from '../lessons/lesson-formats.server'
import { endSales, recordPrices } from '../prices.server'
import type { Content } from './content-files.server'
import { hashCourse } from './content-hashes.server'
import {
  type MoveLessonProgress,
  moveProgressToNewIds,
  renameCourses,
} from './content-renames.server'
import { type CourseContent, toCourseOutline } from './course-folder.server'
import { listRemovalWarnings } from './removal-warnings.server'

/** Limits the memory for rows while a large school is stored. */
const coursesPerBatch = 200

/**
 * Stores the content. Courses that were not read stay as they are, and courses without a folder are
 * no longer published.
 *
 * @returns warnings about learners' progress in lessons and courses that have been removed; a
 * failure if a course can't be renamed
 */
export async function storeContent(
  transaction: Transaction,
  content: Content,
  moveLessonProgress: MoveLessonProgress,
): Promise<Result<string[]>> {
  const outlines = content.courses.map(toCourseOutline)
  const warnings = await listRemovalWarnings(transaction, outlines, content.courseIds)

  const renameResult = await renameCourses(transaction, outlines)
  if (!renameResult.ok) {
    return renameResult
  }

  for (let start = 0; start < content.courses.length; start += coursesPerBatch) {
    await storeCourses(transaction, content.courses.slice(start, start + coursesPerBatch))
  }

  await unpublishRemovedCourses(transaction, content.courseIds)
  await moveProgressToNewIds(transaction, outlines, content.courseIds, moveLessonProgress)
  await storeSiteFiles(transaction, content)
  await storeOutlines(transaction, content)

  return success(warnings)
}

async function storeCourses(
  transaction: Transaction,
  courses: readonly CourseContent[],
): Promise<void> {
  const ids = courses.map(({ id }) => id)
  const now = await databaseTime(transaction)

  await upsertRows(transaction, tables.courses, courses.map(toCourseRow))
  // The file may still name a sale that is over.
  await endSales(transaction, now, ids)
  await applyFileOffers(transaction, ids, now)
  await recordPrices(transaction, ids, now)

  await transaction
    .delete(tables.courseSections)
    .where(isAnyOf(tables.courseSections.courseId, ids))
  await upsertRows(transaction, tables.courseSections, courses.flatMap(toSectionRows))

  const lessons = courses.flatMap(toLessonRows)
  await upsertRows(transaction, tables.courseLessons, lessons)
  await retireRemovedLessons(transaction, ids, lessons)

  const exams = courses.map(({ id: courseId, exam }) => ({ courseId, ...exam }))
  await upsertRows(transaction, tables.exams, exams)

  await transaction.delete(tables.courseReviews).where(isAnyOf(tables.courseReviews.courseId, ids))
  await upsertRows(transaction, tables.courseReviews, courses.flatMap(toReviewRows))
}

function toCourseRow(course: CourseContent): typeof tables.courses.$inferInsert {
  // These parts of a course are stored elsewhere.
  const {
    aliases: _aliases,
    curriculum: _curriculum,
    reviewsList: _reviews,
    exam: _exam,
    lessonTexts: _lessonTexts,
    downloads: _downloads,
    ...courseColumns
  } = course

  return { ...courseColumns, instructorName: course.instructor.name }
}

function toSectionRows({ id: courseId, curriculum }: CourseContent) {
  return curriculum.map(({ lessons: _lessons, ...section }, position) => ({
    ...section,
    courseId,
    position,
  }))
}

function toLessonRows({ id: courseId, curriculum, lessonTexts, downloads }: CourseContent) {
  const lessons = curriculum.flatMap((section) =>
    section.lessons.map((lesson) => ({ lesson, sectionId: section.id })),
  )

  return lessons.map(({ lesson, sectionId }, position) => {
    const lessonText = lessonTexts.get(lesson.id) ?? null
    const material = getLessonFormat(lesson).getStoredMaterial(lesson, { courseId, lessonText })

    return {
      courseId,
      sectionId,
      id: lesson.id,
      position,
      title: lesson.title,
      kind: lesson.kind,
      durationSeconds: lesson.durationSeconds,
      preview: lesson.preview,
      ...material,
      downloads: downloads.get(lesson.id) ?? [],
      retired: false,
    }
  })
}

function toReviewRows({ id: courseId, reviewsList }: CourseContent) {
  return reviewsList.map((review, position) => ({ ...review, courseId, position }))
}

/** Hides the lessons that the courses no longer have. Learners keep their progress in them. */
async function retireRemovedLessons(
  transaction: Transaction,
  courseIds: readonly string[],
  lessons: readonly { courseId: string; id: string }[],
): Promise<void> {
  const lessonCourseIds = sql.param(lessons.map(({ courseId }) => courseId))
  const lessonIds = sql.param(lessons.map(({ id }) => id))

  await transaction.execute(sql`
    update course_lessons
    set retired = true
    where course_id = any(${sql.param(courseIds)}::text[])
      and not retired
      and (course_id, id) not in (
        select *
        from unnest(${lessonCourseIds}::text[], ${lessonIds}::text[])
      )`)
}

/** Hides the courses that no longer have a folder. Learners keep their progress in them. */
async function unpublishRemovedCourses(
  transaction: Transaction,
  courseIds: readonly string[],
): Promise<void> {
  await transaction.execute(sql`
    update courses
    set published = false
    where published
      and not ${isAnyOf(tables.courses.id, courseIds)}`)
}

/** Replaces what is stored of the files that belong to no course. */
async function storeSiteFiles(
  transaction: Transaction,
  { testimonials, categories, synonyms }: Content,
): Promise<void> {
  await transaction.delete(tables.testimonials)
  await upsertRows(transaction, tables.testimonials, addPositions(testimonials))

  await transaction.delete(tables.categories)
  await upsertRows(transaction, tables.categories, addPositions(categories))

  const synonymEntries = synonyms.map((phrases) => ({ phrases }))
  await transaction.delete(tables.searchSynonyms)
  await upsertRows(transaction, tables.searchSynonyms, addPositions(synonymEntries))
}

function addPositions<Entry>(entries: readonly Entry[]): (Entry & { position: number })[] {
  return entries.map((entry, position) => ({ ...entry, position }))
}

/**
 * Stores the outlines and hashes of the courses that were read. The next load compares them with
 * the files.
 */
async function storeOutlines(
  transaction: Transaction,
  { courses, courseIds, hashes }: Content,
): Promise<void> {
  const outlineRows = courses.map((course) => ({
    courseId: course.id,
    hash: hashCourse(hashes, course.id, course.instructor.image),
    outline: toCourseOutline(course),
  }))
  await upsertRows(transaction, tables.contentCourses, outlineRows)

  await transaction
    .delete(tables.contentCourses)
    .where(sql`not ${isAnyOf(tables.contentCourses.courseId, courseIds)}`)
}

/** Passes all values in one parameter, because a statement has a limited number of parameters. */
function isAnyOf(column: PgColumn, values: readonly string[]): SQL {
  return sql`${column} = any(${sql.param(values)}::text[])`
}
