import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '~/server/env.server'
import { rowsAtOnce, withoutFormulaGuard } from '~/server/operations/csv.server'
import { formatNumber } from '~/ui/format-count'

const longestHeader = 100_000
/** Fits the memory of a small server. */
const mostLines = 200_000
const mostColumns = 1_000
const bytesAtOnce = 65_536

/** `fields` has values by column name, without empty ones at the end of the line. */
export type CsvLine = { line: number; fields: Record<string, string> }

/**
 * Reads a table whose first line names the columns. Accepts the variants that spreadsheets write:
 * commas, semicolons, tabs or bars between fields, any line ends, a first line like `sep=;`, and
 * empty fields at the end of lines.
 *
 * @param file its name, for messages.
 * @returns the lines with their numbers in the file. Column names are like `first_name`.
 * @throws {StartError} for a file that isn't a table.
 */
export async function readCsv(
  file: string,
  bytes: Buffer,
): Promise<{ columns: string[]; lines: CsvLine[] }> {
  const text = textOf(file, bytes)
  if (text.length > longestHeader && !/[\r\n]/.test(text.slice(0, longestHeader))) {
    throw new StartError(
      `${file} isn’t a table: its first line has more than ${longestHeader} characters.`,
    )
  }

  const [separatorLine = '', named] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(text) ?? []
  const [head, ...rows] = await parseRows(
    file,
    text,
    named ?? separatorOf(text.slice(separatorLine.length)),
    separatorLine ? 2 : 1,
  )
  const names = (head?.record ?? []).map(columnName)
  const width = names.findLastIndex((name) => name !== '') + 1
  const columns = names.slice(0, width)
  if (width > mostColumns) {
    throw new StartError(`${file} has more than ${formatNumber(mostColumns)} columns.`)
  }

  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) < index)
  if (twice) {
    throw new StartError(`${file} has the column ${twice} twice.`)
  }

  const lines = rows.map(({ info, record }) => {
    const line = lineOf(info.lines, record)
    const filled = record.findLastIndex((field) => field !== '') + 1
    if (filled > width) {
      throw new StartError(`${file} isn’t valid CSV. ${tooManyFields(line, filled, width)}`)
    }

    const fields = columns.slice(0, filled).map((name, index) => [name, record[index] ?? ''])

    return { line, fields: unguarded(Object.fromEntries(fields)) }
  })

  return { columns: columns.filter((name) => name !== ''), lines }
}

type Row = { info: { lines: number }; record: string[] }

async function parseRows(
  file: string,
  text: string,
  delimiter: string,
  fromLine: number,
): Promise<Row[]> {
  const parser = parse({
    delimiter,
    from_line: fromLine,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_records_with_empty_values: true,
    trim: true,
  })
  const rows: Row[] = []
  try {
    for await (const row of Readable.from(partsOf(text)).pipe(parser)) {
      rows.push(row)
      // The first line is the header.
      if (rows.length > mostLines + 1) {
        throw new StartError(
          `${file} has more than ${formatNumber(mostLines)} lines. Split it into several files.`,
        )
      }

      if (rows.length % rowsAtOnce === 0) {
        await setImmediate()
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error
    }

    throw new StartError(`${file} isn’t valid CSV. ${csvProblem(error)}`)
  }

  return rows
}

/** Cuts bytes rather than text, where a cut could fall between the two halves of a character. */
function* partsOf(text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    yield bytes.subarray(at, at + bytesAtOnce)
  }
}

/** The most frequent separator in the header line, outside of quotes. */
function separatorOf(text: string): string {
  const head = /^\s*((?:"[^"]*"|[^\r\n"])*)/.exec(text)?.[1]?.replaceAll(/"[^"]*"/g, '') ?? ''
  const counts = [',', ';', '\t', '|'].map((separator) => ({
    separator,
    count: head.split(separator).length,
  }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator
}

/** Turns 'First Name [Required]' into `first_name`. */
function columnName(written: string): string {
  return written
    .toLowerCase()
    .replace(/\[[^\]]*\]|\*/g, '')
    .trim()
    .replace(/[\s-]+/g, '_')
}

function tooManyFields(line: number, fields: number, names: number): string {
  return `Line ${line} has ${fields} fields, but the first line names only ${names}. Put quotes around a field that contains a separator, like "Hopper, PhD".`
}

/** Explains common mistakes of hand-edited files. */
function csvProblem({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A quotation mark (") opens a field, but none closes it. Inside a field, write it twice ("").'
  }

  return message
}

/** The line where a record begins. Fields may contain line breaks. */
function lineOf(last: number, record: readonly string[]): number {
  return last - record.reduce((sum, field) => sum + field.split(/\r\n|\r|\n/).length - 1, 0)
}

/** @throws {StartError} */
function textOf(file: string, bytes: Buffer): string {
  const kind = kindOf(bytes)
  if (kind) {
    throw new StartError(`${file} is ${kind}, not text. In a spreadsheet, save it as “CSV UTF-8”.`)
  }

  // Excel's format 'Unicode text'.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const text = decoded(encoding, bytes)
  // PostgreSQL can't store NUL in text.
  if (text === null || text.includes('\0')) {
    throw new StartError(`${file} isn’t UTF-8. In a spreadsheet, save it as “CSV UTF-8”.`)
  }

  return text
}

function decoded(encoding: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Recognizes other file types by their first bytes. */
function kindOf(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 100).toString('latin1')
  if (start.startsWith('PK\x03\x04') || start.startsWith('\xd0\xcf\x11\xe0')) {
    return 'a workbook'
  }

  if (start.startsWith('%PDF')) {
    return 'a PDF'
  }

  return /^\s*<(!doctype|html|\?xml|table)/i.test(start) ? 'a web page' : null
}

function unguarded(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, withoutFormulaGuard(value)]),
  )
}
