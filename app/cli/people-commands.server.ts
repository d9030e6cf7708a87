import { findLastInvitationMs } from '~/features/accounts/account-administration.server'
import { accountsTable } from '~/features/desk/exported-tables.server'
import { hasCourses } from '~/features/desk/import/column-meanings'
import {
  changesSomething,
  describeLine,
  importActionName,
  importLines,
  linesPerTransaction,
  lockImports,
  type PlannedLine,
  planImport,
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

/** Commands about many people at once. */
export const peopleCommands: AdminCommand[] = [
  {
    name: 'people export',
    takes: ['FILE|-'],
    options: separatorOption,
    says: 'write all accounts with their courses as CSV; - is standard output',
    effect: 'exports',
    run: exportAccounts,
  },
  {
    name: 'people import',
    takes: ['FILE'],
    options: {
      'dry-run': { says: 'print what would happen to each line, and change nothing' },
      'emails-per-minute': {
        value: 'N',
        says: `how fast invitations leave, up to ${maxEmailsPerMinute}; ${defaultEmailsPerMinute} by default`,
      },
    },
    says: 'create accounts and enroll them, from CSV: email, first_name, last_name, courses',
    effect: 'changes',
    run: importLearners,
  },
]

function exportAccounts(call: CommandCall): Promise<Result<CommandOutput>> {
  const [target = ''] = call.given

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
  const { db, given, options, tell } = call
  const emailsPerMinute = readEmailsPerMinute(options['emails-per-minute'])
  if (!emailsPerMinute.ok) {
    return emailsPerMinute
  }

  const [file = ''] = given
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
    tell(`Columns that aren’t read: ${ignoredColumns.map(({ name }) => name).join(', ')}`)
  }

  if (!hasCourses(columns)) {
    tell('No column has courses, so nobody is enrolled.')
  }

  const pauseMs = minuteMs / emailsPerMinute.value
  const summary = await summarizeImport(call, lines, pauseMs)
  if (options['dry-run']) {
    const rows = lines.map((line) => ({
      LINE: line.line,
      EMAIL: line.email,
      WHAT: describeLine(line),
    }))
    const table = formatTable(rows, 'The file has no lines.')
    return success({ text: `${table}\n\n${summary}\nNothing was changed.` })
  }

  await runImport(call, lines.filter(changesSomething), pauseMs)
  return success({ text: summary })
}

function readEmailsPerMinute(option: string | boolean | undefined): Result<number> {
  if (option === undefined) {
    return success(defaultEmailsPerMinute)
  }

  const emailsPerMinute = /^\d{1,9}$/.test(String(option)) ? Number(option) : 0
  if (emailsPerMinute < 1 || emailsPerMinute > maxEmailsPerMinute) {
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

const transactionsPerProgressLine = 4

/** @param pauseMs the pause between the invitations of two new accounts */
async function runImport(
  { db, operator, now, tell }: CommandCall,
  lines: readonly PlannedLine[],
  pauseMs: number,
): Promise<void> {
  const auditedAction = { actor: operator, action: importActionName }

  for (let start = 0; start < lines.length; start += linesPerTransaction) {
    const part = lines.slice(start, start + linesPerTransaction)
    await db.transaction(async (tx) => {
      await lockImports(tx)
      await importLines(tx, auditedAction, part, { now, pauseMs })
    })

    const transactionCount = start / linesPerTransaction + 1
    if (transactionCount % transactionsPerProgressLine === 0) {
      tell(`${start + part.length} of ${lines.length} lines`)
    }
  }
}

/** Summarizes an import, whether it is only planned or carried out. */
async function summarizeImport(
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

  const firstEmailMs = Math.max(now.getTime(), (await findLastInvitationMs(db)) + pauseMs)
  const lastEmailAt = new Date(firstEmailMs + (newAccountCount - 1) * pauseMs)
  return `${countsSentence}\nEach new account gets an email with a link to choose a password, the last one at ${formatInstant(lastEmailAt)}.`
}

/** Formats a time like '2026-11-22 14:05 UTC'. */
function formatInstant(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
