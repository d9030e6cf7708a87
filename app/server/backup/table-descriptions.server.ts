import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../database/schema'
import type { Query } from './stored-tables.server'

type DescribedColumn = { name: string; type: string; required: boolean; meaning: string }
export type DescribedTable = { name: string; meaning: string; columns: DescribedColumn[]; references: string[] }

const sources: Record<string, string> = import.meta.glob('../database/schema/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const schemaText = Object.values(sources).join('\n')
const docstring = String.raw`\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*`

/** What the schema's docstrings say of the tables of the database, in the order of their names. */
export async function describeTables(sql: Query): Promise<DescribedTable[]> {
  const columns = await sql.unsafe<(Omit<DescribedColumn, 'meaning'> & { table: string })[]>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`)
  const references = await sql.unsafe<{ table: string; definition: string }[]>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`)
  const meanings = readMeanings()
  return [...new Set(columns.map(({ table }) => table))].map((name) => ({
    name,
    meaning: meanings.get(name) ?? '',
    columns: columns
      .filter(({ table }) => table === name)
      .map(({ table: _, ...column }) => ({ ...column, meaning: meanings.get(`${name}.${column.name}`) ?? '' })),
    references: references
      .filter(({ table }) => table === name)
      .map(({ definition }) => definition.replace(/^FOREIGN KEY (\(.*?\)) REFERENCES (.*?\)).*$/, '$1 is $2')),
  }))
}

/** By `table` and `table.column`, as the database calls them. */
export function readMeanings(): Map<string, string> {
  const meanings = new Map<string, string>()
  for (const [key, table] of Object.entries(schema)) {
    if (!is(table, PgTable)) continue
    const { name } = getTableConfig(table)
    const [found, text = ''] = new RegExp(`(?:${docstring})?export const ${key} = pgTable\\(`).exec(schemaText) ?? []
    if (!found) continue
    meanings.set(name, plain(text))
    const from = schemaText.indexOf(found) + found.length
    const own = schemaText.slice(from, schemaText.indexOf('\nexport ', from))
    for (const [property, column] of Object.entries(getTableColumns(table))) {
      const [, meaning = ''] = new RegExp(`${docstring}${property}:`).exec(own) ?? []
      meanings.set(`${name}.${column.name}`, plain(meaning))
    }
  }
  return meanings
}

function plain(comment: string): string {
  return comment
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}
