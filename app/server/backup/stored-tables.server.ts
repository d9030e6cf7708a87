import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Sql } from 'postgres'
import { StartError } from '../env.server'
import { isSameTally, Tally, type TallyResult } from './tally.server'

/** A connection, or a transaction of it. */
export type Query = Pick<Sql, 'unsafe'>
/** Columns by their names in the database, those that it computes by itself left out. */
export type StoredTable = { name: string; columns: string[] }
/** A counter and the last number that it gave. */
export type StoredSequence = { name: string; lastValue: string }

/** What can be made again from the rest, with who does it. Every other table is in an archive, without being named. */
export const derivedTables: Readonly<Record<string, string>> = {
  course_search: 'what searches know of the courses, written at the next start',
  search_words: 'the same',
  search_names: 'the same',
  search_languages: 'the same',
  build_files: 'scripts and styles of this build, stored at the next start',
}

const partBytes = 1024 * 1024

/** The product's tables as the database has them, without what an extension made. */
export async function listTables(sql: Query): Promise<StoredTable[]> {
  const tables = await sql.unsafe<StoredTable[]>(`
    select c.relname as name, (
      select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  return tables.filter(({ name }) => !Object.hasOwn(derivedTables, name))
}

export async function listSequences(sql: Query): Promise<StoredSequence[]> {
  return sql.unsafe<StoredSequence[]>(`
    select sequencename as name, last_value::text as "lastValue"
    from pg_sequences where schemaname = 'public' and last_value is not null order by 1`)
}

/** Every row as a line of `COPY`'s text format, in whole lines of about a megabyte. */
export function readRows(sql: Query, { name, columns }: StoredTable): AsyncGenerator<Buffer> {
  return readLines(sql, `copy (select ${listed(columns)} from public.${quoted(name)}) to stdout`)
}

/** The same as JSON, one object a line, with the columns' names. */
export function readJsonLines(sql: Query, { name, columns }: StoredTable): AsyncGenerator<Buffer> {
  // No letter of JSON has a meaning then, and it comes out as it is.
  const asItIs = String.raw`format csv, delimiter e'\x01', quote e'\x02'`
  const rows = `select ${listed(columns)} from public.${quoted(name)}`
  return readLines(sql, `copy (select row_to_json(r) from (${rows}) r) to stdout with (${asItIs})`)
}

async function* readLines(sql: Query, copy: string): AsyncGenerator<Buffer> {
  const rows: Readable = await sql.unsafe(copy).readable()
  let part: Buffer[] = []
  let size = 0
  for await (const row of rows as AsyncIterable<Buffer>) {
    part.push(row)
    size += row.length
    if (size >= partBytes && row.at(-1) === 0x0a) {
      yield Buffer.concat(part)
      part = []
      size = 0
    }
  }
  // postgres.js may have stopped listening with the last row, and goes on only for a reader.
  rows._read(0)
  if (size > 0) yield Buffer.concat(part)
}

export async function tallyRows(sql: Query, table: StoredTable): Promise<TallyResult> {
  const tally = new Tally()
  for await (const part of readRows(sql, table)) tally.write(part)
  return tally.result()
}

/**
 * Takes the rows of one table, piece by piece.
 *
 * @throws {StartError} if PostgreSQL refuses them.
 */
export async function openTableWriter(sql: Query, { name, columns }: StoredTable) {
  const rows: Writable = await sql.unsafe(`copy public.${quoted(name)} (${listed(columns)}) from stdin`).writable()
  const refuse = (error: Error): never => {
    throw new StartError(`PostgreSQL refused rows of the table ${name}: ${error.message}`)
  }
  const failed = once(rows, 'close').then(() => {
    if (rows.errored) refuse(rows.errored)
  })
  failed.catch(() => {})
  return {
    async write(part: Uint8Array): Promise<void> {
      if (!rows.write(part)) await Promise.race([once(rows, 'drain'), failed])
    },
    async end(): Promise<void> {
      // postgres.js keeps silent if the server refuses the rows at their end; only the next statement hears of it.
      const sent = whenFinal(rows)
      rows.end()
      await Promise.race([sent, failed])
      await sql.unsafe('select 1').catch(refuse)
    },
  }
}

/** When all of it is on its way to the server, which may not have answered. */
function whenFinal(stream: Writable): Promise<void> {
  const final = stream._final
  return new Promise((resolve) => {
    stream._final = (callback) => {
      final.call(stream, callback)
      resolve()
    }
  })
}

/**
 * Empties the tables and takes away what refers from one to another, so that they can be filled in any order.
 *
 * @returns puts it back, which checks all references at once.
 */
export async function openForLoading(sql: Query, tables: readonly StoredTable[]): Promise<() => Promise<void>> {
  const references = await sql.unsafe<{ table: string; name: string; definition: string }[]>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`)
  const names = tables.map(({ name }) => `public.${quoted(name)}`)
  for (const { table, name } of references) await sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`)
  for (const name of names) await sql.unsafe(`alter table ${name} disable trigger user`)
  // Migrations may have put rows into them.
  if (names.length > 0) await sql.unsafe(`truncate ${names.join(', ')}`)
  return async () => {
    for (const name of names) await sql.unsafe(`alter table ${name} enable trigger user`)
    for (const { table, name, definition } of references) {
      await sql.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
  }
}

export async function setSequences(sql: Query, sequences: readonly StoredSequence[]): Promise<void> {
  for (const { name, lastValue } of sequences) {
    await sql.unsafe('select setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, lastValue])
  }
}

/** @throws {StartError} naming the first table whose rows aren't those of the archive. */
export async function requireSameRows(
  sql: Query,
  table: StoredTable,
  expected: TallyResult | undefined,
): Promise<void> {
  if (isSameTally(await tallyRows(sql, table), expected)) return
  throw new StartError(`The table ${table.name} isn’t what the archive has. Nothing was restored.`)
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const listed = (columns: readonly string[]) => columns.map(quoted).join(', ')
