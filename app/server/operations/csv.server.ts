import { type Stringifier, stringify } from 'csv-stringify'

/** A number with a fixed count of decimals, such as '-89.00', which is not taken for a formula. */
export type CsvDecimal = { decimal: string }

type CsvValue = string | number | boolean | Date | CsvDecimal | null
export type CsvRow = Record<string, CsvValue>

/** The columns of a table. Each name has the function that returns the value of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>

/** Long tables are read and written in batches of this many rows. */
export const csvBatchRows = 1_000

/**
 * Matches the beginnings that spreadsheets read as formulas, even in quotes. A spreadsheet that
 * takes another character as the separator also finds such a beginning inside a field.
 */
const formulaStart = /(^|[,;\t\r\n])(?="*[=+\-@\t\r＝＋－＠])/g
const escapedFormulaStart = /(^|[,;\t\r\n])'(?="*[=+\-@\t\r＝＋－＠])/g

/** Removes the apostrophes with which `createCsvStream` escapes formulas. */
export function unescapeFormulas(value: string): string {
  return value.replace(escapedFormulaStart, '$1')
}

type CsvFormat = {
  /** Whether the text begins with a byte order mark, which spreadsheets need for UTF-8. */
  bom: boolean
  /** The character between fields. */
  separator: string
}

/**
 * Returns a stream that turns rows into CSV text. Beginnings of formulas get an apostrophe, so that
 * a spreadsheet does not run them.
 */
export function createCsvStream(
  columns: readonly string[],
  { bom, separator }: CsvFormat,
): Stringifier {
  return stringify({
    delimiter: separator,
    header: true,
    bom,
    columns: [...columns],
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: {
      boolean: (value) => (value ? 'yes' : 'no'),
      date: (value) => value.toISOString(),
      object: (value) => String(value.decimal),
      string: (value) => value.replace(formulaStart, "$1'"),
    },
  })
}

/** Returns the rows of a table one by one. */
export async function* toCsvRows<Row>(
  columns: CsvColumns<Row>,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<CsvRow> {
  const columnEntries = Object.entries(columns)
  for await (const rows of batches) {
    for (const row of rows) {
      yield Object.fromEntries(columnEntries.map(([name, getValue]) => [name, getValue(row)]))
    }
  }
}
