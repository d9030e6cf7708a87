import { rotateSigningKey } from '~/features/certificates/credential/credential-keys.server'
import { auditTable, ledgerTable } from '~/features/desk/exported-tables.server'
import { checkOrders } from '~/features/orders/check-orders.server'
import { connectShop } from '~/features/orders/open-shop.server'
import { findPaymentProblem } from '~/features/orders/payments/payment-settings.server'
import {
  disableAccount,
  enableAccount,
  turnOffTwoStep,
} from '~/features/staff/account-actions.server'
import { performAuditedTask } from '~/features/staff/audit.server'
import { parseRole, staffRoles } from '~/features/staff/permissions'
import { giveRole, issueOwnerLink, takeRole } from '~/features/staff/role-actions.server'
import { env } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type CommandCall,
  type CommandOutput,
  formatTable,
} from './command-definition.server'
import { exportCsv, separatorOption } from './csv-files.server'
import { peopleCommands } from './people-commands.server'

/**
 * Every command of `npm run admin`, in the order of its help.
 *
 * Commands exist for what must work while nobody can sign in to the desk, and for what operators
 * automate. The desk does everything else.
 */
export const adminCommands: readonly AdminCommand[] = [
  {
    name: 'staff link',
    argumentNames: [],
    description: 'make a link that makes the account that uses it an owner, once and within a day',
    effect: 'changes',
    run: linkOwner,
  },
  {
    name: 'staff give',
    argumentNames: ['LEARNER', 'ROLE'],
    options: {
      courses: { value: 'COURSES', description: 'of a teacher: course IDs separated by spaces' },
      addresses: { description: 'a teacher sees email addresses, too' },
    },
    description: 'make an account owner, manager, or teacher of courses',
    effect: 'changes',
    run: giveStaffRole,
  },
  {
    name: 'staff take',
    argumentNames: ['LEARNER'],
    description: 'take an account’s role at the desk',
    effect: 'changes',
    run: async ({ context, argumentValues: [account = ''] }) =>
      toOutput(await takeRole(context, account)),
  },
  {
    name: 'account disable',
    argumentNames: ['LEARNER'],
    description: 'sign out everywhere, and block signing in',
    effect: 'changes',
    run: async ({ context, argumentValues: [account = ''] }) =>
      toOutput(await disableAccount(context, account)),
  },
  {
    name: 'account enable',
    argumentNames: ['LEARNER'],
    description: 'let a disabled account sign in again',
    effect: 'changes',
    run: async ({ context, argumentValues: [account = ''] }) =>
      toOutput(await enableAccount(context, account)),
  },
  {
    name: 'two-step off',
    argumentNames: ['LEARNER'],
    options: {
      reason: {
        value: 'TEXT',
        description: 'required: how you know that it is the learner; stays in the audit',
      },
    },
    description:
      'turn two-step sign-in off for a learner who lost phone and codes; signs out everywhere and tells by mail',
    effect: 'changes',
    run: async ({ context, argumentValues: [account = ''], options }) =>
      toOutput(await turnOffTwoStep(context, account, String(options.reason ?? ''))),
  },
  ...peopleCommands,
  {
    name: 'orders check',
    argumentNames: [],
    options: { provider: { description: 'compare with the payment provider, too' } },
    description: 'list orders that contradict the ledger, the access or the provider',
    effect: 'reads',
    files: true,
    run: listOrderProblems,
  },
  {
    name: 'orders export',
    argumentNames: ['[FILE|-]'],
    options: separatorOption,
    description: 'write receipts and credit notes as CSV for the bookkeeper',
    effect: 'exports',
    run: exportLedger,
  },
  {
    name: 'audit export',
    argumentNames: ['FILE|-'],
    options: separatorOption,
    description: 'write what staff and operators did as CSV, newest first; - is standard output',
    effect: 'exports',
    run: exportAudit,
  },
  {
    name: 'keys rotate',
    argumentNames: [],
    description: 'sign new credentials with a new key; old ones can still be verified',
    effect: 'changes',
    files: true,
    run: rotateKey,
  },
]

/** Converts the result of a staff action to what the command prints. */
function toOutput(result: Result<{ outcome: string }>): Result<CommandOutput> {
  return result.ok ? success({ text: result.value.outcome }) : result
}

async function linkOwner({ context }: CommandCall): Promise<Result<CommandOutput>> {
  const path = await issueOwnerLink(context)
  return path.ok ? success({ text: env.PUBLIC_URL + path.value }) : path
}

async function giveStaffRole({
  context,
  argumentValues: [account = '', submittedRole = ''],
  options,
}: CommandCall): Promise<Result<CommandOutput>> {
  const role = parseRole(submittedRole)
  if (role === null) {
    return failure(`There’s no role '${submittedRole}'. Choose one of: ${staffRoles.join(', ')}.`)
  }

  const courseIds = String(options.courses ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const result = await giveRole(context, {
    account,
    role,
    courseIds,
    seesLearnerEmails: options.addresses === true,
  })

  return toOutput(result)
}

async function listOrderProblems({ db, options }: CommandCall): Promise<Result<CommandOutput>> {
  const problems = options.provider
    ? await checkOrdersAtProvider(db)
    : success(await checkOrders(db))
  if (!problems.ok) {
    return problems
  }

  const rows = problems.value.map(({ kind, orderId }) => ({ PROBLEM: kind, ORDER: orderId }))

  const text = formatTable(rows, 'Orders, ledger, receipts and access agree.')
  return success({ data: problems.value, text })
}

async function checkOrdersAtProvider(db: CommandCall['db']) {
  const paymentProblem = await findPaymentProblem()
  if (paymentProblem !== null) {
    return failure(paymentProblem)
  }

  const connected = await connectShop(db)
  if (connected === null) {
    return failure('Payments are off. Turn them on at the desk, or set PAYMENTS.')
  }

  try {
    return success(await checkOrders(db, connected.shop))
  } finally {
    connected.close()
  }
}

function exportLedger(call: CommandCall): Promise<Result<CommandOutput>> {
  return exportCsv(call, {
    action: 'orders export',
    target: call.argumentValues[0] || '-',
    table: ledgerTable,
    describeStart: (destination) => `Begins to write receipts to ${destination}.`,
    describeEnd: (rowCount, destination) =>
      byCount(
        rowCount,
        `Wrote 1 receipt to ${destination}.`,
        `Wrote ${formatNumber(rowCount)} receipts to ${destination}.`,
      ),
  })
}

function exportAudit(call: CommandCall): Promise<Result<CommandOutput>> {
  const [target = ''] = call.argumentValues

  return exportCsv(call, {
    action: 'audit export',
    target,
    table: auditTable({}),
    describeStart: (destination) => `Begins to write the audit to ${destination}.`,
    describeEnd: (rowCount, destination) =>
      byCount(
        rowCount,
        `Wrote 1 entry of the audit to ${destination}.`,
        `Wrote ${formatNumber(rowCount)} entries of the audit to ${destination}.`,
      ),
  })
}

async function rotateKey({ db, operator }: CommandCall): Promise<Result<CommandOutput>> {
  const auditedAction = { actor: operator, action: 'certificate rotate-key' }
  const startEntry = { subject: null, outcome: 'Makes a new key.' }

  const { outcome } = await performAuditedTask(db, auditedAction, startEntry, async () => ({
    subject: null,
    outcome: `New credentials are now signed with ${await rotateSigningKey()}.`,
  }))

  return success({ text: outcome })
}
