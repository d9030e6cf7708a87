import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Database } from './database/client.server'

/** How long the others wait for a process that is silent. */
export const leaseMs = 6_000

/** A name for this process that no other ever has. */
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
  // Nothing is lost with a lease that a crash takes back, so that no renewal waits for the disk or for a standby.
  const {
    rows: [row],
  } = await db.execute<{ term: number }>(sql`
      with unhurried as materialized (select set_config('synchronous_commit', 'off', true) as setting)
      insert into background_lease as l (id, holder, term, expires_at)
      select 1, ${holder}, 1, clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::float8) from unhurried where setting = 'off'
      on conflict (id) do update set
        holder = excluded.holder,
        term = l.term + (l.holder <> excluded.holder)::int,
        expires_at = excluded.expires_at
      where l.holder = excluded.holder or l.expires_at not between
        clock_timestamp() and clock_timestamp() + make_interval(secs => ${(2 * leaseMs) / 1000}::float8)
      returning term::float8 as term`)
  return row?.term ?? null
}

/** Lets another process take over at once. */
export async function releaseLease(db: Database, holder: string): Promise<void> {
  await db.execute(sql`update background_lease set expires_at = '-infinity' where holder = ${holder}`)
}
