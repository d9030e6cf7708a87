/**
 * The lease of the background work: a row that says which process does the work, and until when.
 * Only the clock of the database counts.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'

/** How long a lease lasts. If its holder does not renew it, the other processes wait as long. */
export const leaseDurationMs = 6_000

/** Returns a name for this process. A process that starts later never gets the same name. */
export function createHolderName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
}

/**
 * Takes the lease if it is free, or renews it if this process holds it. A lease that would last
 * more than twice as long as `leaseDurationMs` counts as free, because the clock must have been set
 * back since.
 *
 * @returns the term, which grows with each change of the holder, or null while another process
 *   holds the lease
 */
export async function takeLease(db: Database, holderName: string): Promise<number | null> {
  const seconds = leaseDurationMs / 1000
  // The driver returns a bigint as a text, so the term is read as a float.
  const { rows } = await db.execute<{ term: number }>(sql`
    insert into background_lease as l (id, holder, term, expires_at)
    values (1, ${holderName}, 1, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (id) do update set
      holder = excluded.holder,
      term = l.term + (l.holder <> excluded.holder)::int,
      expires_at = excluded.expires_at
    where l.holder = excluded.holder
      or l.expires_at not between clock_timestamp()
        and clock_timestamp() + make_interval(secs => ${2 * seconds}::float8)
    returning term::float8 as term`)

  return rows[0]?.term ?? null
}

/** Releases the lease if this process holds it, so that another process takes over at once. */
export async function releaseLease(db: Database, holderName: string): Promise<void> {
  await db.execute(
    sql`update background_lease set expires_at = '-infinity' where holder = ${holderName}`,
  )
}
