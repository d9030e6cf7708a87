import { listCoursesByText } from '~/features/learning/enrollment/many-enrollments.server'
import type { Act } from './act.server'
import { exportProgress } from './learners-export.server'
import { limitOption, listed } from './limit-option.server'

/** About one course and all of its learners. */
export const courseActs: Act[] = [
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
