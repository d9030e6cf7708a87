import { lastInvitationAt, listAccountNames, listAccounts } from '~/features/accounts/operator/account-import.server'
import { listEnrollable, listEnrollmentsOf } from '~/features/learning/enrollment/many-enrollments.server'
import { listCourseLearners } from '~/features/learning/learner-courses.server'
import { StartError } from '~/server/env.server'
import { byCount, countText, numberText } from '~/ui/count-text'
import type { Act, Answer, Call } from './act.server'
import { auditedFromTheStart, type Transaction } from './audit.server'
import { type CsvRow, writeCsv } from './csv-files.server'
import { type PlannedLine, planImport } from './import-plan.server'
import { changesSomething, outcomeOf, runImport } from './import-run.server'
import { limitOf } from './limit-option.server'
import { momentText, tableText } from './plain-text'

const rowsAtOnce = 1_000
const usualPace = 60
const fastestPace = 6_000

/** About many learners at once. */
export const learnersActs: Act[] = [
  {
    name: 'learners export',
    takes: ['FILE|-'],
    says: 'write all accounts with their courses as CSV; - is standard output',
    effect: 'exports',
    run: (call) => exportCsv(call, call.given[0] ?? '', accountColumns, listAccountRows, exportedAccounts),
  },
  {
    name: 'learners import',
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
  {
    name: 'course progress',
    takes: ['COURSE', '[FILE|-]'],
    says: 'write the progress of all learners of a course as CSV',
    effect: 'exports',
    async run(call) {
      const [course = '', target] = call.given
      const known = await listEnrollable(call.db, [course])
      if (!known.has(course)) throw new StartError(`No course has the ID '${course}'.`)
      const list = (transaction: Transaction) => listProgressRows(transaction, course)
      return exportCsv(call, target || '-', progressColumns, list, exportedLearners, { course })
    },
  },
]

type ListRows = (transaction: Transaction) => AsyncGenerator<CsvRow[]>

/** All as of one moment. To standard output, nothing else is printed there. */
async function exportCsv(
  { db, actor }: Call,
  target: string,
  columns: readonly string[],
  list: ListRows,
  exported: Exported,
  given: Record<string, unknown> = {},
): Promise<Answer> {
  const to = target === '-' ? 'standard output' : 'a file'
  const begins = { subject: null, arguments: given, outcome: exported.begins(to) }
  let rows = 0
  await auditedFromTheStart(db, actor, begins, async () => {
    rows = await db.transaction((transaction) => writeCsv(target, columns, list(transaction)), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
    return { subject: null, arguments: given, outcome: exported.done(rows, to) }
  })
  return { text: target === '-' ? '' : exported.done(rows, target) }
}

/** What an export says, in the audit and in the terminal. */
type Exported = { begins(to: string): string; done(rows: number, to: string): string }

const exportedAccounts: Exported = {
  begins: (to) => `Begins to write accounts to ${to}.`,
  done: (rows, to) => byCount(rows, `Wrote 1 account to ${to}.`, `Wrote ${numberText(rows)} accounts to ${to}.`),
}

const exportedLearners: Exported = {
  begins: (to) => `Begins to write learners to ${to}.`,
  done: (rows, to) => byCount(rows, `Wrote 1 learner to ${to}.`, `Wrote ${numberText(rows)} learners to ${to}.`),
}

const accountColumns = [
  'uid',
  'email',
  'first_name',
  'last_name',
  'confirmed',
  'disabled',
  'created_at',
  'last_sign_in_at',
  'courses',
  'completed_courses',
  'certificates',
]

async function* listAccountRows(transaction: Transaction): AsyncGenerator<CsvRow[]> {
  for (let after = ''; ; ) {
    const accounts = await listAccounts(transaction, after, rowsAtOnce)
    const enrollments = await listEnrollmentsOf(
      transaction,
      accounts.map(({ id }) => id),
    )
    yield accounts.map((account) => {
      const { courses = [], completed = [], certificates = [] } = enrollments.get(account.id) ?? {}
      return {
        uid: account.id,
        email: account.email,
        first_name: account.firstName,
        last_name: account.lastName,
        confirmed: account.emailVerified,
        disabled: account.banned,
        created_at: account.createdAt,
        last_sign_in_at: account.lastLoginAt,
        courses: courses.join(' '),
        completed_courses: completed.join(' '),
        certificates: certificates.join(' '),
      }
    })
    if (accounts.length < rowsAtOnce) return
    after = accounts.at(-1)?.id ?? ''
  }
}

const progressColumns = [
  'uid',
  'email',
  'first_name',
  'last_name',
  'enrolled_at',
  'last_opened_at',
  'progress_percent',
  'lessons_done',
  'lessons',
  'completed_at',
  'exam_attempts',
  'exam_best_percent',
  'exam_passed',
  'certificate',
  'certificate_revoked',
]

async function* listProgressRows(transaction: Transaction, course: string): AsyncGenerator<CsvRow[]> {
  for (let after = ''; ; ) {
    const learners = await listCourseLearners(transaction, course, after, rowsAtOnce)
    const uids = learners.map(({ uid }) => uid)
    const names = await listAccountNames(transaction, uids)
    yield learners.map(({ uid, exam, certificate, ...learner }) => ({
      uid,
      email: names.get(uid)?.email ?? null,
      first_name: names.get(uid)?.firstName ?? null,
      last_name: names.get(uid)?.lastName ?? null,
      enrolled_at: learner.enrolledAt,
      last_opened_at: learner.lastAccessedAt,
      progress_percent: learner.percent,
      lessons_done: learner.doneLessons,
      lessons: learner.totalLessons,
      completed_at: learner.completedAt,
      exam_attempts: exam.attempts,
      exam_best_percent: exam.best,
      exam_passed: exam.passed,
      certificate: certificate?.id ?? null,
      certificate_revoked: certificate?.revoked ?? null,
    }))
    if (learners.length < rowsAtOnce) return
    after = uids.at(-1) ?? ''
  }
}

async function importLearners(call: Call): Promise<Answer> {
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
