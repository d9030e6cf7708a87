import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { getTableName } from 'drizzle-orm'
import { migrationsFolder } from '../database/migrate.server'
import * as tables from '../database/schema'

/** Those that the content files fill. */
const contentTables = [
  tables.courses,
  tables.courseSections,
  tables.courseLessons,
  tables.courseReviews,
  tables.exams,
  tables.testimonials,
  tables.categories,
  tables.searchSynonyms,
  tables.lessonAliases,
  tables.courseAliases,
  tables.contentCourses,
].map(getTableName)

/** Earlier versions stored the number of all names in the folder; one of them is no migration. */
const otherNames = 1

/**
 * The number of migrations up to the last one that changed a table of the content: the same content has to be stored anew
 * after such a one, and after no other.
 */
export async function countContentMigrations(folder = migrationsFolder): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  const change = new RegExp(`^(?:CREATE|ALTER) TABLE "(?:${contentTables.join('|')})"`, 'm')
  return texts.findLastIndex((text) => change.test(text)) + 1 + otherNames
}
