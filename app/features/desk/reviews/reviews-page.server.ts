import { countReported } from '~/features/reviews/reports/report-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import { filterText } from '~/server/database/list-pages.server'
import { type DeskAction, type SubmittedForm, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import {
  answerReview,
  dismissReports,
  hideReview,
  type ReviewInput,
  removeAnswer,
  showReview,
} from './review-actions.server'
import { listReviewsAtDesk } from './review-list.server'

function getReviewInput(request: SubmittedForm): ReviewInput {
  return { courseId: textOf(request, 'course'), reviewId: textOf(request, 'review') }
}

export const reviewsActions = {
  hide: {
    permission: 'moderate reviews',
    isSensitive: false,
    perform: (request) =>
      hideReview(request.actionContext, getReviewInput(request), textOf(request, 'reason')),
  },
  show: {
    permission: 'moderate reviews',
    isSensitive: false,
    perform: (request) => showReview(request.actionContext, getReviewInput(request)),
  },
  dismiss: {
    permission: 'moderate reviews',
    isSensitive: false,
    perform: (request) => dismissReports(request.actionContext, getReviewInput(request)),
  },
  answer: {
    permission: 'answer reviews',
    isSensitive: false,
    perform: (request) =>
      answerReview(request.actionContext, getReviewInput(request), textOf(request, 'answer')),
  },
  'remove-answer': {
    permission: 'answer reviews',
    isSensitive: false,
    perform: (request) => removeAnswer(request.actionContext, getReviewInput(request)),
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
