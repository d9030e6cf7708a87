import {
  arrangeHome,
  followFile,
  priceCourse,
  publishCourse,
} from '~/features/desk/courses/course-acts.server'
import { progressTable } from '~/features/desk/exported-tables.server'
import { unknownCourse } from '~/features/desk/learner-acts.server'
import { listCoursesByText, listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import { type AuditRecord, audited } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  limitOption,
  listed,
} from './command-definition.server'
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
  {
    name: 'course publish',
    takes: ['COURSE'],
    says: 'publish a course, whatever its file says',
    effect: 'changes',
    run: (call) =>
      change(call, (transaction, course) => publishCourse(transaction, course, true, call.now)),
  },
  {
    name: 'course withdraw',
    takes: ['COURSE'],
    says: 'withdraw a course; its learners keep it',
    effect: 'changes',
    run: (call) =>
      change(call, (transaction, course) => publishCourse(transaction, course, false, call.now)),
  },
  {
    name: 'course price',
    takes: ['COURSE', 'AMOUNT'],
    options: {
      sale: { value: 'AMOUNT', says: 'the reduced price; AMOUNT is shown beside it' },
      until: { value: 'DATE', says: 'the last day of the reduced price, like 2026-12-24' },
    },
    says: 'set a course’s price, whatever its file says',
    effect: 'changes',
    run(call) {
      const form = {
        price: call.given[1] ?? '',
        sale: String(call.options.sale ?? ''),
        until: String(call.options.until ?? ''),
      }

      return change(call, (transaction, course) => priceCourse(transaction, course, form, call.now))
    },
  },
  {
    name: 'course follow-file',
    takes: ['COURSE'],
    says: 'let the course’s file say again whether it is published and what it costs',
    effect: 'changes',
    run: (call) => change(call, (transaction, course) => followFile(transaction, course, call.now)),
  },
  {
    name: 'course home',
    takes: ['[COURSE...]'],
    says: 'choose the courses that Home shows first; without any, it shows the most popular ones',
    effect: 'changes',
    run: (call) =>
      change(call, (transaction) => arrangeHome(transaction, call.given.filter(Boolean))),
  },
]

async function change(
  { db, actor, given: [course = ''] }: CommandCall,
  act: (transaction: Transaction, course: string) => Promise<AuditRecord>,
): Promise<Answer> {
  const { outcome } = await audited(db, actor, (transaction) => act(transaction, course))
  return { text: `${outcome} Pages update within two seconds.` }
}

/**
 * How far each learner of a course is.
 *
 * @throws {StartError} if the course does not exist.
 */
async function exportProgress(call: CommandCall, course: string, target: string): Promise<Answer> {
  const known = await listEnrollable(call.db, [course])
  if (!known.has(course)) {
    throw unknownCourse([course])
  }

  return exportCsv(call, target, {
    ...progressTable(course),
    begins: (to) => `Begins to write learners to ${to}.`,
    done: (rows, to) =>
      byCount(rows, `Wrote 1 learner to ${to}.`, `Wrote ${formatNumber(rows)} learners to ${to}.`),
    given: { course },
  })
}
