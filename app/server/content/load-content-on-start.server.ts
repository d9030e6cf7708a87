import path from 'node:path'
import { type Database, db } from '../database/client.server'
import * as tables from '../database/schema'
import { env } from '../env.server'
import { log } from '../operations/log.server'
import { commandText } from '../operations/operator-command.server'
import { readiness } from '../operations/readiness.server'
import { ContentError, type ContentFeatures, loadContent } from './content-loader.server'

/**
 * `loadContent` at startup. Problems go to the log and `/readyz`, and the content in the database is used.
 *
 * @throws {StartError} only if the database has no content.
 */
export async function takeUpContent(
  features: ContentFeatures,
  database: Database = db,
  folder: string = env.CONTENT_DIR,
): Promise<void> {
  const problem = await attempt(database, folder, features, { backToo: false })
  if (problem) log.error(problem)
}

/**
 * The same after an author's save, including an undone edit.
 *
 * @throws {Error} with the reason why the earlier content stays.
 */
export async function reloadContent(features: ContentFeatures): Promise<void> {
  const problem = await attempt(db, env.CONTENT_DIR, features, { backToo: true })
  if (problem) throw new Error(problem)
}

/** @returns why the content loaded last stays in use, or null. */
async function attempt(...loading: Parameters<typeof loadContent>): Promise<string | null> {
  const [database, folder] = loading
  try {
    const { result, problems, warnings } = await loadContent(...loading)
    for (const warning of warnings) log.warn(warning)
    if (problems.length > 0) {
      readiness.warn('content', publicWarning(new ContentError(problems), folder))
      return partlyLoaded(problems)
    }
    if (result === 'superseded') log.warn(supersededWarning)
    readiness.warn('content', result === 'superseded' ? supersededWarning : null)
    return null
  } catch (error) {
    const [loaded] = await database.select().from(tables.contentState)
    if (!loaded) throw error
    readiness.warn('content', publicWarning(error, folder))
    return `${(error as Error).message}\nThe content loaded last stays in use.`
  }
}

/** For the log, and for an operator who loads. */
export function partlyLoaded(problems: readonly string[]): string {
  return `The content is loaded, but courses with problems stay as they were:\n  ${problems.join('\n  ')}`
}

/** Names the place but not its content, which may be the answer to an exam question. */
function publicWarning(error: unknown, folder: string): string {
  const staysInUse = 'The content loaded last stays in use.'
  if (!(error instanceof ContentError)) return `The content files couldn’t be loaded; the log says why. ${staysInUse}`
  const [first = ''] = error.problems
  const place = path.relative(folder, path.resolve(first.split(': ')[0] ?? '')) || 'CONTENT_DIR'
  const count = error.problems.length === 1 ? '1 problem' : `${error.problems.length} problems`
  return `The content files have ${count}, the first in ${place}; the log names them all. ${staysInUse}`
}

const supersededWarning = `CONTENT_DIR holds older content than what is loaded, so the newer content stays in use. To go back on purpose: ${commandText('content', 'load')}`
