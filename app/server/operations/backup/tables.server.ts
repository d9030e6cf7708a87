import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openConnection } from '../../database/pool.server'

/** A table, with the names of its columns in the database. */
export type StoredTable = { name: string; columns: string[] }

/** The tables that are created again from others. An archive contains all tables except these. */
export const derivedTables: readonly string[] = [
  'catalog_counts',
  'course_search',
  'search_words',
  'search_names',
  'search_languages',
  'search_categories',
  'build_files',
]

/** Rows are read in parts of about this size. */
const partBytes = 1024 * 1024

/** Settings with which every PostgreSQL server writes rows in the same format. */
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0`

/**
 * Opens a separate connection. Closing it rolls back an uncommitted transaction.
 *
 * @param url the URL of the database itself, without a pooler
 * @param purpose names the connection in the server's list of sessions
 */
export async function openSession(url: string, purpose: string): Promise<Client> {
  const session = await openConnection(url, { application_name: `learnify ${purpose}` })
  await session.query(sessionSettings)
  return session
}

/** Lists the tables in the database, without those of extensions and without generated columns. */
export async function listTables(session: ClientBase): Promise<StoredTable[]> {
  const { rows } = await session.query<StoredTable>(
    `select
      c.relname as name,
      (
        select coalesce(json_agg(a.attname order by a.attnum), '[]')
        from pg_attribute a
        where a.attrelid = c.oid
          and a.attnum > 0
          and not a.attisdropped
          and a.attgenerated = ''
      ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname <> all($1)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`,
    [derivedTables],
  )

  return rows
}

/** Returns the time at which the newest applied migration was written. */
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
  const tables = await listTables(session)
  await session.query('begin isolation level repeatable read read only')
  // The lock comes before the first query, which takes the snapshot. A table that ALTER TABLE
  // rewrites after the snapshot would look empty in it.
  await session.query(`lock table ${tables.map(quoteTable).join(', ')} in access share mode`)
  const { rows } = await session.query<{ now: Date }>('select now()')

  return { takenAt: rows[0]?.now ?? new Date(), tables: await listTables(session) }
}

/** Reads the rows in COPY's text format, in parts of whole lines. */
export function readRows(session: ClientBase, table: StoredTable): AsyncGenerator<Buffer> {
  return readLines(
    session,
    `copy (select ${quoteNames(table.columns)} from ${quoteTable(table)}) to stdout`,
  )
}

/**
 * Reads the rows as JSON, with one object per line and with the generated columns.
 *
 * @param omittedColumns the names of columns to leave out
 */
export function readJsonLines(
  session: ClientBase,
  { name }: StoredTable,
  omittedColumns: readonly string[],
) {
  const row = `to_jsonb(r) - '{${omittedColumns.join(',')}}'::text[]`
  // JSON contains neither of these characters, so COPY does not escape anything.
  const copyFormat = String.raw`format csv, delimiter e'\x01', quote e'\x02'`

  return readLines(
    session,
    `copy (select ${row} from ${quoteTable({ name })} r) to stdout with (${copyFormat})`,
  )
}

/**
 * Yields the output of a COPY statement in parts of about `partBytes` that end with a whole line.
 */
async function* readLines(session: ClientBase, copyStatement: string): AsyncGenerator<Buffer> {
  let part: Buffer[] = []
  let size = 0
  for await (const chunk of session.query(copyTo(copyStatement)) as AsyncIterable<Buffer>) {
    part.push(chunk)
    size += chunk.length
    const lineEnd = chunk.lastIndexOf('\n') + 1
    if (size < partBytes || lineEnd === 0) {
      continue
    }

    part[part.length - 1] = chunk.subarray(0, lineEnd)
    yield Buffer.concat(part)
    part = [chunk.subarray(lineEnd)]
    size = chunk.length - lineEnd
  }

  if (size > 0) {
    yield Buffer.concat(part)
  }
}

/** @param lines whole lines in COPY's text format */
export async function writeRows(
  session: ClientBase,
  table: StoredTable,
  lines: Buffer,
): Promise<void> {
  const copyStatement = `copy ${quoteTable(table)} (${quoteNames(table.columns)}) from stdin`
  await pipeline(Readable.from([lines]), session.query(copyFrom(copyStatement)))
}

export async function countRows(session: ClientBase, table: StoredTable): Promise<number> {
  const { rows } = await session.query<{ count: string }>(
    `select count(*) from ${quoteTable(table)}`,
  )
  return Number(rows[0]?.count)
}

/** Counts rows in the format of COPY, which escapes line breaks within values. */
export function countLines(lines: Buffer): number {
  let count = 0
  let position = lines.indexOf('\n')
  while (position !== -1) {
    count += 1
    position = lines.indexOf('\n', position + 1)
  }

  return count
}

/**
 * Empties the tables and drops the foreign keys between them, so that they can be filled in any
 * order.
 *
 * @returns a function that adds the foreign keys again, which checks all of them
 */
export async function prepareForLoading(
  session: ClientBase,
  tables: readonly StoredTable[],
): Promise<() => Promise<void>> {
  const { rows: foreignKeys } = await session.query<{
    table: string
    name: string
    definition: string
  }>(`
    select
      conrelid::regclass::text as table,
      conname as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f'
      and conparentid = 0
      and connamespace = 'public'::regnamespace
    order by 1, 2`)

  for (const { table, name } of foreignKeys) {
    await session.query(`alter table ${table} drop constraint ${quoteName(name)}`)
  }

  // Migrations may have filled some tables. The tables that refuse to be emptied have no rows yet.
  const filledTables = await listFilledTables(session, tables)
  if (filledTables.length > 0) {
    await session.query(`truncate ${filledTables.map(quoteTable).join(', ')}`)
  }

  return async () => {
    for (const { table, name, definition } of foreignKeys) {
      await session.query(`alter table ${table} add constraint ${quoteName(name)} ${definition}`)
    }
  }
}

async function listFilledTables(
  session: ClientBase,
  tables: readonly StoredTable[],
): Promise<StoredTable[]> {
  const filledTables: StoredTable[] = []
  for (const table of tables) {
    const { rows } = await session.query(`select 1 from ${quoteTable(table)} limit 1`)
    if (rows.length > 0) {
      filledTables.push(table)
    }
  }

  return filledTables
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const quoteNames = (names: readonly string[]) => names.map(quoteName).join(', ')
const quoteTable = ({ name }: Pick<StoredTable, 'name'>) => `public.${quoteName(name)}`
