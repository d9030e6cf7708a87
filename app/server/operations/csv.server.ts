import { type Stringifier, stringify } from 'csv-stringify'

type CsvValue = string | number | boolean | Date | null
export type CsvRow = Record<string, CsvValue>

/** The value of each column, by its name. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>

/** How many rows a part of a table has at most. */
export const rowsAtOnce = 1_000

/**
 * Spreadsheets read these beginnings as formulas, also in quotes; with semicolons as separators,
 * also inside a field.
 */
const formula = /(^|[;\t\r\n])(?="*[=+\-@\t\r＝＋－＠])/g
const guardedFormula = /(^|[;\t\r\n])'(?="*[=+\-@\t\r＝＋－＠])/g

/** Undoes the formula escaping of `csvText`. */
export function withoutFormulaGuard(value: string): string {
  return value.replace(guardedFormula, '$1')
}

/**
 * Turns rows into the text of a table that a spreadsheet opens and reads no formula from.
 *
 * @param bom the byte order mark that spreadsheets need for UTF-8.
 */
export function csvText(columns: readonly string[], { bom }: { bom: boolean }): Stringifier {
  return stringify({
    header: true,
    bom,
    columns: [...columns],
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: {
      boolean: (value) => (value ? 'yes' : 'no'),
      date: (value) => value.toISOString(),
      string: (value) => value.replace(formula, "$1'"),
    },
  })
}

/** The rows of a table, one by one, from its parts. */
export async function* csvRows<Row>(
  columns: CsvColumns<Row>,
  parts: AsyncIterable<Row[]>,
): AsyncGenerator<CsvRow> {
  const values = Object.entries(columns)
  for await (const rows of parts) {
    for (const row of rows) {
      yield Object.fromEntries(values.map(([name, read]) => [name, read(row)]))
    }
  }
}
