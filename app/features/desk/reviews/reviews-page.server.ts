import { countReported } from '~/features/reviews/reports/report-queries.server'
import { StartError } from '~/server/env.server'
import { seesCourse } from '../courses/own-courses.server'
import { type Act, type ActCall, deskPage } from '../desk-page.server'
import { may } from '../permissions'
import { answerReview, dismissReports, moderateReview } from './review-acts.server'
import { listReviewsAtDesk } from './review-list.server'

const textOf = ({ form }: ActCall, name: string) => String(form.get(name) ?? '').trim()

/**
 * As if a course that isn't theirs had no such review. A review is named by its ID only: a uid would tell a teacher which one
 * is a learner's who left their name out.
 */
function placeOf(call: ActCall) {
  const courseId = textOf(call, 'course')
  return { courseId, name: seesCourse(call.staff, courseId) ? textOf(call, 'review') : '', isId: true }
}

const acts = {
  hide: {
    name: 'review hide',
    permission: 'moderate reviews',
    isSensitive: false,
    async run(call) {
      const reason = textOf(call, 'reason')
      if (!reason) throw new StartError('Give a reason: its author reads it.')
      return moderateReview(call.transaction, placeOf(call), reason)
    },
  },
  show: {
    name: 'review show',
    permission: 'moderate reviews',
    isSensitive: false,
    run: (call) => moderateReview(call.transaction, placeOf(call), null),
  },
  dismiss: {
    name: 'review dismiss',
    permission: 'moderate reviews',
    isSensitive: false,
    run: (call) => dismissReports(call.transaction, placeOf(call)),
  },
  answer: {
    name: 'review answer',
    permission: 'answer reviews',
    isSensitive: false,
    async run(call) {
      const text = textOf(call, 'answer')
      if (!text) throw new StartError('Write an answer.')
      return answerReview(call.transaction, placeOf(call), text)
    },
  },
  'remove-answer': {
    name: 'review answer',
    permission: 'answer reviews',
    isSensitive: false,
    run: (call) => answerReview(call.transaction, placeOf(call), ''),
  },
} satisfies Record<string, Act>

/**
 * Learners' reviews: those that were reported first, then the newest. Those that came with a course's files are changed there.
 * A teacher sees what the pages of their courses show, and answers it.
 */
export const reviewsPage = deskPage({
  path: 'Reviews',
  permission: 'answer reviews',
  acts,
  async load({ db, staff, search }) {
    const filter = { state: search.get('state') ?? '', course: (search.get('course') ?? '').trim().slice(0, 200) }
    const moderates = may(staff, 'moderate reviews')
    const [list, reported] = await Promise.all([
      listReviewsAtDesk(db, { ...filter, staff, moderates, after: search.get('after') ?? '' }),
      moderates ? countReported(db) : 0,
    ])
    return { filter, ...list, moderates, reported }
  },
})
