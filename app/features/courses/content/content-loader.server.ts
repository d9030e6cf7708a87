/**
 * Loads the content files into the database when the server starts, an author saves a file in
 * development, an owner changes the currency, or an operator runs a command.
 *
 * - `load-decision.server.ts` decides whether the files have to be stored. If they have, everything
 *   is stored in one transaction.
 * - A course with problems keeps its stored version, and the next load tries it again. A problem
 *   in any other file rejects the whole content.
 * - Of several processes that load at the same time, one stores the content. The others wait, and
 *   then find it stored.
 */
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/client.server'
import { countMigrations } from '~/server/database/migrate.server'
import { type Result, success } from '~/server/result'
import { type Content, noStoredCourses, readContent } from './content-files.server'
import { hashContent } from './content-hashes.server'
import { lockContent } from './content-lock.server'
import type { MoveLessonProgress } from './content-renames.server'
import { storeContent } from './content-store.server'
import {
  compareDecimalPlaces,
  findLastLoad,
  isSameLoad,
  type LastLoad,
  recordLoad,
  recordLoadTime,
} from './last-load.server'
import { findSkipReason, type LoadRequest } from './load-decision.server'
import { findStoredCourses } from './stored-courses.server'

/** What other features do in the transaction that stores changed content. */
export type ContentHooks = {
  /** Moves learners' progress when the ID of a lesson changes. */
  moveLessonProgress: MoveLessonProgress
  /** Updates the search index. */
  indexContent(transaction: Transaction, courseIds: readonly string[]): Promise<void>
}

export type LoadOptions = Partial<Pick<LoadRequest, 'isManual'>> & {
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
  { isManual = false, onProgress }: LoadOptions = {},
): Promise<ContentLoad> {
  // A file that changes after it was hashed has another hash at the next load, which reads it
  // again.
  const request: LoadRequest = {
    hashes: hashContent(folder),
    migrationCount: countMigrations(),
    isManual,
  }

  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const load = await tryToLoad(database, { folder, request, hooks, onProgress })
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

type LoadTry = {
  folder: string
  request: LoadRequest
  hooks: ContentHooks
  onProgress: LoadOptions['onProgress']
}

/**
 * Reads the files and stores them, if they have to be stored.
 *
 * @returns 'overtaken' if another process stored other content while this process read the files.
 *   Nothing was changed then.
 */
async function tryToLoad(
  database: Database,
  { folder, request, hooks, onProgress }: LoadTry,
): Promise<ContentLoad | 'overtaken'> {
  const lastLoad = await findLastLoad(database)
  const skipReason = await findSkipReason(database, lastLoad, request)
  if (skipReason === 'unchanged' && request.isManual) {
    await confirmLastLoad(database, request.hashes.content)
  }

  if (skipReason) {
    return { status: skipReason, problems: [], warnings: [] }
  }

  // Another version of the product may fill other columns, so every course is stored again.
  const isOtherProductVersion = lastLoad?.migrationCount !== request.migrationCount
  const { content, problems } = await readContent(folder, {
    storedCourses: isOtherProductVersion ? noStoredCourses : await findStoredCourses(database),
    hashes: request.hashes,
    onProgress,
  })

  if (!content || (problems.length > 0 && hasWrongPrices(lastLoad, request))) {
    return { status: 'rejected', problems, warnings: [] }
  }

  const storeResult = await commitOnSuccess(database, (transaction) =>
    storeUnlessOvertaken(
      transaction,
      { request, lastLoad, content, problems, isOtherProductVersion },
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
async function confirmLastLoad(database: Database, contentHash: string): Promise<void> {
  await recordLoadTime(database, contentHash)
  await renewPublicPages(database)
}

/**
 * Returns whether the stored prices have other decimal places than the currency. Courses that can't
 * be read now must not keep such prices: they would be sold at a hundred times their price, or at a
 * hundredth.
 */
function hasWrongPrices(lastLoad: LastLoad | null, { hashes }: LoadRequest): boolean {
  return lastLoad !== null && compareDecimalPlaces(lastLoad, hashes.decimalPlaces) === 'different'
}

type ReadFiles = {
  request: LoadRequest
  /** The last load before the files were read. */
  lastLoad: LastLoad | null
  content: Content
  /** The problems of the courses that `content` leaves out. */
  problems: string[]
  isOtherProductVersion: boolean
}

/** Stores the content, unless another process has stored content since the files were read. */
async function storeUnlessOvertaken(
  transaction: Transaction,
  { request, lastLoad, content, problems, isOtherProductVersion }: ReadFiles,
  hooks: ContentHooks,
): Promise<Result<ContentLoad | 'overtaken'>> {
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

  const warnings = storeResult.value
  const changedIds = content.courses.map(({ id }) => id)
  await hooks.indexContent(transaction, isOtherProductVersion ? content.courseIds : changedIds)
  await recordLoad(transaction, {
    contentHash: request.hashes.content,
    migrationCount: request.migrationCount,
    isComplete: problems.length === 0,
  })
  await renewPublicPages(transaction)

  return success({ status: 'loaded', problems, warnings })
}
