import { lastInvitationAt } from '~/features/accounts/account-administration.server'
import { accountsTable } from '~/features/desk/exported-tables.server'
import {
  changesSomething,
  describeLine,
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
  type Answer,
  type CommandCall,
  formatInstant,
  formatTable,
  readLimit,
} from './command-definition.server'
import { exportCsv, readTable } from './csv-files.server'

/** Invitations a minute. */
const usualPace = 60
const fastestPace = 6_000

/** About many learners at once. */
export const peopleCommands: AdminCommand[] = [
  {
    name: 'people export',
    takes: ['FILE|-'],
    says: 'write all accounts with their courses as CSV; - is standard output',
    effect: 'exports',
    run: (call) =>
      exportCsv(call, {
        act: 'learners export',
        target: call.given[0] ?? '',
        table: accountsTable,
        describeStart: (to) => `Begins to write accounts to ${to}.`,
        describeEnd: (rows, to) =>
          byCount(
            rows,
            `Wrote 1 account to ${to}.`,
            `Wrote ${formatNumber(rows)} accounts to ${to}.`,
          ),
      }),
  },
  {
    name: 'people import',
    takes: ['FILE'],
    options: {
      'dry-run': { says: 'print what would happen to each line, and change nothing' },
      'emails-per-minute': {
        value: 'N',
        says: `how fast invitations leave, up to ${fastestPace}; ${usualPace} by default`,
      },
    },
    says: 'create accounts and enroll them, from CSV: email, first_name, last_name, courses',
    effect: 'changes',
    run: importLearners,
  },
]

/**
 * Creates accounts and enrolls them, or only prints the plan.
 */
async function importLearners(call: CommandCall): Promise<Result<Answer>> {
  const { db, given, options, tell } = call
  const pace = readLimit(options['emails-per-minute'], {
    name: 'emails-per-minute',
    defaultLimit: usualPace,
    maxLimit: fastestPace,
  })
  const file = given[0] ?? ''
  const plan = await planImport(db, file, await readTable(file))
  if (!plan.ok) {
    return plan
  }

  const { lines, problems, ignored } = plan.value
  if (problems.length > 0) {
    const sentences = problems.map(({ line, reason }) => `Line ${line}: ${reason}`)
    const count = problems.length
    const end = byCount(
      count,
      '1 problem. Nothing was changed.',
      `${formatNumber(count)} problems. Nothing was changed.`,
    )

    return failure([...sentences, end].join('\n'))
  }

  if (ignored.length > 0) {
    tell(`Columns that aren’t read: ${ignored.join(', ')}`)
  }

  const changing = lines.filter(changesSomething)
  const summary = await summaryOf(call, lines, 60_000 / pace)
  if (options['dry-run']) {
    const rows = lines.map((line) => ({
      LINE: line.line,
      EMAIL: line.email,
      WHAT: describeLine(line),
    }))

    return success({
      text: `${formatTable(rows, 'The file has no lines.')}\n\n${summary}\nNothing was changed.`,
    })
  }

  await runImport(call, changing, 60_000 / pace)

  return success({ text: summary })
}

async function runImport(
  { db, operator, now, tell }: CommandCall,
  lines: readonly PlannedLine[],
  pauseMs: number,
) {
  for (let start = 0; start < lines.length; start += linesPerTransaction) {
    const part = lines.slice(start, start + linesPerTransaction)
    await db.transaction(async (transaction) => {
      await lockImports(transaction)
      await importLines(transaction, { by: operator, act: 'learners import' }, part, {
        now,
        pauseMs,
      })
    })
    if ((start / linesPerTransaction) % 4 === 3) {
      tell(`${start + part.length} of ${lines.length} lines`)
    }
  }
}

/** The summary of an import, done or planned. */
async function summaryOf(
  { db, now }: CommandCall,
  lines: readonly PlannedLine[],
  pauseMs: number,
): Promise<string> {
  const made = lines.filter(({ uid }) => uid === null).length
  const enrollments = lines.reduce((sum, { enroll }) => sum + enroll.length, 0)
  const idle = lines.filter((line) => !changesSomething(line)).length
  const counts = [
    formatCount(made, 'new account', 'new accounts'),
    formatCount(enrollments, 'enrollment', 'enrollments'),
    byCount(idle, '1 line unchanged', `${formatNumber(idle)} lines unchanged`),
  ]
  const figures = `${counts.join(', ')}.`
  if (made === 0) {
    return figures
  }

  const first = Math.max(now.getTime(), (await lastInvitationAt(db)) + pauseMs)
  const last = formatInstant(new Date(first + (made - 1) * pauseMs))

  return `${figures}\nEach new account gets an email with a link to choose a password, the last one at ${last}.`
}
