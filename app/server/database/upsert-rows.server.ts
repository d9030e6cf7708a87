import { type InferInsertModel, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Statements } from './client.server'

/**
 * The length of the JSON in one statement. It is large enough for a low overhead, and small enough for
 * the memory of any server.
 */
const batchLength = 4_000_000

/**
 * Inserts or updates rows by their primary keys, thousands in one statement. A row that already has the
 * same values is not written again.
 */
export async function upsertRows<Table extends PgTable>(
  transaction: Pick<Statements, 'execute'>,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<void> {
  const { name, columns, primaryKeys } = getTableConfig(table)
  // Columns that no row has keep their defaults.
  const properties = Object.entries(table).filter(([property]) =>
    rows.some((row) => property in row),
  )
  const jsonRows = rows.map((row) => {
    const values = properties.map(([property, column]) => [
      column.name,
      (row as Record<string, unknown>)[property] ?? null,
    ])
    return JSON.stringify(Object.fromEntries(values))
  })

  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  const keyNames = new Set(keyColumns.map((column) => column.name))
  const allNames = properties.map(([, column]) => column.name as string)
  const otherNames = allNames.filter((column) => !keyNames.has(column))
  const joinColumns = (names: readonly string[], prefix = '') =>
    sql.raw(names.map((column) => `${prefix}"${column}"`).join(', '))

  for (const batch of splitIntoBatches(jsonRows, batchLength)) {
    const json = `[${batch.join()}]`
    await transaction.execute(sql`
      insert into ${table} (${joinColumns(allNames)})
      select ${joinColumns(allNames)}
      from jsonb_populate_recordset(null::${table}, ${json}::text::jsonb)
      on conflict (${joinColumns([...keyNames])}) do update
        set (${joinColumns(otherNames)}) = row(${joinColumns(otherNames, 'excluded.')})
        where (${joinColumns(otherNames, `"${name}".`)})
          is distinct from (${joinColumns(otherNames, 'excluded.')})`)
  }
}

/** Splits texts into batches of at least `minLength` characters. The last batch may be shorter. */
function* splitIntoBatches(texts: Iterable<string>, minLength: number): Generator<string[]> {
  let batch: string[] = []
  let length = 0
  for (const text of texts) {
    batch.push(text)
    length += text.length
    if (length < minLength) {
      continue
    }

    yield batch
    batch = []
    length = 0
  }

  if (batch.length > 0) {
    yield batch
  }
}
