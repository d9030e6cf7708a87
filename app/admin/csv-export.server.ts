import { countText } from '~/ui/count-text'
import type { Answer, CommandCall } from './admin-command.server'
import { auditedFromTheStart, type Transaction } from './audit.server'
import { type CsvRow, writeCsv } from './csv-files.server'

export const rowsAtOnce = 1_000

type CsvExport = {
  columns: readonly string[]
  /** Parts of at most `rowsAtOnce` rows. */
  list(transaction: Transaction): AsyncGenerator<CsvRow[]>
  /** What a row is, like 'account' and 'accounts'. */
  one: string
  many: string
  /** For the audit. */
  given?: Record<string, unknown>
}

/** Writes rows of one snapshot. To standard output, nothing else is printed there. */
export async function exportCsv(
  { db, actor }: CommandCall,
  target: string,
  { columns, list, one, many, given = {} }: CsvExport,
): Promise<Answer> {
  const to = target === '-' ? 'standard output' : 'a file'
  const begins = { subject: null, arguments: given, outcome: `Begins to write ${many} to ${to}.` }
  let written = ''
  await auditedFromTheStart(db, actor, begins, async () => {
    const rows = await db.transaction((transaction) => writeCsv(target, columns, list(transaction)), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    written = `Wrote ${countText(rows, one, many)} to`
    return { subject: null, arguments: given, outcome: `${written} ${to}.` }
  })
  return { text: target === '-' ? '' : `${written} ${target}.` }
}
