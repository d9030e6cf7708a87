import { sql } from 'drizzle-orm'
import { db } from '~/server/database/client.server'
import { lockForStart } from '~/server/database/start-lock.server'
import { log } from '~/server/operations/log.server'
import { indexContent, isIncomplete } from './course-search.server'

/** Fills what searches know of courses where an upgrade or a restored backup left it empty. Most starts find it complete. */
export async function startSearch(): Promise<() => Promise<void>> {
  if (await isIncomplete(db)) {
    log.info('preparing the search of all courses')
    await db.transaction(async (transaction) => {
      await lockForStart(transaction, 'content')
      if (await isIncomplete(transaction)) await indexContent(transaction, [])
    })
    // PostgreSQL would plan without knowing any word until it did this by itself, minutes later.
    await db.execute(sql`analyze course_search, search_words, search_names`)
  }
  return async () => {}
}
