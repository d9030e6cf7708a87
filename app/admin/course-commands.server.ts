import { progressTable } from '~/features/desk/exported-tables.server'
import { unknownCourse } from '~/features/desk/learner-acts.server'
import { listCoursesByText, listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { type AdminCommand, type Answer, type CommandCall, limitOption, listed } from './admin-command.server'
import { exportCsv } from './csv-files.server'

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
    ...progressTable(course),
    begins: (to) => `Begins to write learners to ${to}.`,
    done: (rows, to) => byCount(rows, `Wrote 1 learner to ${to}.`, `Wrote ${formatNumber(rows)} learners to ${to}.`),
    given: { course },
  })
}
