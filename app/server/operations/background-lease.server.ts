import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'

/** How long the others wait for a process that is silent. */
export const leaseMs = 6_000

/** A name for this process that is never used again. */
export function newHolder(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
}

/**
 * Takes the lease if it is free, and renews it if it is one's own, by the database's clock alone. One that would last far
 * longer than any is from before that clock was set back.
 *
 * @returns the term, null while another process has it.
 */
export async function takeLease(db: Database, holder: string): Promise<number | null> {
  const seconds = leaseMs / 1000
  const { rows } = await db.execute<{ term: number }>(sql`
    insert into background_lease as l (id, holder, term, expires_at)
    values (1, ${holder}, 1, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (id) do update set
      holder = excluded.holder,
      term = l.term + (l.holder <> excluded.holder)::int,
      expires_at = excluded.expires_at
    where l.holder = excluded.holder
      or l.expires_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => ${2 * seconds}::float8)
    returning term::float8 as term`)
  return rows[0]?.term ?? null
}

/** Lets another process take over at once. */
export async function releaseLease(db: Database, holder: string): Promise<void> {
  await db.execute(sql`update background_lease set expires_at = '-infinity' where holder = ${holder}`)
}
