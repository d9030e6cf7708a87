import { ledgerTable } from '~/features/desk/exported-tables.server'
import {
  beginRefund,
  endOrder,
  finishRefund,
  payByTransfer,
} from '~/features/desk/orders/order-acts.server'
import { checkOrders } from '~/features/orders/check-orders.server'
import { gatherEvidence } from '~/features/orders/dispute-evidence.server'
import { connectShop } from '~/features/orders/open-shop.server'
import { describeOrder, listOrders } from '~/features/orders/order-administration.server'
import type { Shop } from '~/features/orders/shop.server'
import { formatMoney } from '~/features/school/money'
import { audited } from '~/features/staff/audit.server'
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
} from './command-definition.server'
import { exportCsv } from './csv-files.server'
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
          TOTAL: formatMoney(order.totalMinor, order.currency),
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
    name: 'orders end',
    takes: ['ORDER', 'REASON'],
    says: 'end the access of an order that was free; the learner gets an email',
    effect: 'changes',
    run: end,
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
  const money = (minor: number) => formatMoney(minor, order.currency)
  const happened = [
    {
      AT: order.createdAt,
      WHAT: 'ordered',
      AMOUNT: money(order.totalMinor),
      STATE: '',
      ID: order.id,
    },
    ...data.payments.map(
      ({ settledAt, createdAt, provider, amountMinor, state, intentId, sessionId }) => ({
        AT: settledAt ?? createdAt,
        WHAT: `payment by ${provider}`,
        AMOUNT: money(amountMinor),
        STATE: state,
        ID: intentId ?? sessionId ?? '',
      }),
    ),
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
    ...(data.gift?.redeemedAt
      ? [
          {
            AT: data.gift.redeemedAt,
            WHAT: 'gift redeemed',
            AMOUNT: '',
            STATE: '',
            ID: data.gift.redeemedBy ?? 'deleted',
          },
        ]
      : []),
    ...(order.endedAt
      ? [{ AT: order.endedAt, WHAT: 'access ended', AMOUNT: '', STATE: '', ID: '' }]
      : []),
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
    gift:
      data.gift &&
      [data.gift.recipientEmail, data.gift.redeemedAt ? 'redeemed' : 'not redeemed yet'].join(', '),
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
  const amount = String(call.options.amount ?? '')

  return withShop(call, async (shop) => {
    const { subject, outcome, orderId } = await audited(call.db, call.actor, (transaction) =>
      beginRefund(transaction, id, { amount, reason }),
    )
    await finishRefund(shop, orderId)
    return { text: outcome, data: { subject } }
  })
}

async function markPaid(call: CommandCall): Promise<Answer> {
  return withShop(call, async (shop) => {
    const { outcome } = await audited(call.db, call.actor, (transaction) =>
      payByTransfer(transaction, shop, call.given[0] ?? ''),
    )
    return { text: outcome }
  })
}

async function end({ db, actor, given: [id = '', reason = ''] }: CommandCall): Promise<Answer> {
  const { outcome } = await audited(db, actor, (transaction) => endOrder(transaction, id, reason))
  return { text: outcome }
}

async function check(call: CommandCall): Promise<Answer> {
  const asksProvider = call.options.provider === true
  const find = (shop: Shop | null) => checkOrders(call.db, shop, asksProvider)
  const problems = asksProvider ? await withShop(call, find) : await find(null)
  const rows = problems.map(({ kind, orderId }) => ({ PROBLEM: kind, ORDER: orderId }))

  return { data: problems, text: formatTable(rows, 'Orders, ledger, receipts and access agree.') }
}

function exportLedger(call: CommandCall, target: string): Promise<Answer> {
  return exportCsv(call, target, {
    ...ledgerTable,
    begins: (to) => `Begins to write receipts to ${to}.`,
    done: (rows, to) =>
      byCount(rows, `Wrote 1 receipt to ${to}.`, `Wrote ${formatNumber(rows)} receipts to ${to}.`),
  })
}

export async function withShop<Result>(
  { db }: CommandCall,
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const opened = await connectShop(db)
  if (!opened) {
    throw new StartError('Payments are off. Set PAYMENTS first.')
  }

  try {
    return await work(opened.shop)
  } finally {
    opened.close()
  }
}
