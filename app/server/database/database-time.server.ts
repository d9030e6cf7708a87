import { sql } from 'drizzle-orm'
import type { Database } from './client.server'

/** Now, by the one clock of all processes that share a database: what one of them begins, another may have to end. */
export async function databaseTime(db: Pick<Database, 'execute'>): Promise<Date> {
  const {
    rows: [row],
  } = await db.execute<{ ms: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as ms`)
  return new Date(Math.floor(Number(row?.ms)))
}
