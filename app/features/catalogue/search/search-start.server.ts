import { backgroundWork } from '~/server/background-work.server'
import { db } from '~/server/database/client.server'
import { everything } from './catalogue-query'
import { renewIndex, requireIndex } from './index-store.server'
import { findCatalogue } from './search-catalogue.server'

const renewEveryMs = 60_000

/** Before the first request the index is there, and read, so that nobody waits for it; then it follows the ratings. */
export async function startSearch(): Promise<() => Promise<void>> {
  await requireIndex(db)
  await findCatalogue(db, everything)
  return backgroundWork.add({ name: 'search index', everyMs: renewEveryMs, run: () => renewIndex(db) })
}
