import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { log } from '../log.server'

/** Drizzle Kit's line between the statements of a migration. */
const breakpoint = '--> statement-breakpoint'
const building = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i
const dropping = /^drop\s+index\s+(?:if\s+exists\s+)?"?(\w+)"?/i

/** The statements of a migration, in order. */
function statementsOf(migration: string): string[] {
  return migration.split(breakpoint).map((statement) => statement.trim())
}

/** What no transaction can do: it is left out of the migration, and `buildConcurrentIndexes` does it. */
export function isConcurrent(statement: string): boolean {
  return building.test(withoutComments(statement))
}

/**
 * Builds the indexes that migrations create CONCURRENTLY, once their transaction is done: a large table is read and written
 * meanwhile. Looks at the indexes themselves, so that one that was interrupted is built again by the next start.
 *
 * @param tags the migrations, in order.
 * @param pauseMs between looks at one that another process builds.
 */
export async function buildConcurrentIndexes(
  client: Sql,
  { folder, tags, pauseMs }: { folder: string; tags: readonly string[]; pauseMs: number },
): Promise<void> {
  const statements = tags.flatMap((tag) => statementsOf(readFileSync(path.join(folder, `${tag}.sql`), 'utf8')))
  const wanted = new Map<string, string>()
  for (const statement of statements.map(withoutComments)) {
    const built = building.exec(statement)?.[1]
    if (built) wanted.set(built, statement)
    wanted.delete(dropping.exec(statement)?.[1] ?? '')
  }
  for (const [name, statement] of wanted) await build(client, { name, statement, pauseMs })
}

function withoutComments(statement: string): string {
  return statement.replace(/^\s*--.*$/gm, '').trim()
}

type Index = { name: string; statement: string; pauseMs: number }

async function build(client: Sql, { name, statement, pauseMs }: Index): Promise<void> {
  for (;;) {
    const state = await stateOf(client, name)
    if (state === 'whole') return
    if (state === 'missing') {
      log.info({ index: name }, 'building an index, while its table is in use')
      await client.unsafe(statement).catch(forgiveSecondBuilder)
    } else if (state === 'interrupted')
      await client.unsafe(`drop index concurrently if exists "${name}"`).catch(forgiveSecondBuilder)
    else await delay(pauseMs)
  }
}

/** One that another process builds just now is not whole yet either. */
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

/** 42P07: the name is taken. 40P01: both waited for each other, and PostgreSQL stopped this one. */
const secondBuilderCodes = ['42P07', '40P01']

/** Another process that starts at the same moment builds it as well: another look shows how far that is. */
function forgiveSecondBuilder(error: Error & { code?: string; constraint_name?: string }): void {
  const isSecond = secondBuilderCodes.includes(error.code ?? '')
  if (!isSecond && error.constraint_name !== 'pg_class_relname_nsp_index') throw error
}
