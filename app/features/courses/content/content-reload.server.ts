/**
 * Loads the content of the running product: when the server starts, and when files have changed.
 *
 * A load that fails leaves the stored content in use. The log then names all problems. `/readyz`,
 * which anybody may read, only says how many there are and where the first one is. That warning
 * goes away in every process after a command has loaded the repaired files.
 */
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { getCurrencyDecimals } from '~/features/school/money'
import { type Database, db } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { log } from '~/server/operations/log.server'
import { formatCommand } from '~/server/operations/operator-command.server'
import { readiness } from '~/server/operations/readiness.server'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { readContent } from './content-files.server'
import { hashContent } from './content-hashes.server'
import {
  type ContentHooks,
  type ContentLoad,
  type LoadOptions,
  loadContent,
} from './content-loader.server'
import { compareDecimalPlaces, findLastLoad, type LastLoad } from './last-load.server'
import { findStoredCourses } from './stored-courses.server'

const storedContentStays = 'The content loaded last stays in use.'
const notLoadedWarning = `The content files couldn’t be loaded; the log says why. ${storedContentStays}`
const supersededWarning = `CONTENT_DIR holds older content than what is loaded, so the newer content stays in use. To go back on purpose: ${formatCommand('content', 'load')}`

/**
 * Loads the content when the server starts. If that is not possible, the server starts with the
 * stored content.
 *
 * @throws {StartError} if the database has no content, or prices with another number of decimal
 * places than the site's currency
 */
export async function loadContentAtStart(
  hooks: ContentHooks,
  database: Database = db,
  folder: string = env.CONTENT_DIR,
): Promise<void> {
  const result = await loadAndReport(database, folder, hooks)
  if (result.ok) {
    return
  }

  if (!(await hasUsableContent(database))) {
    throw new StartError(result.problem)
  }

  log.error(result.problem)
}

/**
 * Loads the content while the server runs. It also loads content that newer content has replaced,
 * because an author may undo an edit.
 *
 * @returns a failure if the stored content, or a part of it, stays in use
 */
export async function reloadContent(hooks: ContentHooks): Promise<Result> {
  return loadAndReport(db, env.CONTENT_DIR, hooks, { isManual: true })
}

/** The last load after which this process has updated its warning. */
let checkedLoad: LastLoad | null = null
let isRefreshing = false
let mustRefreshAgain = false

/**
 * Updates the warning of `/readyz` after another process, such as a command, may have loaded the
 * files of this process. The warning becomes the one that a restart would show. If a refresh is
 * running, the call returns at once, and the running refresh starts over when it has finished.
 */
export async function refreshContentWarning(
  database: Database = db,
  folder: string = env.CONTENT_DIR,
): Promise<void> {
  if (isRefreshing) {
    mustRefreshAgain = true
    return
  }

  isRefreshing = true
  try {
    do {
      mustRefreshAgain = false
      await refreshAfterNewLoad(database, folder)
    } while (mustRefreshAgain)
  } finally {
    isRefreshing = false
  }
}

/**
 * Does nothing unless the files were loaded again. Every change of the site calls this function.
 */
async function refreshAfterNewLoad(database: Database, folder: string): Promise<void> {
  const lastLoad = await findLastLoad(database)
  if (lastLoad === null || isDeepStrictEqual(lastLoad, checkedLoad)) {
    return
  }

  await updateContentWarning(lastLoad, database, folder)
  checkedLoad = lastLoad
}

async function updateContentWarning(
  lastLoad: LastLoad,
  database: Database,
  folder: string,
): Promise<void> {
  // Reading the files takes a while, so they are not read if the warning can't change.
  const isWarningUpToDate = lastLoad.isComplete && !hasContentWarning
  if (isWarningUpToDate) {
    return
  }

  // If another process loaded other files, the warning about the files of this process still holds.
  const hashes = hashContent(folder)
  if (lastLoad.contentHash !== hashes.content) {
    return
  }

  if (lastLoad.isComplete) {
    setContentWarning(null)
    return
  }

  const storedCourses = await findStoredCourses(database)
  const { problems } = await readContent(folder, { storedCourses, hashes })
  setContentWarning(findPublicWarning({ status: 'loaded', problems, warnings: [] }, folder))
}

/** Whether `/readyz` of this process warns about the content. */
let hasContentWarning = false

/** @param warning null removes the warning */
function setContentWarning(warning: string | null): void {
  hasContentWarning = warning !== null
  readiness.setWarning('content', warning)
}

/** Loads the content, writes warnings to the log, and sets the warning of `/readyz`. */
async function loadAndReport(
  database: Database,
  folder: string,
  hooks: ContentHooks,
  options?: LoadOptions,
): Promise<Result> {
  let load: ContentLoad
  try {
    load = await loadContent(database, folder, hooks, options)
  } catch (error) {
    if (!(await hasUsableContent(database))) {
      throw error
    }

    setContentWarning(notLoadedWarning)

    return failure(`${(error as Error).message}\n${storedContentStays}`)
  }

  for (const warning of load.warnings) {
    log.warn(warning)
  }

  if (load.status === 'superseded') {
    log.warn(supersededWarning)
  }

  setContentWarning(findPublicWarning(load, folder))

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

/** Returns whether the database has content whose prices are in the site's currency. */
async function hasUsableContent(database: Database): Promise<boolean> {
  const lastLoad = await findLastLoad(database)
  const decimalPlaces = getCurrencyDecimals(siteCurrency())

  return lastLoad !== null && compareDecimalPlaces(lastLoad, decimalPlaces) !== 'different'
}

/**
 * Returns the warning of `/readyz`. It names the file and line of the first problem but not its
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
