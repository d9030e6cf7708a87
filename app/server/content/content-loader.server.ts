import { readdir } from 'node:fs/promises'
import { and, eq, notInArray } from 'drizzle-orm'
import { type Database, db } from '../database/client.server'
import { migrationsFolder } from '../database/migrate.server'
import * as tables from '../database/schema'
import { lockForStart } from '../database/start-lock.server'
import { env, StartError } from '../env.server'
import { pageCache } from '../page-cache.server'
import { type Content, type CourseContent, hashContent, readContent } from './content-files.server'

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/**
 * Brings the database to what the content files say, all or nothing; an unchanged folder writes nothing.
 *
 * @returns whether anything was loaded.
 * @throws {StartError} listing every problem by file and line; what was loaded before stays as it was.
 */
export async function loadContent(database: Database = db, folder: string = env.CONTENT_DIR): Promise<boolean> {
  const hash = `${await hashContent(folder)} ${await countMigrations()}`
  if ((await findLoadedHash(database)) === hash) return false
  const { content, problems } = await readContent(folder)
  if (!content)
    throw new StartError(`The content cannot be loaded, so that nothing was changed:\n  ${problems.join('\n  ')}`)

  const changed = await database.transaction(async (transaction) => {
    // One process loads, the others wait and then find it done.
    await lockForStart(transaction, 'content')
    if ((await findLoadedHash(transaction)) === hash) return false
    await storeContent(transaction, content)
    await transaction
      .insert(tables.contentState)
      .values({ id: 1, hash })
      .onConflictDoUpdate({ target: tables.contentState.id, set: { hash } })
    return true
  })
  if (changed) pageCache.clear()
  return changed
}

/** New tables or columns want the same content loaded anew. */
async function countMigrations(): Promise<number> {
  return (await readdir(migrationsFolder)).length
}

async function findLoadedHash(database: Database | Transaction): Promise<string | null> {
  const [loaded] = await database.select().from(tables.contentState)
  return loaded?.hash ?? null
}

async function storeContent(transaction: Transaction, content: Content): Promise<void> {
  for (const course of content.courses) await storeCourse(transaction, course)
  const ids = content.courses.map((course) => course.id)
  await transaction.update(tables.courses).set({ published: false }).where(notInArray(tables.courses.id, ids))

  await transaction.delete(tables.testimonials)
  await transaction
    .insert(tables.testimonials)
    .values(content.testimonials.map((entry, position) => ({ ...entry, position })))
  await transaction.delete(tables.categories)
  await transaction
    .insert(tables.categories)
    .values(content.categories.map((entry, position) => ({ ...entry, position })))
}

async function storeCourse(transaction: Transaction, course: CourseContent): Promise<void> {
  const { curriculum, reviewsList, exam, articles, ...detail } = course
  const row = { ...detail, instructorName: detail.instructor.name }
  const { id: courseId, ...changes } = row
  await transaction.insert(tables.courses).values(row).onConflictDoUpdate({ target: tables.courses.id, set: changes })

  await transaction.delete(tables.courseSections).where(eq(tables.courseSections.courseId, courseId))
  await transaction
    .insert(tables.courseSections)
    .values(curriculum.map(({ lessons: _lessons, ...section }, index) => ({ ...section, courseId, position: index })))

  const lessons = curriculum.flatMap((section) => section.lessons.map((lesson) => ({ lesson, sectionId: section.id })))
  for (const [index, { lesson, sectionId }] of lessons.entries()) {
    const lessonRow = {
      courseId,
      sectionId,
      id: lesson.id,
      position: index,
      title: lesson.title,
      kind: lesson.kind,
      durationSeconds: lesson.durationSeconds,
      preview: lesson.preview,
      video: lesson.kind === 'video' ? `/media/courses/${courseId}/videos/${lesson.video}` : null,
      article: lesson.kind === 'article' ? (articles[lesson.id] ?? '') : null,
      questions: lesson.kind === 'quiz' ? lesson.questions : null,
      retired: false,
    }
    await transaction
      .insert(tables.courseLessons)
      .values(lessonRow)
      .onConflictDoUpdate({ target: [tables.courseLessons.courseId, tables.courseLessons.id], set: lessonRow })
  }
  const lessonIds = lessons.map(({ lesson }) => lesson.id)
  await transaction
    .update(tables.courseLessons)
    .set({ retired: true })
    .where(and(eq(tables.courseLessons.courseId, courseId), notInArray(tables.courseLessons.id, lessonIds)))

  await transaction
    .insert(tables.exams)
    .values({ courseId, ...exam })
    .onConflictDoUpdate({ target: tables.exams.courseId, set: exam })

  await transaction.delete(tables.courseReviews).where(eq(tables.courseReviews.courseId, courseId))
  if (reviewsList.length > 0) {
    await transaction
      .insert(tables.courseReviews)
      .values(reviewsList.map((entry, index) => ({ ...entry, courseId, position: index })))
  }
}
