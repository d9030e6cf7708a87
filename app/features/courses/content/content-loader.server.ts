/**
 * Loads the content files into the database, when the server starts, an author saves a file in
 * development, or an operator asks for it.
 *
 * - Everything is stored in one transaction. Content that has not changed writes nothing.
 * - A course with problems stays as it is stored, and the next load tries it again. A problem in
 *   any other file rejects the whole content.
 * - Content that newer content has replaced is "superseded". A server that restarts with an old
 *   folder does not bring such content back, but an operator can.
 * - Of several processes that load at the same time, one stores the content. The others wait, and
 *   then find it stored.
 */

import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { getCurrencyDecimals } from '~/features/school/money'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import {
  type Database,
  db,
  type Statements,
  type Transaction,
} from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/commit-on-success.server'
import { findRootCause } from '~/server/database/connection-error.server'
import { countMigrations } from '~/server/database/migrate.server'
import { contentHistory, contentState } from '~/server/database/schema'
import { env, StartError } from '~/server/env.server'
import { log } from '~/server/operations/log.server'
import { commandText } from '~/server/operations/operator-command.server'
import { readiness } from '~/server/operations/readiness.server'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import {
  type Content,
  noStoredCourses,
  readContent,
  type StoredCourse,
  type StoredCourses,
} from './content-files.server'
import { type ContentHashes, getDecimalPlaces, hashContent } from './content-hashes.server'
import type { MoveLessonProgress } from './content-renames.server'
import { storeContent } from './content-store.server'
import type { CourseOutline } from './course-folder.server'

/** The features' hooks for content changes, run in the same transaction. */
export type ContentFeatures = {
  /** Moves learners' progress when the ID of a lesson changes. */
  moveLessonProgress: MoveLessonProgress
  /** Updates the search index. */
  indexContent(transaction: Transaction, storedIds: readonly string[]): Promise<void>
}

type LoadOptions = {
  /** If true, content is loaded even if newer content has replaced it. */
  shouldReplaceNewer?: boolean
  onProgress?: (readCourses: number, totalCourses: number) => void
}

type ContentLoad = {
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

/** How often a load starts over because another process has stored other content meanwhile. */
const maxTries = 5

export async function loadContent(
  database: Database,
  folder: string,
  features: ContentFeatures,
  options: LoadOptions = {},
): Promise<ContentLoad> {
  const hashes = hashContent(folder)

  for (let tries = 0; tries < maxTries; tries++) {
    const load = await loadUnlessOutdated(database, { folder, hashes }, features, options)
    if (load) {
      return load
    }
  }

  return {
    status: 'failed',
    problems: ['Other processes keep loading other content. Try again.'],
    warnings: [],
  }
}

/** @returns null if another process has stored other content since this call began */
async function loadUnlessOutdated(
  database: Database,
  { folder, hashes }: { folder: string; hashes: ContentHashes },
  features: ContentFeatures,
  { shouldReplaceNewer = false, onProgress }: LoadOptions,
): Promise<ContentLoad | null> {
  const migrations = countMigrations()
  const target = { hash: hashes.allFiles, migrations, shouldReplaceNewer }
  const storedContent = await findStoredContent(database)
  const skipReason = await findSkipReason(database, storedContent, target)
  if (skipReason) {
    return { status: skipReason, problems: [], warnings: [] }
  }

  // After a migration every course is stored again, because there may be new columns to fill.
  const isMigrated = storedContent?.migrations !== migrations
  const storedCourses = isMigrated ? noStoredCourses : await findStoredCourses(database)
  const { content, problems } = await readContent(folder, { storedCourses, hashes, onProgress })

  // A course left as it is would be sold at a hundred times its price, or at a hundredth.
  const mustReadAllPrices =
    storedContent !== null &&
    hasOtherDecimalPlaces(storedContent, getDecimalPlaces(hashes.allFiles))
  if (!content || (mustReadAllPrices && problems.length > 0)) {
    return { status: 'rejected', problems, warnings: [] }
  }

  const result = await commitOnSuccess(database, async (transaction) => {
    const lock = await lockContent(transaction)
    if (!lock.ok) {
      return lock
    }

    const lockedContent = await findStoredContent(transaction)
    const lockedSkipReason = await findSkipReason(transaction, lockedContent, target)
    if (lockedSkipReason) {
      return success<ContentLoad>({ status: lockedSkipReason, problems: [], warnings: [] })
    }

    if (lockedContent?.hash !== storedContent?.hash) {
      return success(null)
    }

    const warnings = await storeContent(transaction, content, features.moveLessonProgress)
    if (!warnings.ok) {
      return warnings
    }

    await features.indexContent(transaction, listIdsToIndex(content, isMigrated))
    await recordLoad(transaction, hashes.allFiles, {
      migrations,
      isComplete: problems.length === 0,
    })
    await renewPublicPages(transaction)

    return success<ContentLoad>({ status: 'loaded', problems, warnings: warnings.value })
  })

  return result.ok ? result.value : { status: 'failed', problems: [result.problem], warnings: [] }
}

type StoredContent = typeof contentState.$inferSelect

/** Returns what the content loaded last was read from; null before the first load. */
async function findStoredContent(database: Database | Transaction): Promise<StoredContent | null> {
  const [storedContent] = await database.select().from(contentState)
  return storedContent ?? null
}

type TargetContent = { hash: string; migrations: number; shouldReplaceNewer: boolean }

/** Returns why the target content need not be stored, or null if it must be. */
async function findSkipReason(
  database: Database | Transaction,
  storedContent: StoredContent | null,
  { hash, migrations, shouldReplaceNewer }: TargetContent,
): Promise<'unchanged' | 'superseded' | null> {
  if (storedContent === null) {
    return null
  }

  if (storedContent.hash === hash) {
    return storedContent.migrations >= migrations ? 'unchanged' : null
  }

  if (shouldReplaceNewer || storedContent.hash === toIncompleteHash(hash)) {
    return null
  }

  // The stored prices are a hundred times too high or too low in the site's currency.
  if (getDecimalPlaces(storedContent.hash) !== getDecimalPlaces(hash)) {
    return null
  }

  const [pastLoad] = await database
    .select()
    .from(contentHistory)
    .where(eq(contentHistory.hash, hash))

  return pastLoad ? 'superseded' : null
}

/**
 * Returns the stored courses, so that only courses with changed files are read. A course whose
 * previous folder still has a row is not among them, because it may have to take over that row.
 */
async function findStoredCourses(database: Database): Promise<StoredCourses> {
  // Each alias is looked up by itself. As a join, the query would compare a million courses with
  // each outline.
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

/**
 * Tells whether the stored prices have another number of decimal places. This is false for content
 * that an older version stored without that number.
 */
function hasOtherDecimalPlaces(
  storedContent: StoredContent,
  decimalPlaces: string | undefined,
): boolean {
  const storedDecimalPlaces = getDecimalPlaces(storedContent.hash)
  return storedDecimalPlaces !== undefined && storedDecimalPlaces !== decimalPlaces
}

/** Any number that no other lock of the database has. */
const contentLockKey = 7_301_002

const lockNotAvailable = '55P03'

/**
 * Takes the lock that lets one process at a time change the content. The lock ends with the
 * transaction.
 *
 * @returns a failure after a minute. The transaction can only be rolled back then.
 */
export async function lockContent(transaction: Pick<Statements, 'execute'>): Promise<Result> {
  try {
    await transaction.execute(sql`set local lock_timeout = '60s'`)
    await transaction.execute(sql`select pg_advisory_xact_lock(${contentLockKey})`)
  } catch (error) {
    if (findRootCause(error).code !== lockNotAvailable) {
      throw error
    }

    return failure(
      'Another process has been loading content for 60 seconds. Wait for it, or end it, and start again.',
    )
  }

  return success()
}

/** After a migration, the index is also filled for the courses that stay as they are stored. */
function listIdsToIndex(content: Content, isMigrated: boolean): string[] {
  return isMigrated ? content.courseIds : content.courses.map(({ id }) => id)
}

/**
 * Returns the hash that is stored for content with broken courses. It equals no hash of files, so
 * that the next load tries the broken courses again.
 */
function toIncompleteHash(hash: string): string {
  return `partly ${hash}`
}

async function recordLoad(
  transaction: Transaction,
  hash: string,
  { migrations, isComplete }: { migrations: number; isComplete: boolean },
): Promise<void> {
  const loadedContent = { hash: isComplete ? hash : toIncompleteHash(hash), migrations }
  await transaction
    .insert(contentState)
    .values({ id: 1, ...loadedContent })
    .onConflictDoUpdate({ target: contentState.id, set: loadedContent })

  await transaction
    .insert(contentHistory)
    .values({ hash })
    .onConflictDoUpdate({ target: contentHistory.hash, set: { loadedAt: sql`now()` } })
}

/**
 * Loads the content when the server starts. If that is not possible, the log and `/readyz` say so,
 * and the server starts with the stored content.
 *
 * @throws {StartError} if the database has no content, or prices with another number of decimal
 * places than the site's currency
 */
export async function loadContentAtStart(
  features: ContentFeatures,
  database: Database = db,
  folder: string = env.CONTENT_DIR,
): Promise<void> {
  const result = await loadAndReport(database, folder, features)
  if (result.ok) {
    return
  }

  if (!(await hasUsableContent(database))) {
    throw new StartError(result.problem)
  }

  log.error(result.problem)
}

/**
 * Loads the content while the server runs, also when an author has undone an edit.
 *
 * @returns a failure if the stored content, or a part of it, stays in use
 */
export async function reloadContent(features: ContentFeatures): Promise<Result> {
  return loadAndReport(db, env.CONTENT_DIR, features, { shouldReplaceNewer: true })
}

/** Loads the content, writes warnings to the log, and sets the warning of `/readyz`. */
async function loadAndReport(
  database: Database,
  folder: string,
  features: ContentFeatures,
  options?: LoadOptions,
): Promise<Result> {
  let load: ContentLoad
  try {
    load = await loadContent(database, folder, features, options)
  } catch (error) {
    if (!(await hasUsableContent(database))) {
      throw error
    }

    readiness.warn('content', notLoadedWarning)

    return failure(`${(error as Error).message}\n${storedContentStays}`)
  }

  for (const warning of load.warnings) {
    log.warn(warning)
  }

  if (load.status === 'superseded') {
    log.warn(supersededWarning)
  }

  readiness.warn('content', findPublicWarning(load, folder))

  if (load.status === 'loaded' && load.problems.length > 0) {
    return failure(formatPartialLoad(load.problems))
  }

  if (load.status === 'rejected' || load.status === 'failed') {
    const problem = formatFailedLoad(load)
    return failure(
      (await hasUsableContent(database)) ? `${problem}\n${storedContentStays}` : problem,
    )
  }

  return success()
}

/** Tells whether the database has content whose prices are in the site's currency. */
async function hasUsableContent(database: Database): Promise<boolean> {
  const storedContent = await findStoredContent(database)
  const decimalPlaces = String(getCurrencyDecimals(siteCurrency()))

  return storedContent !== null && !hasOtherDecimalPlaces(storedContent, decimalPlaces)
}

/** Describes a load that left out courses, for the log and for an operator. */
export function formatPartialLoad(problems: readonly string[]): string {
  return `The content is loaded, but courses with problems stay as they were:\n  ${problems.join('\n  ')}`
}

/** Describes a load that changed nothing, for the log and for an operator. */
export function formatFailedLoad({ status, problems }: ContentLoad): string {
  return status === 'rejected'
    ? `The content can’t be loaded, so nothing was changed:\n  ${problems.join('\n  ')}`
    : problems.join('\n')
}

const storedContentStays = 'The content loaded last stays in use.'
const notLoadedWarning = `The content files couldn’t be loaded; the log says why. ${storedContentStays}`
const supersededWarning = `CONTENT_DIR holds older content than what is loaded, so the newer content stays in use. To go back on purpose: ${commandText('content', 'load')}`

/**
 * Returns the public warning of a load. It names the file and line of the first problem but not its
 * text, which may contain the answer to an exam question.
 */
function findPublicWarning({ status, problems }: ContentLoad, folder: string): string | null {
  if (status === 'superseded') {
    return supersededWarning
  }

  if (status === 'failed') {
    return notLoadedWarning
  }

  const [firstProblem] = problems
  if (firstProblem === undefined) {
    return null
  }

  const [fileAndLine = ''] = firstProblem.split(': ')
  const location = path.relative(folder, path.resolve(fileAndLine)) || 'CONTENT_DIR'
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`

  return `The content files have ${count}, the first in ${location}; the log names them all. ${storedContentStays}`
}
