import type { WriteStream } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ExportedTable } from '~/features/desk/exported-tables.server'
import { performAuditedWork } from '~/features/staff/audit.server'
import { StartError } from '~/server/env.server'
import { type CsvRow, csvRows, csvText } from '~/server/operations/csv.server'
import { type Result, success } from '~/server/result'
import type { Answer, CommandCall } from './command-definition.server'

const mostBytes = 50 * 1024 * 1024

/** @throws {StartError} for a file that can't be read. */
export async function readTable(file: string): Promise<Buffer> {
  const { size } = await stat(file).catch(unreadable(file))
  if (size > mostBytes) {
    throw new StartError(`${file} is larger than ${mostBytes / 1024 / 1024} MB. Split it.`)
  }

  return readFile(file).catch(unreadable(file))
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

/**
 * Writes a table: to standard output for `-`, otherwise to a new file that only its owner can read.
 * An incomplete file is removed.
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
    if (isFile) {
      await rm(target, { force: true })
    } else if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
      throw new StartError('Nothing reads the output any more, so the rest was left out.')
    }

    throw error
  }

  return count
}

async function createOwnFile(target: string): Promise<WriteStream> {
  const file = await open(target, 'wx', 0o600).catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(
      code === 'EEXIST'
        ? `${target} already exists.`
        : `${target} can’t be written${reasonOf(code)}.`,
    )
  })

  return file.createWriteStream()
}

type CsvExport<Row> = {
  /** The export's name in the audit log. */
  act: string
  /** A file, or '-' for standard output. */
  target: string
  table: ExportedTable<Row>
  /** The audit's sentences before and after the work; the terminal shows the second one. */
  describeStart(to: string): string
  describeEnd(rowCount: number, to: string): string
}

/** Writes the rows of one snapshot. To standard output, nothing else is printed there. */
export async function exportCsv<Row>(
  { db, operator }: CommandCall,
  { act, target, table: { columns, list }, describeStart, describeEnd }: CsvExport<Row>,
): Promise<Result<Answer>> {
  const isFile = target !== '-'
  const to = isFile ? 'a file' : 'standard output'
  const firstEntry = { subject: null, arguments: {}, outcome: describeStart(to) }
  let rowCount = 0

  await performAuditedWork(db, { by: operator, act }, firstEntry, async () => {
    rowCount = await db.transaction(
      (tx) => writeCsv(target, Object.keys(columns), csvRows(columns, list(tx))),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    return { ...firstEntry, outcome: describeEnd(rowCount, to) }
  })

  return success({ text: isFile ? describeEnd(rowCount, target) : '' })
}
