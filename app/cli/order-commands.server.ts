import { ledgerTable } from '~/features/desk/exported-tables.server'
import { checkOrders } from '~/features/orders/check-orders.server'
import { connectShop } from '~/features/orders/open-shop.server'
import { StartError } from '~/server/env.server'
import { type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatTable,
} from './command-definition.server'
import { exportCsv } from './csv-files.server'

export const orderCommands: AdminCommand[] = [
  {
    name: 'orders check',
    takes: [],
    options: { provider: { says: 'compare with the payment provider, too' } },
    says: 'list orders that contradict the ledger, the access or the provider',
    effect: 'reads',
    files: true,
    run: check,
  },
  {
    name: 'orders export',
    takes: ['[FILE|-]'],
    says: 'write receipts and credit notes as CSV for the bookkeeper',
    effect: 'exports',
    run: exportLedger,
  },
]

async function check({ db, options }: CommandCall): Promise<Result<Answer>> {
  const problems = options.provider ? await checkOrdersAtProvider(db) : await checkOrders(db)
  const rows = problems.map(({ kind, orderId }) => ({ PROBLEM: kind, ORDER: orderId }))

  const text = formatTable(rows, 'Orders, ledger, receipts and access agree.')
  return success({ data: problems, text })
}

async function checkOrdersAtProvider(db: CommandCall['db']) {
  const opened = await connectShop(db)
  if (opened === null) {
    throw new StartError('Payments are off. Set PAYMENTS first.')
  }

  try {
    return await checkOrders(db, opened.shop)
  } finally {
    opened.close()
  }
}

function exportLedger(call: CommandCall): Promise<Result<Answer>> {
  return exportCsv(call, {
    act: 'orders export',
    target: call.given[0] || '-',
    table: ledgerTable,
    describeStart: (to) => `Begins to write receipts to ${to}.`,
    describeEnd: (rows, to) =>
      byCount(rows, `Wrote 1 receipt to ${to}.`, `Wrote ${formatNumber(rows)} receipts to ${to}.`),
  })
}
