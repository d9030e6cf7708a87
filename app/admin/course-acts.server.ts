import { listCoursesByText } from '~/features/learning/enrollment/many-enrollments.server'
import type { Act } from './act.server'
import { exportProgress } from './learners-export.server'
import { limitOf, limitOption, moreText } from './limit-option.server'
import { tableText } from './plain-text'

/** About one course and all of its learners. */
export const courseActs: Act[] = [
  {
    name: 'course list',
    takes: ['[TEXT]'],
    options: { limit: limitOption(100, 10_000) },
    says: 'list courses by part of their ID or title, with their learners',
    effect: 'reads',
    async run({ db, given: [text = ''], options: { limit } }) {
      const most = limitOf(limit, 100, 10_000)
      const found = await listCoursesByText(db, text, most + 1)
      const data = found.slice(0, most)
      const rows = data.map(({ id, title, learners, published }) => ({
        ID: id,
        LEARNERS: learners,
        STATE: published ? 'published' : 'not published',
        TITLE: title,
      }))
      const none = text ? `No course has '${text}' in its ID or title.` : 'There’s no course.'
      return { data, text: `${tableText(rows, none)}${moreText(found, most)}` }
    },
  },
  {
    name: 'course progress',
    takes: ['COURSE', '[FILE|-]'],
    says: 'write the progress of all learners of a course as CSV',
    effect: 'exports',
    run: (call) => exportProgress(call, call.given[0] ?? '', call.given[1] || '-'),
  },
]
