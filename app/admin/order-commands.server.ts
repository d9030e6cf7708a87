import { checkOrders } from '~/features/orders/check-orders.server'
import { gatherEvidence } from '~/features/orders/dispute-evidence.server'
import { currencyDecimals, moneyText } from '~/features/orders/money'
import { connectShop } from '~/features/orders/open-shop.server'
import {
  describeOrder,
  type LedgerRow,
  listLedgerRows,
  listOrders,
  markPaidByTransfer,
  requestRefund,
} from '~/features/orders/order-administration.server'
import { sendRefunds } from '~/features/orders/refunds.server'
import type { Shop } from '~/features/orders/shop.server'
import { StartError } from '~/server/env.server'
import type { Option } from '~/server/operations/operator-command.server'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
  limitOption,
  listed,
} from './admin-command.server'
import { audited, type Transaction } from './audit.server'
import { type CsvValue, exportCsv, rowsAtOnce } from './csv-files.server'
import { usedFacts } from './dispute-commands.server'

export const partOption: Option = {
  value: 'AMOUNT',
  says: 'a part, like 10.50; by default everything that is left',
}

export const orderCommands: AdminCommand[] = [
  {
    name: 'orders list',
    takes: ['[TEXT]'],
    options: { limit: limitOption(50, 10_000) },
    says: 'list orders, newest first, by part of their number, course or learner’s address',
    effect: 'reads',
    run: ({ db, given: [text = ''], options }) =>
      listed({
        options,
        usual: 50,
        most: 10_000,
        find: (limit) => listOrders(db, text, limit),
        shown: ({ order, email }) => ({
          ORDER: order.id,
          AT: formatInstant(order.createdAt),
          STATE: order.state,
          TOTAL: moneyText(order.totalMinor, order.currency),
          COURSE: order.courseId,
          LEARNER: email ?? 'deleted',
        }),
        none: 'There’s no such order.',
      }),
  },
  {
    name: 'orders show',
    takes: ['ORDER'],
    says: 'show an order with everything that happened to it',
    effect: 'reads',
    run: showOrder,
  },
  {
    name: 'orders refund',
    takes: ['ORDER', 'REASON'],
    options: { amount: partOption },
    says: 'give money back; a full refund ends the access, the learner’s work is kept',
    effect: 'changes',
    files: true,
    run: refund,
  },
  {
    name: 'orders mark-paid',
    takes: ['ORDER'],
    says: 'record that an order was paid by bank transfer',
    effect: 'changes',
    files: true,
    run: markPaid,
  },
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
    run: (call) => exportLedger(call, call.given[0] || '-'),
  },
]

async function showOrder({ db, given: [id = ''] }: CommandCall): Promise<Answer> {
  const data = await describeOrder(db, id)
  const { order } = data
  const evidence = await gatherEvidence(db, order)
  const money = (minor: number) => moneyText(minor, order.currency)
  const happened = [
    { AT: order.createdAt, WHAT: 'ordered', AMOUNT: money(order.totalMinor), STATE: '', ID: order.id },
    ...data.payments.map(({ settledAt, createdAt, provider, amountMinor, state, intentId, sessionId }) => ({
      AT: settledAt ?? createdAt,
      WHAT: `payment by ${provider}`,
      AMOUNT: money(amountMinor),
      STATE: state,
      ID: intentId ?? sessionId ?? '',
    })),
    ...data.refunds.map(({ settledAt, createdAt, amountMinor, state, providerId, reason }) => ({
      AT: settledAt ?? createdAt,
      WHAT: `refund: ${reason}`,
      AMOUNT: money(amountMinor),
      STATE: state,
      ID: providerId ?? '',
    })),
    ...data.requests.map(({ statedAt, kind, state, reason, answer }) => ({
      AT: statedAt,
      WHAT: [`the learner asks: ${kind}`, reason, answer].filter(Boolean).join(' / '),
      AMOUNT: '',
      STATE: state,
      ID: '',
    })),
    ...data.receipts.map(({ number, document, issuedAt }) => ({
      AT: issuedAt,
      WHAT: `${document.kind} ${number}`,
      AMOUNT: money(document.totalMinor),
      STATE: '',
      ID: '',
    })),
    ...data.events.map(({ receivedAt, type, id: eventId }) => ({
      AT: receivedAt,
      WHAT: `event ${type}`,
      AMOUNT: '',
      STATE: '',
      ID: eventId,
    })),
  ].sort((a, b) => a.AT.getTime() - b.AT.getTime())
  const facts = formatFacts({
    order: order.id,
    state: order.state,
    course: `${order.courseTitle} (${order.courseId})`,
    learner: order.uid ?? 'deleted',
    buyer: Object.values(order.buyer).filter(Boolean).join(', '),
    price: order.couponCode && money(order.listMinor),
    coupon: order.couponCode,
    total: money(order.totalMinor),
    'gave up withdrawal': order.waiver && `${formatInstant(order.waivedAt)}: ${order.waiver}`,
    ...(evidence && usedFacts(evidence)),
  })
  const table = formatTable(
    happened.map((row) => ({ ...row, AT: formatInstant(row.AT) })),
    '',
  )
  return { data, text: `${facts}\n\n${table}` }
}

async function refund(call: CommandCall): Promise<Answer> {
  const [id = '', reason = ''] = call.given
  return withShop(call, async (shop) => {
    const { subject, outcome, orderId } = await audited(call.db, call.actor, async (transaction) => {
      const amountMinor = amountOf(call.options.amount, shop.currency)
      const done = await requestRefund(transaction, id, { amountMinor, reason })
      const text = `A refund of ${moneyText(done.amountMinor, done.order.currency)} is on its way.`
      return {
        subject: done.order.uid,
        arguments: { order: done.order.id, reason },
        outcome: text,
        orderId: done.order.id,
      }
    })
    await sendNow(shop, orderId)
    return { text: outcome, data: { subject } }
  })
}

/** @throws {StartError} if the provider refuses. */
export async function sendNow(shop: Shop, orderId: string): Promise<void> {
  await sendRefunds(shop, orderId)
  const sent = (await describeOrder(shop.db, orderId)).refunds.at(-1)
  if (sent?.state === 'failed')
    throw new StartError('The payment provider refused this refund. Nothing was given back.')
}

/** @returns in the currency's smallest unit. @throws {StartError} */
export function amountOf(given: unknown, currency: string): number | null {
  if (given === undefined) return null
  const decimals = currencyDecimals(currency)
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d+))?$/.exec(String(given)) ?? []
  if (whole === undefined || part.length > decimals) throw new StartError('--amount takes an amount like 10.50.')
  return Number(whole + part.padEnd(decimals, '0'))
}

async function markPaid(call: CommandCall): Promise<Answer> {
  return withShop(call, async (shop) => {
    const { outcome } = await audited(call.db, call.actor, async (transaction: Transaction) => {
      const order = await markPaidByTransfer(transaction, shop, call.given[0] ?? '')
      return {
        subject: order.uid,
        arguments: { order: order.id },
        outcome: 'The order is paid, and the learner enrolled.',
      }
    })
    return { text: outcome }
  })
}

async function check(call: CommandCall): Promise<Answer> {
  const asksProvider = call.options.provider === true
  const find = (shop: Shop | null) => checkOrders(call.db, shop, asksProvider)
  const problems = asksProvider ? await withShop(call, find) : await find(null)
  const rows = problems.map(({ kind, orderId }) => ({ PROBLEM: kind, ORDER: orderId }))
  return { data: problems, text: formatTable(rows, 'Orders, ledger, receipts and access agree.') }
}

const ledgerColumns: Record<string, (row: LedgerRow) => CsvValue> = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  amount: ({ amountMinor, currency }) => plainAmount(amountMinor, currency),
  currency: ({ currency }) => currency,
  tax: ({ taxMinor, currency }) => plainAmount(taxMinor, currency),
  coupon: ({ coupon }) => coupon,
  discount: ({ discountMinor, currency }) => discountMinor && plainAmount(discountMinor, currency),
  order: ({ orderId }) => orderId,
  course: ({ courseId }) => courseId,
  title: ({ courseTitle }) => courseTitle,
  instructor: ({ instructor }) => instructor,
  country: ({ country }) => country,
  vat_number: ({ vatNumber }) => vatNumber,
}

function exportLedger(call: CommandCall, target: string): Promise<Answer> {
  return exportCsv(call, target, {
    columns: ledgerColumns,
    list: (transaction) => listLedgerRows(transaction, rowsAtOnce),
    begins: (to) => `Begins to write receipts to ${to}.`,
    done: (rows, to) => byCount(rows, `Wrote 1 receipt to ${to}.`, `Wrote ${formatNumber(rows)} receipts to ${to}.`),
  })
}

/** A number, because a text that begins with a minus is guarded like a formula. */
function plainAmount(minor: number, currency: string): number {
  return minor / 10 ** currencyDecimals(currency)
}

export async function withShop<Result>({ db }: CommandCall, work: (shop: Shop) => Promise<Result>): Promise<Result> {
  const opened = await connectShop(db)
  if (!opened) throw new StartError('Payments are off. Set PAYMENTS first.')
  try {
    return await work(opened.shop)
  } finally {
    opened.close()
  }
}
