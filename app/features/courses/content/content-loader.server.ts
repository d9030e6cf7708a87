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
  /**
   * Whether a person asked for this load. It then also brings back content that newer content has
   * replaced. A server that starts by itself does not.
   */
  isRequested?: boolean
  onProgress?: (readCount: number, totalCount: number) => void
}

export type ContentLoad = {
  /**
   * - `loaded`: the content is stored, except for the courses with problems
   * - `unchanged`: the same content was stored before
   * - `superseded`: newer content has replaced this content, and stays
   * - `rejected`: the files have problems, so nothing was changed
   * - `failed`: nothing was changed for another reason, which `problems` contains
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
  { isRequested = false, onProgress }: LoadOptions = {},
): Promise<ContentLoad> {
  const request: LoadRequest = {
    folder,
    hashes: hashContent(folder),
    decimalPlaces: getCurrencyDecimals(siteCurrency()),
    migrationCount: countMigrations(),
    isRequested,
    onProgress,
  }

  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const load = await tryToLoad(database, request, hooks)
    if (load !== 'overtaken') {
      return load
    }
  }

  return {
    status: 'failed',
    problems: ['Other processes keep loading other content. Try again.'],
    warnings: [],
  }
}

/** The files to load, and what decides whether they have to be stored. */
type LoadRequest = {
  folder: string
  hashes: ContentHashes
  /** The number of decimal places with which prices are read. */
  decimalPlaces: number
  /** How many migrations this version of the product has. */
  migrationCount: number
  isRequested: boolean
  onProgress: LoadOptions['onProgress']
}

/** Another process has stored other content since the files were compared with the stored content. */
type Overtaken = 'overtaken'

async function tryToLoad(
  database: Database,
  request: LoadRequest,
  hooks: ContentHooks,
): Promise<ContentLoad | Overtaken> {
  const lastLoad = await findLastLoad(database)
  const skipReason = await findSkipReason(database, lastLoad, request)
  if (skipReason === 'unchanged' && request.isRequested) {
    await confirmLastLoad(database, request.hashes)
  }

  if (skipReason) {
    return { status: skipReason, problems: [], warnings: [] }
  }

  // Another version of the product may fill other columns, so every course is stored again.
  const isOtherVersion = lastLoad?.migrationCount !== request.migrationCount
  const { content, problems } = await readContent(request.folder, {
    storedCourses: isOtherVersion ? noStoredCourses : await findStoredCourses(database),
    hashes: request.hashes,
    onProgress: request.onProgress,
  })

  const isUsable = problems.length === 0 || canKeepStoredPrices(lastLoad, request)
  if (!content || !isUsable) {
    return { status: 'rejected', problems, warnings: [] }
  }

  const storeResult = await commitOnSuccess(database, (transaction) =>
    storeUnlessOvertaken(
      transaction,
      { request, lastLoad, content, problems, isOtherVersion },
      hooks,
    ),
  )
  return storeResult.ok
    ? storeResult.value
    : { status: 'failed', problems: [storeResult.problem], warnings: [] }
}

/**
 * Tells all servers that the stored content is what its author wants. An author may have undone an
 * edit with a problem. Some servers may still warn about that edit: they check the files again when
 * the public pages are renewed.
 */
async function confirmLastLoad(database: Database, { allFiles }: ContentHashes): Promise<void> {
  await recordLoadTime(database, allFiles)
  await renewPublicPages(database)
}

/**
 * Returns whether the courses that can't be read now may keep their stored prices. In a currency with
 * other decimal places, a course could be sold at a hundred times its price, or at a hundredth.
 */
function canKeepStoredPrices(lastLoad: LastLoad | null, { decimalPlaces }: LoadRequest): boolean {
  return lastLoad === null || !hasOtherDecimalPlaces(lastLoad, decimalPlaces)
}

type ReadFiles = {
  request: LoadRequest
  /** The last load before the files were read. */
  lastLoad: LastLoad | null
  content: Content
  problems: string[]
  isOtherVersion: boolean
}

/** Stores the content, unless another process has done so before this process got the lock. */
async function storeUnlessOvertaken(
  transaction: Transaction,
  { request, lastLoad, content, problems, isOtherVersion }: ReadFiles,
  hooks: ContentHooks,
): Promise<Result<ContentLoad | Overtaken>> {
  const lockResult = await lockContent(transaction)
  if (!lockResult.ok) {
    return lockResult
  }

  const currentLoad = await findLastLoad(transaction)
  const skipReason = await findSkipReason(transaction, currentLoad, request)
  if (skipReason) {
    return success({ status: skipReason, problems: [], warnings: [] })
  }

  if (!isSameLoad(lastLoad, currentLoad)) {
    return success('overtaken')
  }

  const storeResult = await storeContent(transaction, content, hooks.moveLessonProgress)
  if (!storeResult.ok) {
    return storeResult
  }

  const changedIds = content.courses.map(({ id }) => id)
  await hooks.indexContent(transaction, isOtherVersion ? content.courseIds : changedIds)
  await recordLoad(transaction, {
    contentHash: request.hashes.allFiles,
    migrationCount: request.migrationCount,
    isComplete: problems.length === 0,
  })
  await renewPublicPages(transaction)

  return success({ status: 'loaded', problems, warnings: storeResult.value })
}

/** Returns why the files need not be stored, or null if they have to be. */
async function findSkipReason(
  database: Database | Transaction,
  lastLoad: LastLoad | null,
  { hashes, decimalPlaces, migrationCount, isRequested }: LoadRequest,
): Promise<'unchanged' | 'superseded' | null> {
  if (lastLoad === null) {
    return null
  }

  // The hash contains the decimal places of the currency, so another currency is a change.
  if (lastLoad.contentHash === hashes.allFiles) {
    // A newer version of the product has also filled the columns that this version needs.
    const isUpToDate = lastLoad.isComplete && lastLoad.migrationCount >= migrationCount
    return isUpToDate ? 'unchanged' : null
  }

  // Even older content is better than prices that may have been read with other decimal places.
  const areStoredPricesRight = lastLoad.decimalPlaces === decimalPlaces
  if (isRequested || !areStoredPricesRight) {
    return null
  }

  return (await wasLoadedBefore(database, hashes.allFiles)) ? 'superseded' : null
}

/**
 * Returns the stored courses, so that only courses with changed files are read.
 *
 * A course can have aliases: the IDs that it had before. While a course is still stored under an
 * alias, the course with the new ID is left out here, so that it is read and takes over that row.
 */
export async function findStoredCourses(database: Database): Promise<StoredCourses> {
  // The subquery looks up each alias by the primary key. A join would compare every course with
  // every alias.
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
