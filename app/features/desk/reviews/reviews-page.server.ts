import { countReported } from '~/features/reviews/reports/report-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import { StartError } from '~/server/env.server'
import { seesCourse } from '../courses/own-courses.server'
import { type DeskAction, type DeskActionRequest, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { filterText } from '../list-pages.server'
import { answerReview, dismissReports, moderateReview } from './review-acts.server'
import { listReviewsAtDesk } from './review-list.server'

/**
 * Finds no review in another teacher's course. Accepts only review IDs: with uids, a teacher could
 * find out who wrote an anonymous review.
 */
function placeOf(call: DeskActionRequest) {
  const courseId = textOf(call, 'course')
  return {
    courseId,
    name: seesCourse(call.staff, courseId) ? textOf(call, 'review') : '',
    isId: true,
  }
}

export const reviewsActions = {
  hide: {
    name: 'review hide',
    permission: 'moderate reviews',
    isSensitive: false,
    async run(call) {
      const reason = textOf(call, 'reason')
      if (!reason) {
        throw new StartError('Give a reason for the author to read.')
      }

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
      if (!text) {
        throw new StartError('Write an answer.')
      }

      return answerReview(call.transaction, placeOf(call), text)
    },
  },
  'remove-answer': {
    name: 'review answer',
    permission: 'answer reviews',
    isSensitive: false,
    run: (call) => answerReview(call.transaction, placeOf(call), ''),
  },
} satisfies Record<string, DeskAction>

/**
 * Learners' reviews, the reported ones first, then the newest. Reviews from a course's files are
 * changed in the files. Teachers see the reviews on the pages of their courses, and can answer
 * them.
 */
export async function loadReviewsPage({ db, staff, search }: DeskRequest) {
  const filter = { state: search.get('state') ?? '', course: filterText(search, 'course') }
  const moderates = hasPermission(staff, 'moderate reviews')
  const [list, reported] = await Promise.all([
    listReviewsAtDesk(db, { ...filter, staff, moderates, after: search.get('after') ?? '' }),
    moderates ? countReported(db) : 0,
  ])

  return { filter, ...list, moderates, reported }
}

export type ReviewsPageData = NonNullable<Awaited<ReturnType<typeof loadReviewsPage>>>
