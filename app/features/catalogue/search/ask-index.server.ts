import type { Database } from '~/server/database/client.server'
import { type KeptIndex, readIndex } from './kept-index.server'
import { IndexChanged, SearchIndex } from './search-index.server'

const indexes = new WeakMap<Database, Promise<KeptIndex>>()
const mostAttempts = 5

/** Asks the index of a database in its present version; once more when it is built anew meanwhile. */
export async function askIndex<Answer>(db: Database, ask: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const reading = indexes.get(db) ?? keepReading(db, null)
    const index = new SearchIndex(await reading)
    try {
      await index.readOrders()
      const answer = await ask(index)
      // After a failure something may still be at work with them.
      index.end()
      return answer
    } catch (error) {
      if (!(error instanceof IndexChanged) || attempt === mostAttempts) throw error
      if (indexes.get(db) === reading) keepReading(db, index.kept)
    }
  }
}

/** Keeps what is being read until that fails. */
function keepReading(db: Database, former: KeptIndex | null): Promise<KeptIndex> {
  const reading = readIndex(db, former)
  indexes.set(db, reading)
  reading.catch(() => indexes.get(db) === reading && indexes.delete(db))
  return reading
}
