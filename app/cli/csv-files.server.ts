/**
 * Reads and writes the CSV files of operators' commands. A problem that an operator can correct is
 * reported as a failure or, while a stream is open, as a `StartError`.
 */
import type { WriteStream } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  type CsvSeparator,
  csvSeparators,
  parseCsvSeparator,
  separatorCharacters,
} from '~/features/desk/csv-separators'
import type { ExportedTable } from '~/features/desk/exported-tables.server'
import { performAuditedTask } from '~/features/staff/audit.server'
import { StartError } from '~/server/env.server'
import { type CsvRow, createCsvStream, toCsvRows } from '~/server/operations/csv.server'
import { failure, type Result, success } from '~/server/result'
import type { CommandCall, CommandOutput } from './command-definition.server'

type CsvExport<Row> = {
  /** The export's name in the audit log. */
  action: string
  /** A file, or '-' for standard output. */
  target: string
  table: ExportedTable<Row>
  /**
   * Returns a sentence for the audit entry that is written before the export.
   *
   * @param destination 'a file' or 'standard output'
   */
  describeStart(destination: string): string
  /**
   * Returns a sentence for the audit entry that is written after the export, and for the operator.
   *
   * @param destination 'a file', 'standard output' or, for the operator, the file's name
   */
  describeEnd(rowCount: number, destination: string): string
}

/** The option of all commands that write a table. */
export const separatorOption = {
  separator: { value: 'NAME', description: `what separates fields: ${csvSeparators.join(', ')}` },
}

/**
 * Writes a table as CSV, with an audit entry before and one after. All rows come from one snapshot
 * of the database. If they are written to standard output, nothing else is printed there.
 */
export async function exportCsv<Row>(
  { db, operator, options }: CommandCall,
  { action, target, table, describeStart, describeEnd }: CsvExport<Row>,
): Promise<Result<CommandOutput>> {
  const separator = parseCsvSeparator(options.separator ?? 'comma')
  if (separator === null) {
    return failure(`--separator takes one of these: ${csvSeparators.join(', ')}.`)
  }

  const { columns, listRows } = table
  const isFile = target !== '-'
  // The audit log doesn't name the file, because the name may contain anything.
  const destination = isFile ? 'a file' : 'standard output'
  const auditedAction = { actor: operator, action }
  const startEntry = { subject: null, arguments: {}, outcome: describeStart(destination) }

  const { rowCount } = await performAuditedTask(db, auditedAction, startEntry, async () => {
    const writtenRowCount = await db.transaction(
      (tx) => {
        const rows = toCsvRows(columns, listRows(tx))
        return writeCsv({ target, separator }, Object.keys(columns), rows)
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    const outcome = describeEnd(writtenRowCount, destination)
    return { ...startEntry, outcome, rowCount: writtenRowCount }
  })

  return success({ text: isFile ? describeEnd(rowCount, target) : '' })
}

/**
 * Writes a table: to standard output for `-`, otherwise to a new file that only its owner can read.
 * After an error, the incomplete file is removed.
 *
 * @returns the number of rows
 * @throws {StartError} if the file exists or can't be written, or if nothing reads the output any
 *   more
 */
export async function writeCsv(
  { target, separator }: { target: string; separator: CsvSeparator },
  columns: readonly string[],
  rows: AsyncIterable<CsvRow>,
): Promise<number> {
  let rowCount = 0
  async function* yieldAndCountRows() {
    for await (const row of rows) {
      rowCount += 1
      yield row
    }
  }

  const isFile = target !== '-'
  const output = isFile ? await createPrivateFile(target) : process.stdout
  // A spreadsheet that opens the file needs the byte order mark. A program that reads the output
  // doesn't.
  const format = { bom: isFile, separator: separatorCharacters[separator] }

  try {
    await pipeline(yieldAndCountRows, createCsvStream(columns, format), output, { end: isFile })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!isFile && code === 'EPIPE') {
      throw new StartError('Nothing reads the output any more, so the rest was left out.')
    }

    if (isFile) {
      await rm(target, { force: true })
    }
    throw isFile && code === 'ENOSPC' ? createWriteError(target, code) : error
  }

  return rowCount
}

async function createPrivateFile(target: string): Promise<WriteStream> {
  const file = await open(target, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw createWriteError(target, error.code)
  })

  return file.createWriteStream()
}

function createWriteError(target: string, code: string | undefined): StartError {
  return new StartError(
    code === 'EEXIST'
      ? `${target} already exists.`
      : `${target} can’t be written${describeFileError(code)}.`,
  )
}

const maxFileBytes = 50 * 1024 * 1024

/** Fails for a file that is too large or can't be read. */
export async function readCsvFile(file: string): Promise<Result<Buffer>> {
  try {
    const { size } = await stat(file)
    if (size > maxFileBytes) {
      return failure(`${file} is larger than ${maxFileBytes / 1024 / 1024} MB. Split it.`)
    }

    return success(await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failure(`${file} can’t be read${describeFileError(code)}.`)
  }
}

/** Returns the end of a sentence about a file, such as ': the disk is full'. */
function describeFileError(code: string | undefined): string {
  const reasons: Record<string, string> = {
    ENOENT: 'there’s no such file or folder',
    EISDIR: 'it’s a folder',
    EACCES: 'you aren’t allowed to',
    ENOSPC: 'the disk is full',
  }

  return code ? `: ${reasons[code] ?? code}` : ''
}
