import type { Database } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import type { ActionResult } from '~/ui/action-result'
import { reviewInvitations, voteLackTexts } from './course-messages'
import { checkReview } from './review-form-schema'
import { notVotable } from './review-messages'
import { getOwnReviews, recordReview, recordVote, removeReview, removeVote } from './review-queries.server'

export type ReviewChange =
  | { intent: 'save'; courseId: string; values: Record<string, unknown> }
  | { intent: 'remove'; courseId: string }
  | { intent: 'vote' | 'unvote'; courseId: string; reviewId: string }

const idShape = /^[\w-]{1,100}$/

/** Reads the form of a change. @returns null for what none of this product's forms sends. */
export async function parseReviewChange(request: Request): Promise<ReviewChange | null> {
  const form = await readForm(request)
  if (new Set(form.keys()).size !== [...form.keys()].length) return null
  const { intent, course, review, ...values } = Object.fromEntries(form)
  if (typeof course !== 'string' || !idShape.test(course)) return null
  if (intent === 'save') return review === undefined ? { intent, courseId: course, values } : null
  if (Object.keys(values).length > 0) return null
  if (intent === 'remove') return review === undefined ? { intent, courseId: course } : null
  if (intent !== 'vote' && intent !== 'unvote') return null
  return typeof review === 'string' && idShape.test(review) ? { intent, courseId: course, reviewId: review } : null
}

type ChangeResult = { status: number; answer: ActionResult }

/** Makes a learner's change. The learner sees it at once, by the viewer's data; others within a minute. */
export async function changeReviews(db: Database, uid: string, change: ReviewChange, now: Date): Promise<ChangeResult> {
  const { courseId } = change
  if (change.intent === 'save') {
    const { review, errors } = checkReview(change.values)
    if (errors) return { status: 400, answer: { done: false, errors } }
    if (await recordReview(db, { uid, courseId }, review, now)) return done
    const { standing } = await getOwnReviews(db, uid, courseId)
    return refusal(403, reviewInvitations[standing === 'unconfirmed' ? standing : 'too-early'])
  }
  if (change.intent === 'remove') {
    await removeReview(db, { uid, courseId })
    return done
  }
  const vote = { uid, courseId, reviewId: change.reviewId }
  if (change.intent === 'unvote') {
    await removeVote(db, vote)
    return done
  }
  const voted = await recordVote(db, vote)
  if (voted.refusal === null) return done
  return voted.refusal === 'not-votable' ? refusal(404, notVotable) : refusal(403, voteLackTexts[voted.refusal])
}

const done: ChangeResult = { status: 200, answer: { done: true } }

function refusal(status: number, form: string): ChangeResult {
  return { status, answer: { done: false, errors: { form } } }
}
