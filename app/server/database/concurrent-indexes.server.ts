import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from 'postgres'
import { log } from '../log.server'

/** Drizzle Kit's line between the statements of a migration. */
const breakpoint = '--> statement-breakpoint'
/** None that is unique: the product goes on without one that isn't built yet. */
const building = /^create\s+index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i
const dropping = /^drop\s+index\s+(?:if\s+exists\s+)?"?(\w+)"?/i

/** The statements of a migration, in order. */
function statementsOf(migration: string): string[] {
  return migration.split(breakpoint).map((statement) => statement.trim())
}

/** What no transaction can do: it is left out of the migration, and `buildConcurrentIndexes` does it. */
export function isConcurrent(statement: string): boolean {
  return building.test(withoutComments(statement))
}

/** Any number; every process of the product agrees on it. */
const lockKey = 7_301_003

/**
 * Builds the indexes that migrations create CONCURRENTLY, once their transaction is done: a large table is read and written
 * meanwhile. One process builds, and another one that starts meanwhile does without them. Looks at the indexes themselves,
 * so that one whose building was interrupted is built again by a later start.
 *
 * @param client of two connections: the lock is that of a transaction, which a pooler keeps apart, and no index is built in one.
 * @param tags the migrations, in order.
 */
export async function buildConcurrentIndexes(
  client: Sql,
  { folder, tags }: { folder: string; tags: readonly string[] },
) {
  const wanted = wantedIndexes(folder, tags)
  if (!(await isAnyLacking(client, [...wanted.keys()]))) return
  await client.begin(async (holder) => {
    // A builder waits for every snapshot: this transaction must have none, so it never waits for the lock, and asks without
    // parameters, because PostgreSQL keeps the snapshot of a bound statement.
    await holder.unsafe('set local idle_in_transaction_session_timeout = 0')
    const [lock] = await holder.unsafe(`select pg_try_advisory_xact_lock(${lockKey}) as held`)
    if (lock?.held) for (const [name, statement] of wanted) await build(client, name, statement)
    else log.info('another process builds indexes; this one goes on without them')
  })
}

/** The statement for each index that the migrations leave behind. */
function wantedIndexes(folder: string, tags: readonly string[]): Map<string, string> {
  const statements = tags.flatMap((tag) => statementsOf(readFileSync(path.join(folder, `${tag}.sql`), 'utf8')))
  const wanted = new Map<string, string>()
  for (const statement of statements.map(withoutComments)) {
    const built = building.exec(statement)?.[1]
    if (built) wanted.set(built, statement)
    wanted.delete(dropping.exec(statement)?.[1] ?? '')
  }
  return wanted
}

function withoutComments(statement: string): string {
  return statement.replace(/^\s*--.*$/gm, '').trim()
}

async function isAnyLacking(client: Sql, names: readonly string[]): Promise<boolean> {
  for (const name of names) if ((await stateOf(client, name)) !== 'whole') return true
  return false
}

async function build(client: Sql, index: string, statement: string): Promise<void> {
  const state = await stateOf(client, index)
  if (state === 'whole') return
  // PostgreSQL may not have noticed yet that a killed process is gone, and then finishes what that one began.
  if (state === 'under way') return log.info({ index }, 'an index is still being built for a process that has ended')
  if (state === 'interrupted') {
    log.info({ index }, 'dropping an index whose building was interrupted')
    await client.unsafe(`drop index concurrently if exists "${index}"`)
  }
  log.info({ index }, 'building an index, while its table is in use')
  const start = performance.now()
  await client.unsafe(statement)
  log.info({ index, seconds: Math.round((performance.now() - start) / 1000) }, 'the index is built')
}

async function stateOf(client: Sql, name: string): Promise<'missing' | 'whole' | 'under way' | 'interrupted'> {
  const [row] = await client`
    select case
      when i.indexrelid is null then 'missing'
      when i.indisvalid then 'whole'
      when exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) then 'under way'
      else 'interrupted' end as state
    from (select to_regclass(${name}) as oid) named left join pg_index i on i.indexrelid = named.oid`
  return row?.state
}
