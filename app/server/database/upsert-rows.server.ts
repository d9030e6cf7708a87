/**
 * Inserts or updates many rows of a table by their primary keys, thousands in one statement. The
 * rows are sent as JSON. A row that already has the same values is not written again. For
 * testimonials, a statement looks like this:
 *
 *   insert into testimonials (position, name) select position, name from
 *   jsonb_populate_recordset(null::testimonials, '[{"position": 0, ...}]') on conflict (position)
 *   do update set (name) = row(excluded.name) where (testimonials.name) is distinct from
 *   (excluded.name)
 */
import { type InferInsertModel, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Statements } from './client.server'

/**
 * The number of characters of JSON at which a statement is sent. It is large enough for a low
 * overhead, and small enough for the memory of any server.
 */
const minBatchCharacters = 4_000_000

/**
 * Upserts rows that have different primary keys. The table needs another column besides its key.
 * Values are stored as JSON writes them, without Drizzle's own conversions.
 *
 * @param rows all have the same properties: NULL is stored for a property that only other rows
 *   have. A column that no row has keeps its default.
 */
export async function upsertRows<Table extends PgTable>(
  transaction: Pick<Statements, 'execute'>,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<void> {
  const usedColumns = findUsedColumns(table, rows)
  const jsonRows = rows.map((row) => toJsonRow(row, usedColumns))
  const columnNames = usedColumns.map(({ column }) => column.name)

  for (const batch of splitIntoBatches(jsonRows)) {
    await transaction.execute(createUpsert(table, columnNames, `[${batch.join(',')}]`))
  }
}

/** A column, and the name that it has in the rows. */
type UsedColumn = { property: string; column: PgColumn }

function findUsedColumns(table: PgTable, rows: readonly object[]): UsedColumn[] {
  return Object.entries(table)
    .filter(([property]) => rows.some((row) => property in row))
    .map(([property, column]) => ({ property, column }))
}

function toJsonRow(row: object, usedColumns: readonly UsedColumn[]): string {
  const values = row as Partial<Record<string, unknown>>
  const entries = usedColumns.map(({ property, column }) => [column.name, values[property] ?? null])

  return JSON.stringify(Object.fromEntries(entries))
}

/** Splits rows into batches. Each batch but the last has at least `minBatchCharacters`. */
function* splitIntoBatches(jsonRows: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let characters = 0

  for (const jsonRow of jsonRows) {
    batch.push(jsonRow)
    characters += jsonRow.length

    if (characters >= minBatchCharacters) {
      yield batch
      batch = []
      characters = 0
    }
  }

  if (batch.length > 0) {
    yield batch
  }
}

function createUpsert(table: PgTable, columnNames: readonly string[], json: string): SQL {
  const { name: tableName } = getTableConfig(table)
  const keyNames = findKeyNames(table)
  const otherNames = columnNames.filter((name) => !keyNames.includes(name))

  // The JSON is sent as text, because the driver would encode a `jsonb` value once more.
  return sql`
    insert into ${table} (${listColumns(columnNames)})
    select ${listColumns(columnNames)}
    from jsonb_populate_recordset(null::${table}, ${json}::text::jsonb)
    on conflict (${listColumns(keyNames)}) do update
      set (${listColumns(otherNames)}) = row(${listColumns(otherNames, 'excluded')})
      where (${listColumns(otherNames, tableName)})
        is distinct from (${listColumns(otherNames, 'excluded')})`
}

/** Returns the columns of a composite key, or the one key column. */
function findKeyNames(table: PgTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)

  return keyColumns.map(({ name }) => name)
}

/** Returns quoted column names, such as `"id", "title"` or `"courses"."id", "courses"."title"`. */
function listColumns(names: readonly string[], tableName?: string): SQL {
  const prefix = tableName === undefined ? '' : `"${tableName}".`
  return sql.raw(names.map((name) => `${prefix}"${name}"`).join(', '))
}
