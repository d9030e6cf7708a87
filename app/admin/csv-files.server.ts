import type { WriteStream } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse/sync'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { auditedFromTheStart } from '~/server/operations/audit.server'
import { type CsvColumns, type CsvRow, csvRows, csvText, withoutFormulaGuard } from '~/server/operations/csv.server'
import type { Answer, CommandCall } from './admin-command.server'

const mostBytes = 50 * 1024 * 1024
const longestHeader = 100_000

export type CsvLine = { line: number; fields: Record<string, string> }

/**
 * Reads a table with names in its first line, as spreadsheets write it: separated by commas, semicolons, tabs or bars, with
 * any line ends, a first line `sep=;`, and empty fields at the end of lines.
 *
 * @returns the lines with their numbers in the file; names in lower case with underscores, like `first_name`.
 * @throws {StartError} for a file that can't be read or is not a table.
 */
export async function readCsv(file: string): Promise<{ columns: string[]; lines: CsvLine[] }> {
  const text = await readText(file)
  if (text.length > longestHeader && !/[\r\n]/.test(text.slice(0, longestHeader)))
    throw new StartError(`${file} isn’t a table: its first line has more than ${longestHeader} characters.`)
  const [separatorLine = '', named] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(text) ?? []
  const [head, ...rows] = parseRows(
    file,
    text,
    named ?? separatorOf(text.slice(separatorLine.length)),
    separatorLine ? 2 : 1,
  )
  const names = (head?.record ?? []).map(columnName)
  const width = names.findLastIndex((name) => name !== '') + 1
  const columns = names.slice(0, width)
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) < index)
  if (twice) throw new StartError(`${file} has the column ${twice} twice.`)
  const lines = rows.map(({ info, record }) => {
    const line = lineOf(info.lines, record)
    const filled = record.findLastIndex((field) => field !== '') + 1
    if (filled > width) throw new StartError(`${file} isn’t valid CSV. ${tooManyFields(line, filled, width)}`)
    return { line, fields: unguarded(Object.fromEntries(columns.map((name, index) => [name, record[index] ?? '']))) }
  })
  return { columns: columns.filter((name) => name !== ''), lines }
}

type Row = { info: { lines: number }; record: string[] }

function parseRows(file: string, text: string, delimiter: string, fromLine: number): Row[] {
  try {
    return parse(text, {
      delimiter,
      from_line: fromLine,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as Row[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new StartError(`${file} isn’t valid CSV. ${csvProblem(error)}`)
  }
}

/** The most frequent separator in the header line, outside of quotes. */
function separatorOf(text: string): string {
  const head = /^\s*((?:"[^"]*"|[^\r\n"])*)/.exec(text)?.[1]?.replaceAll(/"[^"]*"/g, '') ?? ''
  const counts = [',', ';', '\t', '|'].map((separator) => ({ separator, count: head.split(separator).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator
}

/** 'First Name [Required]' as `first_name`. */
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

/** Common mistakes of hand-edited files, as sentences. */
function csvProblem({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A field begins with a quotation mark (") that no other one ends. To have one in a field, write it twice ("").'
  }
  return message
}

/** The line where a record begins; fields may contain line breaks. */
function lineOf(last: number, record: readonly string[]): number {
  return last - record.reduce((sum, field) => sum + field.split(/\r\n|\r|\n/).length - 1, 0)
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file).catch(unreadable(file))
  if (size > mostBytes) throw new StartError(`${file} is larger than ${mostBytes / 1024 / 1024} MB. Split it.`)
  const bytes = await readFile(file).catch(unreadable(file))
  const kind = kindOf(bytes)
  if (kind) throw new StartError(`${file} is ${kind}, not text. In a spreadsheet, save it as “CSV UTF-8”.`)
  // Excel's 'Unicode text'.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new StartError(`${file} isn’t UTF-8. In a spreadsheet, save it as “CSV UTF-8”.`)
  }
}

/** The file type by its first bytes, for files that are not CSV. */
function kindOf(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 100).toString('latin1')
  if (start.startsWith('PK\x03\x04') || start.startsWith('\xd0\xcf\x11\xe0')) return 'a workbook'
  if (start.startsWith('%PDF')) return 'a PDF'
  return /^\s*<(!doctype|html|\?xml|table)/i.test(start) ? 'a web page' : null
}

function unreadable(file: string) {
  return ({ code }: NodeJS.ErrnoException): never => {
    throw new StartError(`${file} can’t be read${reasonOf(code)}.`)
  }
}

function reasonOf(code: string | undefined): string {
  const reasons: Record<string, string> = {
    ENOENT: 'there’s no such file or folder',
    EISDIR: 'it’s a folder',
    EACCES: 'you aren’t allowed to',
    ENOSPC: 'the disk is full',
  }
  return code ? `: ${reasons[code] ?? code}` : ''
}

function unguarded(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, withoutFormulaGuard(value)]))
}

/**
 * Writes a table: to standard output for `-`, otherwise to a new file that only its owner can read. An incomplete file is
 * removed.
 *
 * @returns the number of rows.
 * @throws {StartError} if the file exists, or nothing reads the output.
 */
export async function writeCsv(
  target: string,
  columns: readonly string[],
  rows: AsyncIterable<CsvRow>,
): Promise<number> {
  let count = 0
  async function* eachRow() {
    for await (const row of rows) {
      count += 1
      yield row
    }
  }

  const isFile = target !== '-'
  const output = isFile ? await createOwnFile(target) : process.stdout
  try {
    await pipeline(eachRow, csvText(columns, { bom: isFile }), output, { end: isFile })
  } catch (error) {
    if (isFile) await rm(target, { force: true })
    else if ((error as NodeJS.ErrnoException).code === 'EPIPE')
      throw new StartError('Nothing reads the output any more, so the rest was left out.')
    throw error
  }
  return count
}

async function createOwnFile(target: string): Promise<WriteStream> {
  const file = await open(target, 'wx', 0o600).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(
      code === 'EEXIST' ? `${target} already exists.` : `${target} can’t be written${reasonOf(code)}.`,
    )
  })
  return file.createWriteStream()
}

type CsvExport<Row> = {
  columns: CsvColumns<Row>
  /** Parts of at most `rowsAtOnce` rows. */
  list(transaction: Transaction): AsyncGenerator<Row[]>
  /** The audit's sentences before and after the work; the terminal shows the second one. */
  begins(to: string): string
  done(rows: number, to: string): string
  /** For the audit. */
  given?: Record<string, unknown>
}

/** Writes rows of one snapshot. To standard output, nothing else is printed there. */
export async function exportCsv<Row>(
  { db, actor }: CommandCall,
  target: string,
  { columns, list, begins, done, given = {} }: CsvExport<Row>,
): Promise<Answer> {
  const to = target === '-' ? 'standard output' : 'a file'
  const beginning = { subject: null, arguments: given, outcome: begins(to) }
  let rows = 0
  await auditedFromTheStart(db, actor, beginning, async () => {
    rows = await db.transaction(
      (transaction) => writeCsv(target, Object.keys(columns), csvRows(columns, list(transaction))),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    return { subject: null, arguments: given, outcome: done(rows, to) }
  })
  return { text: target === '-' ? '' : done(rows, target) }
}
