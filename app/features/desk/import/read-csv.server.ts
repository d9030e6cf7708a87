/** Reads a table from a CSV file, in the variants that spreadsheets write. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { csvBatchRows, unescapeFormulas } from '~/server/operations/csv.server'
import { failure, type Result, success } from '~/server/result'
import { formatNumber } from '~/ui/format-count'

const maxHeaderLength = 100_000
/** More lines would not fit the memory of a small server. */
const maxLines = 200_000
const maxColumns = 1_000
const chunkBytes = 65_536

export type CsvLine = {
  /** The number of the line in the file. */
  line: number
  /** The values by column name. Empty values at the end of the line are left out. */
  fields: ReadonlyMap<string, string>
}

export type CsvTable = {
  /** The names of the columns, in a form like `first_name`. */
  columns: string[]
  lines: CsvLine[]
}

/**
 * Reads a table whose first line names the columns. Fails if the file isn't such a table.
 *
 * It accepts the variants that spreadsheets write: commas, semicolons, tabs or bars between fields,
 * any line ends, a first line like `sep=;`, and empty fields at the end of lines.
 *
 * @param file the name of the file, for messages
 */
export async function readCsv(file: string, bytes: Buffer): Promise<Result<CsvTable>> {
  const decoded = decodeText(file, bytes)
  if (!decoded.ok) {
    return decoded
  }

  const text = decoded.value
  const hasLongHeader =
    text.length > maxHeaderLength && !/[\r\n]/.test(text.slice(0, maxHeaderLength))
  if (hasLongHeader) {
    return failure(
      `${file} isn’t a table: its first line has more than ${maxHeaderLength} characters.`,
    )
  }

  const parsed = await parseRows(file, text)
  if (!parsed.ok) {
    return parsed
  }

  const [header, ...rows] = parsed.value
  const columns = readColumns(file, header)
  if (!columns.ok) {
    return columns
  }

  const lines = readLines(file, rows, columns.value)
  if (!lines.ok) {
    return lines
  }

  const namedColumns = columns.value.filter((name) => name !== '')
  return success({ columns: namedColumns, lines: lines.value })
}

/** Returns the column names of the header. A column in the middle may have no name. */
function readColumns(file: string, header: Row | undefined): Result<string[]> {
  const names = (header?.record ?? []).map(normalizeColumnName)
  const width = names.findLastIndex((name) => name !== '') + 1
  if (width > maxColumns) {
    return failure(`${file} has more than ${formatNumber(maxColumns)} columns.`)
  }

  const columns = names.slice(0, width)
  const repeatedName = columns.find((name, index) => name !== '' && columns.indexOf(name) < index)
  if (repeatedName) {
    return failure(`${file} has the column ${repeatedName} twice.`)
  }

  return success(columns)
}

function readLines(
  file: string,
  rows: readonly Row[],
  columns: readonly string[],
): Result<CsvLine[]> {
  const lines: CsvLine[] = []
  for (const { info, record } of rows) {
    const line = getFirstLineNumber(info.lines, record)
    const fieldCount = record.findLastIndex((field) => field !== '') + 1
    if (fieldCount > columns.length) {
      return failure(
        `${file} isn’t valid CSV. ${describeExtraFields(line, fieldCount, columns.length)}`,
      )
    }

    const fields = new Map<string, string>()
    for (const [index, name] of columns.slice(0, fieldCount).entries()) {
      // Exported tables have apostrophes that keep spreadsheets from running formulas.
      fields.set(name, unescapeFormulas(record[index] ?? ''))
    }

    lines.push({ line, fields })
  }

  return success(lines)
}

/** A row as csv-parse reports it. `info.lines` is the number of the row's last line. */
type Row = { info: { lines: number }; record: string[] }

async function parseRows(file: string, text: string): Promise<Result<Row[]>> {
  // Excel writes and reads a first line that names the separator.
  const [separatorLine = '', namedSeparator] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(text) ?? []
  const parser = parse({
    delimiter: namedSeparator ?? findSeparator(text.slice(separatorLine.length)),
    from_line: separatorLine ? 2 : 1,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_records_with_empty_values: true,
    trim: true,
  })

  const rows: Row[] = []
  try {
    for await (const row of Readable.from(splitIntoChunks(text)).pipe(parser)) {
      rows.push(row)
      // The first row is the header.
      if (rows.length > maxLines + 1) {
        return failure(
          `${file} has more than ${formatNumber(maxLines)} lines. Split it into several files.`,
        )
      }

      // Lets other requests run in between.
      if (rows.length % csvBatchRows === 0) {
        await setImmediate()
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error
    }

    return failure(`${file} isn’t valid CSV. ${describeCsvError(error)}`)
  }

  return success(rows)
}

/**
 * Splits the bytes of the text. A chunk of the text itself could end between the two halves of a
 * character.
 */
function* splitIntoChunks(text: string) {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes)
  }
}

/** Returns the most frequent separator in the header line, outside of quotes. */
function findSeparator(text: string): string {
  const [, headerLine = ''] = /^\s*((?:"[^"]*"|[^\r\n"])*)/.exec(text) ?? []
  const header = headerLine.replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((separator) => ({
    separator,
    count: header.split(separator).length,
  }))

  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator
}

/** Turns 'First Name [Required]' into `first_name`. */
function normalizeColumnName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\[[^\]]*\]|\*/g, '')
    .trim()
    .replace(/[\s-]+/g, '_')
}

function describeExtraFields(line: number, fieldCount: number, columnCount: number): string {
  return `Line ${line} has ${fieldCount} fields, but the first line names only ${columnCount}. Put quotes around a field that contains a separator, like "Hopper, PhD".`
}

/** Explains common mistakes of hand-edited files. */
function describeCsvError({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A quotation mark (") opens a field, but none closes it. Inside a field, write it twice ("").'
  }

  return message
}

/** Returns the line where a record begins. Its fields can contain line breaks. */
function getFirstLineNumber(lastLine: number, record: readonly string[]): number {
  const lineBreaks = record.map((field) => field.split(/\r\n|\r|\n/).length - 1)
  return lastLine - lineBreaks.reduce((sum, count) => sum + count, 0)
}

function decodeText(file: string, bytes: Buffer): Result<string> {
  const fileType = findFileType(bytes)
  if (fileType) {
    return failure(`${file} is ${fileType}, not text. In a spreadsheet, save it as “CSV UTF-8”.`)
  }

  // Excel's format 'Unicode text' is UTF-16, and starts with these two bytes.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = decode(isUtf16 ? 'utf-16le' : 'utf-8', bytes)
  // PostgreSQL can't store NUL in text.
  if (text === null || text.includes('\0')) {
    return failure(`${file} isn’t UTF-8. In a spreadsheet, save it as “CSV UTF-8”.`)
  }

  return success(text)
}

/** Returns null for bytes that are not valid in the encoding. */
function decode(encoding: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Recognizes other types of files by their first bytes. Returns null for a text. */
function findFileType(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 100).toString('latin1')
  if (start.startsWith('PK\x03\x04') || start.startsWith('\xd0\xcf\x11\xe0')) {
    return 'a workbook'
  }

  if (start.startsWith('%PDF')) {
    return 'a PDF'
  }

  return /^\s*<(!doctype|html|\?xml|table)/i.test(start) ? 'a web page' : null
}
