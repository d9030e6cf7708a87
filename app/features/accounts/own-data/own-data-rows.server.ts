import { getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { OwnDataTable } from './own-data-tables.server'

export type Row = Record<string, unknown>
const rowsAtOnce = 500

/**
 * A learner's rows of one table, in parts. New columns are included automatically, unless they are secrets.
 *
 * @param snapshot a transaction; it reads one table at a time.
 * @param shown what the archive shows of a row.
 */
export async function* readRows(
  snapshot: Pick<Database, 'execute'>,
  { table, owner, secrets = [], derived = [] }: OwnDataTable,
  uid: string,
  shown: (row: Row) => Row,
): AsyncGenerator<Row[]> {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => ![...secrets, ...derived].includes(name))
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  )
  const read = ([name, column]: (typeof columns)[number], value: unknown) => [
    name,
    value === null ? null : column.mapFromDriverValue(value),
  ]
  await snapshot.execute(
    sql`declare own_rows no scroll cursor for select ${names} from ${table} where ${owner} = ${uid}`,
  )
  for (let isMore = true; isMore; ) {
    const { rows } = await snapshot.execute(sql`fetch ${sql.raw(String(rowsAtOnce))} from own_rows`)
    isMore = rows.length === rowsAtOnce
    const readRow = (row: Row) => Object.fromEntries(columns.map((entry) => read(entry, row[entry[1].name])))
    if (rows.length > 0) yield rows.map((row) => shown(readRow(row)))
  }
  await snapshot.execute(sql`close own_rows`)
}

/** One JSON list of all rows, two spaces deep. */
export async function* jsonList(parts: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of parts) {
    if (rows.length === 0) continue
    yield `${isFirst ? '[' : ','}${JSON.stringify(rows, null, 2).slice('['.length, -'\n]'.length)}`
    isFirst = false
  }
  yield isFirst ? '[]\n' : '\n]\n'
}
