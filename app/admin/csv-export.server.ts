import type { Answer, CommandCall } from './admin-command.server'
import { auditedFromTheStart, type Transaction } from './audit.server'
import { type CsvRow, writeCsv } from './csv-files.server'

export const rowsAtOnce = 1_000

type CsvExport = {
  columns: readonly string[]
  /** Parts of at most `rowsAtOnce` rows. */
  list(transaction: Transaction): AsyncGenerator<CsvRow[]>
  /** What the audit says before and after, and the terminal after. */
  begins(to: string): string
  done(rows: number, to: string): string
  /** For the audit. */
  given?: Record<string, unknown>
}

/** Writes rows of one snapshot. To standard output, nothing else is printed there. */
export async function exportCsv(
  { db, actor }: CommandCall,
  target: string,
  { columns, list, begins, done, given = {} }: CsvExport,
): Promise<Answer> {
  const to = target === '-' ? 'standard output' : 'a file'
  const beginning = { subject: null, arguments: given, outcome: begins(to) }
  let rows = 0
  await auditedFromTheStart(db, actor, beginning, async () => {
    rows = await db.transaction((transaction) => writeCsv(target, columns, list(transaction)), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    return { subject: null, arguments: given, outcome: done(rows, to) }
  })
  return { text: target === '-' ? '' : done(rows, target) }
}
