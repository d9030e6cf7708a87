import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openConnection } from '../../database/pool.server'

/** Columns by their names in the database. */
export type StoredTable = { name: string; columns: string[] }
/**
 * Tables that are made again from the others. An archive has every other table, without naming it
 * here.
 */
export const derivedTables: readonly string[] = [
  'catalog_counts',
  'course_search',
  'search_words',
  'search_names',
  'search_languages',
  'search_categories',
  'build_files',
]

const partBytes = 1024 * 1024

/** Rows look the same from every PostgreSQL, whatever its own settings are. */
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0`

/**
 * A separate connection for the time of the work. Closing it rolls back an uncommitted transaction.
 *
 * @param url of the database itself, without a pooler.
 * @param work the connection's name in the server's list of sessions.
 */
export async function openSession(url: string, work: string): Promise<Client> {
  const session = await openConnection(url, { application_name: `learnify ${work}` })
  await session.query(sessionSettings)
  return session
}

/**
 * The product's tables as the database has them, without those of extensions and without computed
 * columns.
 */
export async function listTables(session: ClientBase): Promise<StoredTable[]> {
  const { rows } = await session.query<StoredTable>(
    `select c.relname as name, (
      select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all($1)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`,
    [derivedTables],
  )

  return rows
}

/** The newest migration, by when it was written. */
export async function findMigration(session: ClientBase): Promise<number> {
  const { rows } = await session.query(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  )
  return Number(rows[0]?.newest)
}

/** Begins a transaction that sees all tables as they are now. */
export async function beginSnapshot(
  session: ClientBase,
): Promise<{ takenAt: Date; tables: StoredTable[] }> {
  const held = await listTables(session)
  await session.query('begin isolation level repeatable read read only')
  // Before the first query: a table that ALTER TABLE rewrites after the snapshot looks empty in it.
  await session.query(`lock table ${held.map(tableName).join(', ')} in access share mode`)
  const { rows } = await session.query<{ now: Date }>('select now()')

  return { takenAt: rows[0]?.now ?? new Date(), tables: await listTables(session) }
}

/** Every row as a line of COPY's text format, in whole lines of about a megabyte. */
export function readRows(session: ClientBase, table: StoredTable): AsyncGenerator<Buffer> {
  return readLines(
    session,
    `copy (select ${listed(table.columns)} from ${tableName(table)}) to stdout`,
  )
}

/**
 * The same as JSON, one object a line, with the computed columns.
 *
 * @param omitted names of columns.
 */
export function readJsonLines(
  session: ClientBase,
  { name }: StoredTable,
  omitted: readonly string[],
) {
  const row = `to_jsonb(r) - '{${omitted.join(',')}}'::text[]`
  // JSON has neither character, so that COPY leaves it as it is.
  const format = String.raw`format csv, delimiter e'\x01', quote e'\x02'`

  return readLines(
    session,
    `copy (select ${row} from ${tableName({ name })} r) to stdout with (${format})`,
  )
}

async function* readLines(session: ClientBase, copy: string): AsyncGenerator<Buffer> {
  let part: Buffer[] = []
  let size = 0
  for await (const chunk of session.query(copyTo(copy)) as AsyncIterable<Buffer>) {
    part.push(chunk)
    size += chunk.length
    const end = size >= partBytes ? chunk.lastIndexOf('\n') + 1 : 0
    if (end === 0) {
      continue
    }

    part[part.length - 1] = chunk.subarray(0, end)
    yield Buffer.concat(part)
    part = [chunk.subarray(end)]
    size = chunk.length - end
  }

  if (size > 0) {
    yield Buffer.concat(part)
  }
}

export async function writeRows(
  session: ClientBase,
  table: StoredTable,
  lines: Buffer,
): Promise<void> {
  const copy = `copy ${tableName(table)} (${listed(table.columns)}) from stdin`
  await pipeline(Readable.from([lines]), session.query(copyFrom(copy)))
}

export async function countRows(session: ClientBase, table: StoredTable): Promise<number> {
  const { rows } = await session.query<{ count: string }>(
    `select count(*) from ${tableName(table)}`,
  )
  return Number(rows[0]?.count)
}

/** @param lines rows as `COPY` writes them: a newline within a value is escaped. */
export function countLines(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) {
    count += 1
  }

  return count
}

/**
 * Empties the tables and drops the references between them, so that they can be filled in any
 * order.
 *
 * @returns puts the references back, which checks all of them.
 */
export async function openForLoading(
  session: ClientBase,
  tables: readonly StoredTable[],
): Promise<() => Promise<void>> {
  const { rows: references } = await session.query<{
    table: string
    name: string
    definition: string
  }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`)

  for (const { table, name } of references) {
    await session.query(`alter table ${table} drop constraint ${quoted(name)}`)
  }

  // Migrations may have filled some tables. The tables that refuse to be emptied have no rows yet.
  const filledTables = await listFilledTables(session, tables)
  if (filledTables.length > 0) {
    await session.query(`truncate ${filledTables.map(tableName).join(', ')}`)
  }

  return async () => {
    for (const { table, name, definition } of references) {
      await session.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
  }
}

async function listFilledTables(
  session: ClientBase,
  tables: readonly StoredTable[],
): Promise<StoredTable[]> {
  const filledTables: StoredTable[] = []
  for (const table of tables) {
    const { rows } = await session.query(`select 1 from ${tableName(table)} limit 1`)
    if (rows.length > 0) {
      filledTables.push(table)
    }
  }

  return filledTables
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listed = (names: readonly string[]) => names.map(quoted).join(', ')
const tableName = ({ name }: Pick<StoredTable, 'name'>) => `public.${quoted(name)}`
