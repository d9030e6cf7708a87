import { listAccountNames } from '~/features/accounts/account-administration.server'
import type { UserRow } from '~/features/accounts/account-queries.server'
import { listCoursesByText, listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import { listCourseLearners } from '~/features/profile/progress-report.server'
import { StartError } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { type AdminCommand, type Answer, type CommandCall, limitOption, listed } from './admin-command.server'
import type { Transaction } from './audit.server'
import { type CsvValue, exportCsv, rowsAtOnce } from './csv-files.server'

/** About one course and all of its learners. */
export const courseCommands: AdminCommand[] = [
  {
    name: 'course list',
    takes: ['[TEXT]'],
    options: { limit: limitOption(100, 10_000) },
    says: 'list courses by part of their ID or title, with their learners',
    effect: 'reads',
    run: ({ db, given: [text = ''], options }) =>
      listed({
        options,
        usual: 100,
        most: 10_000,
        find: (limit) => listCoursesByText(db, text, limit),
        shown: ({ id, title, learners, published }) => ({
          ID: id,
          LEARNERS: learners,
          STATE: published ? 'published' : 'not published',
          TITLE: title,
        }),
        none: text ? `No course has '${text}' in its ID or title.` : 'There’s no course.',
        more: 'Give more of the text, or a higher --limit.',
      }),
  },
  {
    name: 'course progress',
    takes: ['COURSE', '[FILE|-]'],
    says: 'write the progress of all learners of a course as CSV',
    effect: 'exports',
    run: (call) => exportProgress(call, call.given[0] ?? '', call.given[1] || '-'),
  },
]

/**
 * How far each learner of a course is.
 *
 * @throws {StartError} if the course does not exist.
 */
async function exportProgress(call: CommandCall, course: string, target: string): Promise<Answer> {
  const known = await listEnrollable(call.db, [course])
  if (!known.has(course)) throw unknownCourse([course])
  return exportCsv(call, target, {
    columns: progressColumns,
    list: (transaction) => listLearners(transaction, course),
    begins: (to) => `Begins to write learners to ${to}.`,
    done: (rows, to) => byCount(rows, `Wrote 1 learner to ${to}.`, `Wrote ${formatNumber(rows)} learners to ${to}.`),
    given: { course },
  })
}

type LearnerOfCourse = {
  learner: Awaited<ReturnType<typeof listCourseLearners>>[number]
  name: Pick<UserRow, 'email' | 'firstName' | 'lastName'> | undefined
}

const progressColumns: Record<string, (row: LearnerOfCourse) => CsvValue> = {
  uid: ({ learner }) => learner.uid,
  email: ({ name }) => name?.email ?? null,
  first_name: ({ name }) => name?.firstName ?? null,
  last_name: ({ name }) => name?.lastName ?? null,
  enrolled_at: ({ learner }) => learner.enrolledAt,
  last_opened_at: ({ learner }) => learner.lastAccessedAt,
  progress_percent: ({ learner }) => learner.percent,
  lessons_done: ({ learner }) => learner.doneLessons,
  lessons: ({ learner }) => learner.totalLessons,
  completed_at: ({ learner }) => learner.completedAt,
  exam_attempts: ({ learner }) => learner.exam.attempts,
  exam_best_percent: ({ learner }) => learner.exam.best,
  exam_passed: ({ learner }) => learner.exam.passed,
  certificate: ({ learner }) => learner.certificate?.id ?? null,
  certificate_revoked: ({ learner }) => learner.certificate?.revoked ?? null,
}

async function* listLearners(transaction: Transaction, course: string): AsyncGenerator<LearnerOfCourse[]> {
  for (let after = ''; ; ) {
    const learners = await listCourseLearners(transaction, course, after, rowsAtOnce)
    const uids = learners.map(({ uid }) => uid)
    const names = await listAccountNames(transaction, uids)
    yield learners.map((learner) => ({ learner, name: names.get(learner.uid) }))
    if (learners.length < rowsAtOnce) return
    after = uids.at(-1) ?? ''
  }
}

/** @param what the start of the message, like 'No course'. */
export function unknownCourse(ids: readonly string[], what = 'No course'): StartError {
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(ids.map((id) => `'${id}'`))
  return new StartError(`${what} has the ID ${names}. See: ${commandText('admin', 'course list')}`)
}
