/**
 * Reads a learner's rows of a table in batches, so that an archive of any size needs little memory.
 */
import { getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { OwnDataTable } from './own-data-tables.server'

export type Row = Record<string, unknown>
const rowsPerFetch = 500

/**
 * Yields a learner's rows of one table in batches. New columns of a table are included
 * automatically, unless they are listed as secrets.
 *
 * @param snapshot the transaction to read in; it can read only one table at a time
 * @param toArchiveRow returns the row as the archive contains it
 */
export async function* readRows(
  snapshot: Pick<Database, 'execute'>,
  {
    table,
    owner,
    secrets = [],
    derived = [],
    fileNames = {},
    condition,
    extraValues = {},
  }: OwnDataTable,
  uid: string,
  toArchiveRow: (row: Row) => Row,
): AsyncGenerator<Row[]> {
  const omittedColumns = [...secrets, ...derived]
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name]) => !omittedColumns.includes(name),
  )
  const selectedColumns = columns.map(([, column]) => sql.identifier(column.name))
  const selectedValues = Object.entries(extraValues).map(
    ([name, value]) => sql`${value} as ${sql.identifier(name)}`,
  )

  function parseRow(databaseRow: Row): Row {
    const row: Row = {}
    for (const [name, column] of columns) {
      const value = databaseRow[column.name]
      row[fileNames[name] ?? name] = value === null ? null : column.mapFromDriverValue(value)
    }

    for (const name of Object.keys(extraValues)) {
      row[name] = databaseRow[name]
    }

    return row
  }

  await snapshot.execute(sql`
    declare own_rows no scroll cursor for
    select ${sql.join([...selectedColumns, ...selectedValues], sql`, `)}
    from ${table}
    where ${condition?.(uid) ?? sql`${owner} = ${uid}`}`)

  let hasMoreRows = true
  while (hasMoreRows) {
    const { rows } = await snapshot.execute(
      sql`fetch ${sql.raw(String(rowsPerFetch))} from own_rows`,
    )
    hasMoreRows = rows.length === rowsPerFetch
    if (rows.length > 0) {
      yield rows.map((row) => toArchiveRow(parseRow(row)))
    }
  }

  await snapshot.execute(sql`close own_rows`)
}

/** Yields the text of one JSON array with all rows, indented by two spaces. */
export async function* formatJsonArray(batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let isFirstBatch = true
  for await (const rows of batches) {
    if (rows.length === 0) {
      continue
    }

    const json = JSON.stringify(rows, null, 2)
    const items = json.slice('['.length, -'\n]'.length)
    yield `${isFirstBatch ? '[' : ','}${items}`
    isFirstBatch = false
  }

  yield isFirstBatch ? '[]\n' : '\n]\n'
}
