import { findLastInvitationMs } from '~/features/accounts/account-invitations.server'
import { accountsTable } from '~/features/desk/exported-tables.server'
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

/** The commands for many accounts at once. */
export const peopleCommands: AdminCommand[] = [
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
 * Imports the lines in batches, each in a transaction of its own. `importLines` finds the accounts
 * again, so that an import that was interrupted can be repeated.
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
