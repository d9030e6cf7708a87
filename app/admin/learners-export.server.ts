import { listAccountNames, listAccounts } from '~/features/accounts/operator/account-import.server'
import { listEnrollable, listEnrollmentsOf } from '~/features/learning/enrollment/many-enrollments.server'
import { listCourseLearners } from '~/features/learning/learner-courses.server'
import { byCount, numberText } from '~/ui/count-text'
import type { Answer, Call } from './act.server'
import { auditedFromTheStart, type Transaction } from './audit.server'
import { type CsvRow, writeCsv } from './csv-files.server'
import { unknownCourse } from './unknown-course.server'

const rowsAtOnce = 1_000

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

/** @param target a file, or - for standard output. */
export function exportAccounts(call: Call, target: string): Promise<Answer> {
  return exportCsv(call, target, accountColumns, listAccountRows, exportedAccounts)
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

/**
 * How far each learner of a course is.
 *
 * @throws {StartError} if there is no such course.
 */
export async function exportProgress(call: Call, course: string, target: string): Promise<Answer> {
  const known = await listEnrollable(call.db, [course])
  if (!known.has(course)) throw unknownCourse([course])
  const list = (transaction: Transaction) => listProgressRows(transaction, course)
  return exportCsv(call, target, progressColumns, list, exportedLearners, { course })
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
