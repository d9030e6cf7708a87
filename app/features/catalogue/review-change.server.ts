import type { Database } from '~/server/database/client.server'
import { productWatch } from '~/server/product-watch.server'
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

/** Makes a learner's change; this process forgets the kept pages that show what it changed before it answers. */
export async function changeReviews(
  db: Database,
  uid: string,
  change: ReviewChange,
  now: Date,
): Promise<{ status: number; answer: ActionResult }> {
  const { changed = false, ...result } = await makeChange(db, uid, change, now)
  if (changed) await productWatch.check()
  return result
}

type ChangeResult = { status: number; answer: ActionResult; changed?: boolean }

async function makeChange(db: Database, uid: string, change: ReviewChange, now: Date): Promise<ChangeResult> {
  const { courseId } = change
  if (change.intent === 'save') {
    const { review, errors } = checkReview(change.values)
    if (errors) return { status: 400, answer: { done: false, errors } }
    const recorded = await recordReview(db, { uid, courseId }, review, now)
    if (recorded) return done(recorded === 'changed')
    const { standing } = await getOwnReviews(db, uid, courseId)
    return refusal(403, reviewInvitations[standing === 'unconfirmed' ? standing : 'too-early'])
  }
  if (change.intent === 'remove') {
    return done(await removeReview(db, { uid, courseId }))
  }
  const vote = { uid, courseId, reviewId: change.reviewId }
  if (change.intent === 'unvote') return done(await removeVote(db, vote))
  const voted = await recordVote(db, vote)
  if (voted.refusal === null) return done(voted.changed)
  return voted.refusal === 'not-votable' ? refusal(404, notVotable) : refusal(403, voteLackTexts[voted.refusal])
}

function done(changed: boolean): ChangeResult {
  return { status: 200, answer: { done: true }, changed }
}

function refusal(status: number, form: string): ChangeResult {
  return { status, answer: { done: false, errors: { form } } }
}
