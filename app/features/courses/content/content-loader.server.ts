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
import { findRootCause } from '~/server/database/connection-error.server'
import { countMigrations } from '~/server/database/migrate.server'
import * as tables from '~/server/database/schema'
import { env, StartError } from '~/server/env.server'
import { log } from '~/server/operations/log.server'
import { commandText } from '~/server/operations/operator-command.server'
import { readiness } from '~/server/operations/readiness.server'
import { siteCurrency } from '~/server/site/site.server'
import {
  type KnownCourse,
  type KnownCourses,
  noKnownCourses,
  readContent,
} from './content-files.server'
import { getDecimalPlaces, hashContent } from './content-hashes.server'
import type { MoveLessonProgress } from './content-renames.server'
import { storeContent } from './content-store.server'
import type { CourseOutline } from './course-folder.server'

/** Content that can't be loaded, with every problem by file and line. */
class ContentError extends StartError {
  constructor(readonly problems: readonly string[]) {
    super(`The content can’t be loaded, so nothing was changed:\n  ${problems.join('\n  ')}`)
  }
}

/** The features' hooks for content changes, run in the same transaction. */
export type ContentFeatures = {
  /** Moves learners' progress when the id of a lesson changes. */
  moveLessonProgress: MoveLessonProgress
  /** Updates the search index. */
  indexContent(transaction: Transaction, storedIds: readonly string[]): Promise<void>
}

/** `superseded`: other content was loaded after this one, and stays. */
type Loading = {
  result: 'loaded' | 'unchanged' | 'superseded'
  /** Of courses that were left out: they stay as they were. */
  problems: string[]
  warnings: string[]
}

/**
 * Updates the database from the content files in one transaction; an unchanged folder writes
 * nothing. A broken course stays as it was, the others are loaded, and the next load tries it
 * again.
 *
 * @param backToo also loads content that a newer version has replaced, if the operator asks for it.
 * @throws {StartError} listing every problem by file and line, if anything but single courses is
 * broken. Nothing is changed
 *   then.
 */
export async function loadContent(
  database: Database,
  folder: string,
  features: ContentFeatures,
  { backToo = false, see }: { backToo?: boolean; see?: (done: number, of: number) => void } = {},
): Promise<Loading> {
  // After any migration the same content is stored anew: it may have new columns to fill.
  const migrations = countMigrations()
  const hashes = hashContent(folder)
  for (let attempt = 1; ; attempt++) {
    const before = await findLoaded(database, hashes.whole, migrations, backToo)
    if (before.is !== 'new') {
      return { result: before.is, problems: [], warnings: [] }
    }

    const known =
      before.migrations === migrations ? await listKnownCourses(database) : noKnownCourses
    const { content, problems } = await readContent(folder, { known, hashes, see })
    // A course left as it was would be sold at a hundred times its price, or at a hundredth.
    const isOtherMoney =
      before.decimals !== undefined && before.decimals !== getDecimalPlaces(hashes.whole)
    if (!content || (isOtherMoney && problems.length > 0)) {
      throw new ContentError(problems)
    }

    const loading = await database.transaction(async (transaction): Promise<Loading | null> => {
      // One process loads, the others wait and then find it done.
      await lockContent(transaction)
      const now = await findLoaded(transaction, content.hashes.whole, migrations, backToo)
      if (now.is !== 'new') {
        return { result: now.is, problems: [], warnings: [] }
      }

      // Another process has loaded content since `before` was read.
      if (now.hash !== before.hash && attempt < mostAttempts) {
        return null
      }

      if (now.hash !== before.hash) {
        throw new StartError('Other processes keep loading other content. Try again.')
      }

      const warnings = await storeContent(transaction, content, features.moveLessonProgress)
      // After a migration also the courses that stay as they were.
      const stored = known === noKnownCourses ? content.ids : content.courses.map(({ id }) => id)
      await features.indexContent(transaction, stored)
      await recordLoaded(transaction, content.hashes.whole, {
        migrations,
        isWhole: problems.length === 0,
      })
      await renewPublicPages(transaction)

      return { result: 'loaded', problems, warnings }
    })

    if (loading) {
      return loading
    }
  }
}

const mostAttempts = 5

/**
 * A course whose old folder still has a row is not among them: it may be stored in place of that
 * one.
 */
async function listKnownCourses(database: Database): Promise<KnownCourses> {
  // Each alias is looked up: the other way around, a million courses are compared with each
  // outline.
  const aliases = sql`jsonb_array_elements_text(outline -> 'aliases') as alias`
  const { rows } = await database.execute<KnownCourse & { id: string }>(sql`
    select course_id as id, hash, outline -> 'aliases' as aliases, outline ->> 'portrait' as portrait,
      outline ->> 'category' as category from content_courses
    where not exists (select from ${aliases} join courses on courses.id = alias)`)

  return {
    courses: new Map(rows.map(({ id, ...known }) => [id, known])),
    async findOutlines(ids) {
      const { rows: found } = await database.execute<{ outline: CourseOutline }>(
        sql`select outline from content_courses where course_id = any(${sql.param(ids)}::text[])`,
      )
      return found.map(({ outline }) => outline)
    },
  }
}

/** The state of a content hash: `new` has to be loaded, also after a change of the tables. */
async function findLoaded(
  database: Database | Transaction,
  hash: string,
  migrations: number,
  backToo: boolean,
) {
  const [loaded] = await database.select().from(tables.contentState)
  const is = async (): Promise<'new' | 'unchanged' | 'superseded'> => {
    if (loaded?.hash === hash) {
      return loaded.migrations >= migrations ? 'unchanged' : 'new'
    }

    if (backToo || loaded?.hash === partly(hash)) {
      return 'new'
    }

    // Stored prices would be a hundred times too high or low.
    if (loaded && getDecimalPlaces(loaded.hash) !== getDecimalPlaces(hash)) {
      return 'new'
    }

    const [past] = await database
      .select()
      .from(tables.contentHistory)
      .where(eq(tables.contentHistory.hash, hash))

    return past && loaded ? 'superseded' : 'new'
  }
  const decimals = loaded && getDecimalPlaces(loaded.hash)

  return { is: await is(), hash: loaded?.hash, migrations: loaded?.migrations, decimals }
}

/**
 * The hash stored for content with broken courses; it never matches, so that the next load tries
 * them again.
 */
function partly(hash: string): string {
  return `partly ${hash}`
}

type Loaded = { migrations: number; isWhole: boolean }

async function recordLoaded(
  transaction: Transaction,
  hash: string,
  { migrations, isWhole }: Loaded,
) {
  const state = { hash: isWhole ? hash : partly(hash), migrations }
  await transaction
    .insert(tables.contentState)
    .values({ id: 1, ...state })
    .onConflictDoUpdate({ target: tables.contentState.id, set: state })
  await transaction
    .insert(tables.contentHistory)
    .values({ hash })
    .onConflictDoUpdate({ target: tables.contentHistory.hash, set: { loadedAt: sql`now()` } })
}

/** Any number; all processes agree on it. */
const contentLock = 7_301_002

/**
 * One process stores the content, others that start at the same time wait for it. The lock ends
 * with the transaction.
 *
 * @throws {StartError} after a minute.
 */
export async function lockContent(transaction: Pick<Statements, 'execute'>): Promise<void> {
  await transaction.execute(sql`set local lock_timeout = '60s'`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${contentLock})`).catch((error) => {
    if (findRootCause(error).code !== '55P03') {
      throw error
    }

    throw new StartError(
      'Another process has been loading content for 60 seconds. Wait for it, or end it, and start again.',
    )
  })
}

/**
 * `loadContent` at startup. Problems go to the log and `/readyz`, and the content in the database
 * is used.
 *
 * @throws {StartError} only if the database has no content, or its prices are in a currency of
 * other decimal places.
 */
export async function loadContentAtStart(
  features: ContentFeatures,
  database: Database = db,
  folder: string = env.CONTENT_DIR,
): Promise<void> {
  const problem = await attempt(database, folder, features, { backToo: false })
  if (problem) {
    log.error(problem)
  }
}

/**
 * The same after an author's save, including an undone edit.
 *
 * @throws {Error} with the reason why the earlier content stays.
 */
export async function reloadContent(features: ContentFeatures): Promise<void> {
  const problem = await attempt(db, env.CONTENT_DIR, features, { backToo: true })
  if (problem) {
    throw new Error(problem)
  }
}

/** @returns why the content loaded last stays in use, or null. */
async function attempt(...loading: Parameters<typeof loadContent>): Promise<string | null> {
  const [database, folder] = loading
  try {
    const { result, problems, warnings } = await loadContent(...loading)
    for (const warning of warnings) {
      log.warn(warning)
    }

    if (problems.length > 0) {
      readiness.warn('content', getPublicWarning(new ContentError(problems), folder))
      return formatPartialLoad(problems)
    }

    if (result === 'superseded') {
      log.warn(supersededWarning)
    }

    readiness.warn('content', result === 'superseded' ? supersededWarning : null)

    return null
  } catch (error) {
    const [loaded] = await database.select().from(tables.contentState)
    const decimals = loaded && getDecimalPlaces(loaded.hash)
    const isOtherMoney =
      decimals !== undefined && decimals !== String(getCurrencyDecimals(siteCurrency()))
    if (!loaded || isOtherMoney) {
      throw error
    }

    readiness.warn('content', getPublicWarning(error, folder))

    return `${(error as Error).message}\nThe content loaded last stays in use.`
  }
}

/** For the log, and for an operator who loads. */
export function formatPartialLoad(problems: readonly string[]): string {
  return `The content is loaded, but courses with problems stay as they were:\n  ${problems.join('\n  ')}`
}

/** Names the place but not its content, which may be the answer to an exam question. */
function getPublicWarning(error: unknown, folder: string): string {
  const staysInUse = 'The content loaded last stays in use.'
  if (!(error instanceof ContentError)) {
    return `The content files couldn’t be loaded; the log says why. ${staysInUse}`
  }

  const [first = ''] = error.problems
  const place = path.relative(folder, path.resolve(first.split(': ')[0] ?? '')) || 'CONTENT_DIR'
  const count = error.problems.length === 1 ? '1 problem' : `${error.problems.length} problems`

  return `The content files have ${count}, the first in ${place}; the log names them all. ${staysInUse}`
}

const supersededWarning = `CONTENT_DIR holds older content than what is loaded, so the newer content stays in use. To go back on purpose: ${commandText('content', 'load')}`
