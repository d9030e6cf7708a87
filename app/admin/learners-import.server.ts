import { lastInvitationAt } from '~/features/accounts/operator/account-import.server'
import { StartError } from '~/server/env.server'
import { byCount, countText, numberText } from '~/ui/count-text'
import type { Answer, Call } from './act.server'
import { type PlannedLine, planImport } from './import-plan.server'
import { changesSomething, outcomeOf, runImport } from './import-run.server'
import { limitOf } from './limit-option.server'
import { momentText, tableText } from './plain-text'

/** Invitations a minute. */
export const usualPace = 60
export const fastestPace = 6_000

/** Creates accounts and enrolls them, or says what it would do. @throws {StartError} with all problems of the file. */
export async function importLearners(call: Call): Promise<Answer> {
  const { db, given, options, tell } = call
  const pace = limitOf(options['emails-per-minute'], usualPace, fastestPace, 'emails-per-minute')
  const { lines, problems, ignored } = await planImport(db, given[0] ?? '')
  if (problems.length > 0) {
    const sentences = problems.map(({ line, reason }) => `Line ${line}: ${reason}`)
    const count = problems.length
    const end = byCount(count, '1 problem. Nothing was changed.', `${numberText(count)} problems. Nothing was changed.`)
    throw new StartError([...sentences, end].join('\n'))
  }
  if (ignored.length > 0) tell(`Columns that aren’t read: ${ignored.join(', ')}`)
  const changing = lines.filter(changesSomething)
  const summary = await summaryOf(call, lines, 60_000 / pace)
  if (options['dry-run']) {
    const rows = lines.map((line) => ({ LINE: line.line, EMAIL: line.email, WHAT: outcomeOf(line) }))
    return { text: `${tableText(rows, 'The file has no lines.')}\n\n${summary}\nNothing was changed.` }
  }
  await runImport(call, changing, 60_000 / pace)
  return { text: summary }
}

/** What an import does, or would do. */
async function summaryOf({ db, now }: Call, lines: readonly PlannedLine[], pauseMs: number): Promise<string> {
  const made = lines.filter(({ uid }) => uid === null).length
  const enrollments = lines.reduce((sum, { enroll }) => sum + enroll.length, 0)
  const idle = lines.filter((line) => !changesSomething(line)).length
  const counts = [
    countText(made, 'new account', 'new accounts'),
    countText(enrollments, 'enrollment', 'enrollments'),
    byCount(idle, '1 line unchanged', `${numberText(idle)} lines unchanged`),
  ]
  const figures = `${counts.join(', ')}.`
  if (made === 0) return figures
  const first = Math.max(now.getTime(), (await lastInvitationAt(db)) + pauseMs)
  const last = momentText(new Date(first + (made - 1) * pauseMs))
  return `${figures}\nEach new account gets an email with a link to choose a password, the last one at ${last}.`
}
