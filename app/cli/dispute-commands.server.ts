import { type Evidence, gatherEvidence } from '~/features/orders/dispute-evidence.server'
import { describeOrder } from '~/features/orders/order-administration.server'
import { formatMoney } from '~/features/school/money'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
} from './command-definition.server'

export const disputeCommands: AdminCommand[] = [
  {
    name: 'orders dispute',
    takes: ['ORDER'],
    says: 'show what the learner used of a disputed order, to send to the bank',
    effect: 'reads',
    run: showEvidence,
  },
]

async function showEvidence({ db, given: [id = ''] }: CommandCall): Promise<Answer> {
  const { order, payments, refunds, receipts, requests } = await describeOrder(db, id)
  const evidence = await gatherEvidence(db, order)
  const disputes = refunds.filter(({ reason }) => reason.startsWith('dispute'))
  const paid = payments.filter(({ state }) => state === 'succeeded')
  const facts = formatFacts({
    order: order.id,
    course: `${order.courseTitle} (${order.courseId})`,
    buyer: Object.values(order.buyer).filter(Boolean).join(', '),
    ordered: formatInstant(order.createdAt),
    paid: paid
      .map(({ settledAt, intentId }) => `${formatInstant(settledAt)} ${intentId ?? ''}`.trim())
      .join(', '),
    total: formatMoney(order.totalMinor, order.currency),
    receipts: receipts.map(({ number, document }) => `${document.kind} ${number}`).join(', '),
    disputed: disputes
      .map(
        ({ createdAt, reason, providerId }) =>
          `${formatInstant(createdAt)} ${reason} (${providerId})`,
      )
      .join(', '),
    'gave up withdrawal': order.waiver && `${formatInstant(order.waivedAt)}: ${order.waiver}`,
    'asked for money': requests
      .map(({ kind, state, statedAt }) => `${formatInstant(statedAt)} ${kind}: ${state}`)
      .join(', '),
    ...(evidence ? usedFacts(evidence) : { account: 'deleted' }),
  })

  return {
    data: { order, disputes, evidence },
    text: [facts, ...(evidence ? tablesOf(evidence) : [])].join('\n\n'),
  }
}

/** What the learner used, in a few lines. */
export function usedFacts({
  account,
  enrolledAt,
  lastOpenedAt,
  lessons,
  exams,
  certificate,
  signIns,
}: Evidence) {
  const done = lessons.filter(({ isDone }) => isDone).length
  const latestSignIn = signIns[0]

  return {
    account: account && `${account.email}, since ${formatInstant(account.madeAt)}`,
    enrolled: formatInstant(enrolledAt),
    'last opened': formatInstant(lastOpenedAt),
    'lessons done': `${done} of ${lessons.length}`,
    exams: exams
      .map(
        ({ submittedAt, percent }) =>
          `${formatInstant(submittedAt) ?? 'under way'}: ${percent ?? 0}%`,
      )
      .join(', '),
    certificate: certificate && `${certificate.id}, ${formatInstant(certificate.issuedAt)}`,
    'sign-ins since': String(signIns.length),
    'last sign-in':
      latestSignIn && `${formatInstant(latestSignIn.at)} ${latestSignIn.device ?? ''}`,
  }
}

function tablesOf({ lessons, signIns }: Evidence): string[] {
  const used = lessons.filter(({ isDone, lastAt }) => isDone || lastAt)
  return [
    formatTable(
      used.map(({ title, isDone, lastAt }) => ({
        'LESSON USED': title,
        DONE: isDone ? 'yes' : 'begun',
        LAST: formatInstant(lastAt) ?? '',
      })),
      'No lesson was used.',
    ),
    formatTable(
      signIns.map(({ at, way, device }) => ({
        'SIGNED IN': formatInstant(at),
        BY: way ?? '',
        DEVICE: device ?? '',
      })),
      'No sign-in since the order is in the log.',
    ),
  ]
}
