import { type InferInsertModel, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Statements } from './client.server'

/**
 * Size of one statement's JSON: large enough for a low overhead, small enough for any server's
 * memory.
 */
const lettersAtOnce = 4_000_000

/**
 * Stores rows under their primary keys, thousands by one statement. A row that is stored already
 * with the same values is not written again.
 */
export async function upsertRows<Table extends PgTable>(
  transaction: Pick<Statements, 'execute'>,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<void> {
  const { name, columns, primaryKeys } = getTableConfig(table)
  const properties = Object.entries(table).filter(([property]) =>
    rows.some((row) => property in row),
  )
  const texts = rows.map((row) =>
    JSON.stringify(
      Object.fromEntries(
        properties.map(([property, column]) => [
          column.name,
          (row as Record<string, unknown>)[property] ?? null,
        ]),
      ),
    ),
  )
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const isKey = new Set(key.map((column) => column.name))
  const names = properties.map(([, column]) => column.name as string)
  const others = names.filter((column) => !isKey.has(column))
  const listed = (from: readonly string[], of = '') =>
    sql.raw(from.map((column) => `${of}"${column}"`).join(', '))
  for (const part of chunk(texts, (text) => text.length, lettersAtOnce)) {
    await transaction.execute(sql`
      insert into ${table} (${listed(names)})
      select ${listed(names)} from jsonb_populate_recordset(null::${table}, ${`[${part.join()}]`}::text::jsonb)
      on conflict (${listed([...isKey])}) do update set (${listed(others)}) = row(${listed(others, 'excluded.')})
      where (${listed(others, `"${name}".`)}) is distinct from (${listed(others, 'excluded.')})`)
  }
}

/** Chunks whose sizes by `sizeOf` sum up to at least `size`; only the last may have less. */
function* chunk<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  size: number,
): Generator<Item[]> {
  let part: Item[] = []
  let partSize = 0
  for (const item of items) {
    part.push(item)
    partSize += sizeOf(item)
    if (partSize < size) {
      continue
    }

    yield part
    part = []
    partSize = 0
  }

  if (part.length > 0) {
    yield part
  }
}
