/**
 * Loads the content files into the database, when the server starts, an author saves a file in
 * development, or an operator asks for it.
 *
 * - Everything is stored in one transaction. Content that has not changed writes nothing.
 * - A course with problems keeps its stored version, and the next load tries it again. A problem
 *   in any other file rejects the whole content.
 * - Content that newer content has replaced is "superseded". A server that restarts with an old
 *   folder does not bring such content back, but an operator can.
 * - Of several processes that load at the same time, one stores the content. The others wait, and
 *   then find it stored.
 */
import { sql } from 'drizzle-orm'
import { getCurrencyDecimals } from '~/features/school/money'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/client.server'
import { countMigrations } from '~/server/database/migrate.server'
import { type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import {
  type Content,
  noStoredCourses,
  readContent,
  type StoredCourse,
  type StoredCourses,
} from './content-files.server'
import { type ContentHashes, hashContent } from './content-hashes.server'
import { lockContent } from './content-lock.server'
import type { MoveLessonProgress } from './content-renames.server'
import { storeContent } from './content-store.server'
import type { CourseOutline } from './course-folder.server'
import {
  findLastLoad,
  hasOtherDecimalPlaces,
  isSameLoad,
  type LastLoad,
  recordLoad,
  recordLoadTime,
  wasLoadedBefore,
} from './last-load.server'

/** What other features do in the transaction that stores changed content. */
export type ContentHooks = {
  /** Moves learners' progress when the ID of a lesson changes. */
  moveLessonProgress: MoveLessonProgress
  /** Updates the search index. */
  indexContent(transaction: Transaction, courseIds: readonly string[]): Promise<void>
}

export type LoadOptions = {
  /** Whether to load content that was loaded once and has been replaced by other content since. */
  shouldRestoreSuperseded?: boolean
  onProgress?: (readCourses: number, totalCourses: number) => void
}

export type ContentLoad = {
  /**
   * - `loaded`: the content is stored, except for the courses with problems
   * - `unchanged`: the same content was stored before
   * - `superseded`: newer content has replaced this content, and stays
   * - `rejected`: the files have problems, so nothing was changed
   * - `failed`: nothing was changed for another reason, which is the only problem
   */
  status: 'loaded' | 'unchanged' | 'superseded' | 'rejected' | 'failed'
  /** The problems of files have the form `file:line: sentence`. */
  problems: string[]
  warnings: string[]
}

/** How often a load is tried, because other processes may store other content at the same time. */
const maxTries = 5

export async function loadContent(
  database: Database,
  folder: string,
  hooks: ContentHooks,
  { shouldRestoreSuperseded = false, onProgress }: LoadOptions = {},
): Promise<ContentLoad> {
  const hashes = hashContent(folder)
  const newContent: NewContent = {
    folder,
    hashes,
    decimalPlaces: getCurrencyDecimals(siteCurrency()),
    migrations: countMigrations(),
    shouldRestoreSuperseded,
    onProgress,
  }

  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const load = await tryToLoad(database, newContent, hooks)
    if (load !== null) {
      return load
    }
  }

  return {
    status: 'failed',
    problems: ['Other processes keep loading other content. Try again.'],
    warnings: [],
  }
}

/** The content to load, and the circumstances that decide whether it has to be stored. */
type NewContent = {
  folder: string
  hashes: ContentHashes
  /** The number of decimal places with which prices are read. */
  decimalPlaces: number
  /** How many migrations this version of the product has. */
  migrations: number
  shouldRestoreSuperseded: boolean
  onProgress: LoadOptions['onProgress']
}

/** @returns null if another process has stored other content since this call began */
async function tryToLoad(
  database: Database,
  newContent: NewContent,
  hooks: ContentHooks,
): Promise<ContentLoad | null> {
  const { folder, hashes, decimalPlaces, migrations, onProgress } = newContent
  const lastLoad = await findLastLoad(database)
  const skipReason = await findSkipReason(database, lastLoad, newContent)
  if (skipReason) {
    // The author may have undone an edit. The other servers, which may still warn about that edit,
    // call `refreshContentWarning` when the public pages are renewed.
    if (skipReason === 'unchanged' && newContent.shouldRestoreSuperseded) {
      await recordLoadTime(database, hashes.allFiles)
      await renewPublicPages(database)
    }

    return { status: skipReason, problems: [], warnings: [] }
  }

  // Another version of the product may fill other columns, so every course is stored again.
  const mustStoreAllCourses = lastLoad?.migrations !== migrations
  const storedCourses = mustStoreAllCourses ? noStoredCourses : await findStoredCourses(database)
  const { content, problems } = await readContent(folder, { storedCourses, hashes, onProgress })

  // A course with problems keeps its stored price. In a currency with other decimal places, it could
  // be sold at a hundred times its price, or at a hundredth.
  const canKeepStoredCourses = lastLoad === null || !hasOtherDecimalPlaces(lastLoad, decimalPlaces)
  if (!content || (problems.length > 0 && !canKeepStoredCourses)) {
    return { status: 'rejected', problems, warnings: [] }
  }

  const result = await commitOnSuccess(
    database,
    async (transaction): Promise<Result<ContentLoad | null>> => {
      const lockResult = await lockContent(transaction)
      if (!lockResult.ok) {
        return lockResult
      }

      // Another process may have stored content before this process got the lock.
      const lastLoadNow = await findLastLoad(transaction)
      const skipReasonNow = await findSkipReason(transaction, lastLoadNow, newContent)
      if (skipReasonNow) {
        return success({ status: skipReasonNow, problems: [], warnings: [] })
      }

      if (!isSameLoad(lastLoad, lastLoadNow)) {
        return success(null)
      }

      const storeResult = await storeContent(transaction, content, hooks.moveLessonProgress)
      if (!storeResult.ok) {
        return storeResult
      }

      await hooks.indexContent(transaction, listIdsToIndex(content, mustStoreAllCourses))
      await recordLoad(transaction, {
        contentHash: hashes.allFiles,
        migrations,
        isComplete: problems.length === 0,
      })
      await renewPublicPages(transaction)

      return success({ status: 'loaded', problems, warnings: storeResult.value })
    },
  )

  return result.ok ? result.value : { status: 'failed', problems: [result.problem], warnings: [] }
}

/** Returns why the new content need not be stored, or null if it has to be. */
async function findSkipReason(
  database: Database | Transaction,
  lastLoad: LastLoad | null,
  { hashes, decimalPlaces, migrations, shouldRestoreSuperseded }: NewContent,
): Promise<'unchanged' | 'superseded' | null> {
  if (lastLoad === null) {
    return null
  }

  if (lastLoad.contentHash === hashes.allFiles) {
    // A newer version of the product has also filled the columns that this version needs.
    const isUpToDate = lastLoad.isComplete && lastLoad.migrations >= migrations
    return isUpToDate ? 'unchanged' : null
  }

  // Prices that were stored with another number of decimal places are wrong. Those with an unknown
  // number may be wrong. Even older content is better than wrong prices.
  if (shouldRestoreSuperseded || lastLoad.decimalPlaces !== decimalPlaces) {
    return null
  }

  return (await wasLoadedBefore(database, hashes.allFiles)) ? 'superseded' : null
}

/**
 * Returns the stored courses, so that only courses with changed files are read. A course is left out
 * while there is still a row under one of its previous IDs, because it may have to take over that row.
 */
export async function findStoredCourses(database: Database): Promise<StoredCourses> {
  // The subquery looks up each alias by itself. A join of all courses with all aliases would
  // compare a million courses with each outline.
  const { rows: courses } = await database.execute<StoredCourse & { id: string }>(sql`
    select
      course_id as id,
      hash,
      outline -> 'aliases' as aliases,
      outline ->> 'portrait' as portrait,
      outline ->> 'category' as category
    from content_courses
    where not exists (
      select
      from jsonb_array_elements_text(outline -> 'aliases') as alias
      join courses on courses.id = alias
    )`)

  return {
    courses: new Map(courses.map(({ id, ...course }) => [id, course])),
    async findOutlines(ids) {
      const { rows } = await database.execute<{ outline: CourseOutline }>(sql`
        select outline
        from content_courses
        where course_id = any(${sql.param(ids)}::text[])`)

      return rows.map(({ outline }) => outline)
    },
  }
}

/** Lists the courses whose search index is filled: the changed ones, or all of them. */
function listIdsToIndex(content: Content, mustStoreAllCourses: boolean): string[] {
  return mustStoreAllCourses ? content.courseIds : content.courses.map(({ id }) => id)
}
