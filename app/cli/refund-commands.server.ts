import { declineRefund, finishRefund, grantRefund } from '~/features/desk/orders/order-acts.server'
import { listRequests } from '~/features/orders/refunds/refund-answers.server'
import { formatMoney } from '~/features/school/money'
import { audited } from '~/features/staff/audit.server'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatInstant,
  limitOption,
  listed,
} from './command-definition.server'
import { partOption, withShop } from './order-commands.server'

/** Refunds that learners ask for. */
export const refundCommands: AdminCommand[] = [
  {
    name: 'orders requests',
    takes: [],
    options: {
      all: { says: 'also what is answered, or not yet confirmed' },
      limit: limitOption(50, 10_000),
    },
    says: 'list refunds that learners ask for and that wait for your answer, oldest first',
    effect: 'reads',
    run: ({ db, options }) =>
      listed({
        options,
        usual: 50,
        most: 10_000,
        find: (limit) => listRequests(db, options.all === true, limit),
        shown: ({ request, order, email }) => ({
          ORDER: order.id,
          AT: formatInstant(request.statedAt),
          KIND: request.kind,
          STATE: request.state,
          TOTAL: formatMoney(order.totalMinor, order.currency),
          COURSE: order.courseId,
          LEARNER: email,
          REASON: request.reason,
        }),
        none: 'Nobody waits for an answer.',
      }),
  },
  {
    name: 'orders grant',
    takes: ['ORDER'],
    options: { amount: partOption },
    says: 'give back what a learner asked for; the learner gets the credit note by email',
    effect: 'changes',
    files: true,
    run: grant,
  },
  {
    name: 'orders decline',
    takes: ['ORDER', 'REASON'],
    says: 'decline a refund that a learner asked for; the reason is mailed',
    effect: 'changes',
    run: decline,
  },
]

async function grant(call: CommandCall): Promise<Answer> {
  const [id = ''] = call.given
  const amount = String(call.options.amount ?? '')

  return withShop(call, async (shop) => {
    const { outcome, orderId } = await audited(call.db, call.actor, (transaction) =>
      grantRefund(transaction, id, amount),
    )
    await finishRefund(shop, orderId)
    return { text: outcome }
  })
}

async function decline({ db, actor, given: [id = '', reason = ''] }: CommandCall): Promise<Answer> {
  const { outcome } = await audited(db, actor, (transaction) =>
    declineRefund(transaction, id, reason),
  )
  return { text: outcome }
}
