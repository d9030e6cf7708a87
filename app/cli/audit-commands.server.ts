import { auditTable } from '~/features/desk/exported-tables.server'
import { byCount, formatNumber } from '~/ui/format-count'
import type { AdminCommand } from './command-definition.server'
import { exportCsv } from './csv-files.server'

export const auditCommands: AdminCommand[] = [
  {
    name: 'audit export',
    takes: ['FILE|-'],
    says: 'write what staff and operators did as CSV, newest first; - is standard output',
    effect: 'exports',
    run: (call) =>
      exportCsv(call, {
        act: 'audit export',
        target: call.given[0] ?? '',
        table: auditTable({}),
        describeStart: (to) => `Begins to write the audit to ${to}.`,
        describeEnd: (rows, to) =>
          byCount(
            rows,
            `Wrote 1 entry of the audit to ${to}.`,
            `Wrote ${formatNumber(rows)} entries of the audit to ${to}.`,
          ),
      }),
  },
]
