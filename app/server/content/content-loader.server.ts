import { readdir } from 'node:fs/promises'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { migrationsFolder } from '../database/migrate.server'
import * as tables from '../database/schema'
import { lockForStart } from '../database/start-lock.server'
import { StartError } from '../env.server'
import { everything, recordPublicChange } from '../product-state.server'
import { type Content, type KnownCourses, readContent } from './content-files.server'
import { hashContentByCourse } from './content-folder.server'
import { keepLearnersWork, listGone, type MoveWork, renameCourses } from './content-renames.server'
import type { CourseContent } from './course-folder.server'

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Content that can't be loaded, with every problem by file and line. */
export class ContentError extends StartError {
  constructor(readonly problems: readonly string[]) {
    super(`The content can’t be loaded, so nothing was changed:\n  ${problems.join('\n  ')}`)
  }
}

/** What the features do when the content changes, in the same transaction. */
export type ContentFeatures = {
  /** What learners did follows a lesson whose id changes. */
  moveLessonWork: MoveWork
  /** Searches find what is stored now. */
  indexContent(transaction: Transaction): Promise<void>
}

/** `superseded`: other content was loaded after this one, and stays. */
type Loading = { result: 'loaded' | 'unchanged' | 'superseded'; warnings: string[] }

/**
 * Brings the database to what the content files say, all or nothing; an unchanged folder writes nothing.
 *
 * @param backToo also takes up content that newer one has replaced: an operator's explicit wish.
 * @throws {StartError} listing every problem by file and line; what was loaded before stays as it was.
 */
export async function loadContent(
  database: Database,
  folder: string,
  features: ContentFeatures,
  { backToo = false }: { backToo?: boolean } = {},
): Promise<Loading> {
  const migrations = await countMigrations()
  const hashes = hashContentByCourse(folder)
  for (let attempt = 1; ; attempt++) {
    const before = await standing(database, hashes.whole, migrations, backToo)
    if (before.is !== 'new') return { result: before.is, warnings: [] }
    const known = before.migrations === migrations ? await listKnownCourses(database) : new Map()
    const { content, problems } = await readContent(folder, { known, hashes })
    if (!content) throw new ContentError(problems)
    const loading = await database.transaction(async (transaction): Promise<Loading | null> => {
      // One process loads, the others wait and then find it done.
      await lockForStart(transaction, 'content')
      const now = await standing(transaction, content.hashes.whole, migrations, backToo)
      if (now.is !== 'new') return { result: now.is, warnings: [] }
      // What was known is not what is stored any more.
      if (now.hash !== before.hash && attempt < mostAttempts) return null
      if (now.hash !== before.hash) throw new StartError('Other processes keep loading other content. Try again.')
      const warnings = await storeContent(transaction, content, features.moveLessonWork)
      await features.indexContent(transaction)
      await recordLoaded(transaction, content, migrations)
      await recordPublicChange(transaction, [everything])
      return { result: 'loaded', warnings }
    })
    if (loading) return loading
  }
}

const mostAttempts = 5

/** A course whose old folder still has a row is not among them: it may be stored in place of that one. */
async function listKnownCourses(database: Database): Promise<KnownCourses> {
  // Each alias is looked up: the other way around, a million courses are compared with each outline.
  const aliases = sql`jsonb_array_elements_text(${tables.contentCourses.outline} -> 'aliases') as alias`
  const rows = await database
    .select()
    .from(tables.contentCourses)
    .where(sql`not exists (select from ${aliases} join ${tables.courses} on ${tables.courses.id} = alias)`)
  return new Map(rows.map(({ courseId, hash, outline }) => [courseId, { hash, outline }]))
}

/** What a hash means here: `new` is to be loaded, also when tables have changed since. */
async function standing(database: Database | Transaction, hash: string, migrations: number, backToo: boolean) {
  const [loaded] = await database.select().from(tables.contentState)
  const is = async (): Promise<'new' | 'unchanged' | 'superseded'> => {
    if (loaded?.hash === hash) return loaded.migrations >= migrations ? 'unchanged' : 'new'
    if (backToo) return 'new'
    const [past] = await database.select().from(tables.contentHistory).where(eq(tables.contentHistory.hash, hash))
    return past && loaded ? 'superseded' : 'new'
  }
  return { is: await is(), hash: loaded?.hash, migrations: loaded?.migrations }
}

async function recordLoaded(transaction: Transaction, { hashes, outlines }: Content, migrations: number) {
  const hash = hashes.whole
  await transaction
    .insert(tables.contentState)
    .values({ id: 1, hash, migrations })
    .onConflictDoUpdate({ target: tables.contentState.id, set: { hash, migrations } })
  await transaction
    .insert(tables.contentHistory)
    .values({ hash })
    .onConflictDoUpdate({ target: tables.contentHistory.hash, set: { loadedAt: sql`now()` } })
  const courses = outlines.map((outline) => ({ id: outline.id, hash: hashes.courses.get(outline.id), outline }))
  await transaction.delete(tables.contentCourses)
  await transaction.execute(sql`
    insert into content_courses (course_id, hash, outline)
    select id, hash, outline from jsonb_to_recordset(${JSON.stringify(courses)}::text::jsonb) as c(id text, hash text, outline jsonb)`)
}

async function countMigrations(): Promise<number> {
  return (await readdir(migrationsFolder)).length
}

/** @returns warnings about learners' work whose lesson or course is gone. */
async function storeContent(transaction: Transaction, content: Content, moveWork: MoveWork): Promise<string[]> {
  const { outlines } = content
  const warnings = await listGone(transaction, outlines)
  await renameCourses(transaction, outlines)
  for (const course of content.courses) await storeCourse(transaction, course)
  await keepLearnersWork(transaction, outlines, moveWork)
  const ids = sql.param(outlines.map(({ id }) => id))
  await transaction.execute(
    sql`update courses set published = false where published and not sample and id <> all(${ids}::text[])`,
  )

  await transaction.delete(tables.testimonials)
  await transaction.delete(tables.categories)
  await transaction.delete(tables.searchSynonyms)
  // An empty list cannot be inserted.
  if (content.testimonials.length > 0)
    await transaction
      .insert(tables.testimonials)
      .values(content.testimonials.map((entry, position) => ({ ...entry, position })))
  if (content.synonyms.length > 0)
    await transaction
      .insert(tables.searchSynonyms)
      .values(content.synonyms.map((phrases, position) => ({ phrases, position })))
  if (content.categories.length > 0)
    await transaction
      .insert(tables.categories)
      .values(content.categories.map((entry, position) => ({ ...entry, position })))
  return warnings
}

async function storeCourse(transaction: Transaction, course: CourseContent): Promise<void> {
  const { curriculum, reviewsList, exam, articles, downloads, aliases: _aliases, ...detail } = course
  const row = { ...detail, instructorName: detail.instructor.name }
  const { id: courseId, ...changes } = row
  await transaction.insert(tables.courses).values(row).onConflictDoUpdate({ target: tables.courses.id, set: changes })

  await transaction.delete(tables.courseSections).where(eq(tables.courseSections.courseId, courseId))
  if (curriculum.length > 0)
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
      downloads: downloads[lesson.id] ?? [],
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
