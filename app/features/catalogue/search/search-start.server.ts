import { db } from '~/server/database/client.server'
import { everything } from './catalogue-query'
import { requireIndex } from './index-store.server'
import { findCatalogue } from './search-catalogue.server'

/** Before the first request: the index is there, and read, so that nobody waits for it. */
export async function startSearch(): Promise<() => void> {
  await requireIndex(db)
  await findCatalogue(db, everything)
  return () => {}
}
