import { findLastInvitationMs } from '~/features/accounts/account-invitations.server'
import { rotateSigningKey } from '~/features/certificates/credential/credential-keys.server'
import { accountsTable, auditTable, ledgerTable } from '~/features/desk/exported-tables.server'
import { hasCourses } from '~/features/desk/import/column-meanings'
import {
  changesSomething,
  describeLine,
  type PlannedLine,
  planImport,
} from '~/features/desk/import/import-plan.server'
import {
  importActionName,
  importLines,
  linesPerTransaction,
  lockImports,
} from '~/features/desk/import/learner-import.server'
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
import { byCount, formatCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type CommandCall,
  type CommandOutput,
  formatTable,
} from './command-definition.server'
import { exportCsv, readCsvFile, separatorOption } from './csv-files.server'

const defaultEmailsPerMinute = 60
const maxEmailsPerMinute = 6_000
const minuteMs = 60_000

/** Commands about many people at once. */
const peopleCommands: AdminCommand[] = [
  {
    name: 'people export',
    argumentNames: ['FILE|-'],
    options: separatorOption,
    description: 'write all accounts with their courses as CSV; - is standard output',
    effect: 'exports',
    run: exportAccounts,
  },
  {
    name: 'people import',
    argumentNames: ['FILE'],
    options: {
      'dry-run': { description: 'print what would happen to each line, and change nothing' },
      'emails-per-minute': {
        value: 'N',
        description: `how fast invitations leave, up to ${maxEmailsPerMinute}; ${defaultEmailsPerMinute} by default`,
      },
    },
    description: 'create accounts and enroll them, from CSV: email, first_name, last_name, courses',
    effect: 'changes',
    run: importLearners,
  },
]

function exportAccounts(call: CommandCall): Promise<Result<CommandOutput>> {
  const [target = ''] = call.argumentValues

  return exportCsv(call, {
    action: 'learners export',
    target,
    table: accountsTable,
    describeStart: (destination) => `Begins to write accounts to ${destination}.`,
    describeEnd: (rowCount, destination) =>
      byCount(
        rowCount,
        `Wrote 1 account to ${destination}.`,
        `Wrote ${formatNumber(rowCount)} accounts to ${destination}.`,
      ),
  })
}

/** Creates accounts and enrolls them, or only prints the plan. */
async function importLearners(call: CommandCall): Promise<Result<CommandOutput>> {
  const { db, argumentValues, options, printLine } = call
  const emailsPerMinute = readEmailsPerMinute(options['emails-per-minute'])
  if (!emailsPerMinute.ok) {
    return emailsPerMinute
  }

  const [file = ''] = argumentValues
  const csv = await readCsvFile(file)
  if (!csv.ok) {
    return csv
  }

  const plan = await planImport(db, { name: file, bytes: csv.value })
  if (!plan.ok) {
    return plan
  }

  const { lines, problems, columns } = plan.value
  if (problems.length > 0) {
    return failure(describeProblems(problems))
  }

  const ignoredColumns = columns.filter(({ meaning }) => meaning === null)
  if (ignoredColumns.length > 0) {
    printLine(`Columns that aren’t read: ${ignoredColumns.map(({ name }) => name).join(', ')}`)
  }

  if (!hasCourses(columns)) {
    printLine('No column has courses, so nobody is enrolled.')
  }

  const pauseMs = minuteMs / emailsPerMinute.value
  const plannedSummary = await summarizePlan(call, lines, pauseMs)
  if (options['dry-run']) {
    const rows = lines.map((line) => ({
      LINE: line.lineNumber,
      EMAIL: line.email,
      WHAT: describeLine(line),
    }))
    const table = formatTable(rows, 'The file has no lines.')
    return success({ text: `${table}\n\n${plannedSummary}\nNothing was changed.` })
  }

  await runImport(call, lines.filter(changesSomething), pauseMs)
  return success({ text: plannedSummary })
}

function readEmailsPerMinute(option: string | boolean | undefined): Result<number> {
  if (option === undefined) {
    return success(defaultEmailsPerMinute)
  }

  const isWholeNumber = typeof option === 'string' && /^\d{1,9}$/.test(option)
  const emailsPerMinute = Number(option)
  if (!isWholeNumber || emailsPerMinute < 1 || emailsPerMinute > maxEmailsPerMinute) {
    return failure(`--emails-per-minute takes a number from 1 to ${maxEmailsPerMinute}.`)
  }

  return success(emailsPerMinute)
}

function describeProblems(problems: readonly { line: number; reason: string }[]): string {
  const sentences = problems.map(({ line, reason }) => `Line ${line}: ${reason}`)
  const lastSentence = byCount(
    problems.length,
    '1 problem. Nothing was changed.',
    `${formatNumber(problems.length)} problems. Nothing was changed.`,
  )

  return [...sentences, lastSentence].join('\n')
}

/** With 250 lines in a transaction, progress is printed every 1,000 lines. */
const transactionsPerProgressLine = 4

/**
 * Imports the lines in batches, each in a transaction of its own. `importLines` finds the accounts again, so
 * that an import that was interrupted can be repeated.
 *
 * @param pauseMs the pause between the invitations of two new accounts
 */
async function runImport(
  { db, operator, now, printLine }: CommandCall,
  lines: readonly PlannedLine[],
  pauseMs: number,
): Promise<void> {
  const auditedAction = { actor: operator, action: importActionName }

  for (let start = 0; start < lines.length; start += linesPerTransaction) {
    const batch = lines.slice(start, start + linesPerTransaction)
    await db.transaction(async (tx) => {
      await lockImports(tx)
      await importLines(tx, auditedAction, batch, { now, pauseMs })
    })

    const transactionCount = start / linesPerTransaction + 1
    if (transactionCount % transactionsPerProgressLine === 0) {
      printLine(`${start + batch.length} of ${lines.length} lines`)
    }
  }
}

/** Summarizes what an import is going to do. */
async function summarizePlan(
  { db, now }: CommandCall,
  lines: readonly PlannedLine[],
  pauseMs: number,
): Promise<string> {
  const newAccountCount = lines.filter(({ uid }) => uid === null).length
  const enrollmentCount = lines.reduce((sum, { newCourseIds }) => sum + newCourseIds.length, 0)
  const unchangedCount = lines.filter((line) => !changesSomething(line)).length
  const counts = [
    formatCount(newAccountCount, 'new account', 'new accounts'),
    formatCount(enrollmentCount, 'enrollment', 'enrollments'),
    byCount(unchangedCount, '1 line unchanged', `${formatNumber(unchangedCount)} lines unchanged`),
  ]
  const countsSentence = `${counts.join(', ')}.`
  if (newAccountCount === 0) {
    return countsSentence
  }

  const nextInvitationMs = (await findLastInvitationMs(db)) + pauseMs
  const firstEmailMs = Math.max(now.getTime(), nextInvitationMs)
  const lastEmailAt = new Date(firstEmailMs + (newAccountCount - 1) * pauseMs)
  return `${countsSentence}\nEach new account gets an email with a link to choose a password, the last one at ${formatInstant(lastEmailAt)}.`
}

/** Formats a time like '2026-11-22 14:05 UTC'. */
function formatInstant(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

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
