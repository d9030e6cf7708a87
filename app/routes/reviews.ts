import { data, redirect } from 'react-router'
import { addressOfCourseReviews, type ReviewAnswer } from '~/features/catalogue/own-reviews'
import { changeReviews, parseReviewChange } from '~/features/catalogue/review-change.server'
import { getOwnReviews } from '~/features/catalogue/review-queries.server'
import { demoRefusal } from '~/server/auth/shared-demo.server'
import { db } from '~/server/database/client.server'
import { findLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import type { Route } from './+types/reviews'

const headers = { 'Cache-Control': 'no-store' }

/** For scripts: what of a course's reviews is the learner's own; null for a visitor. A person is led to the course. */
export async function loader({ request }: Route.LoaderArgs) {
  const courseId = new URL(request.url).searchParams.get('course') ?? ''
  if (isNavigation(request)) return redirect(addressOfCourseReviews(courseId))
  const learner = await findLearner(request)
  return data(learner && (await getOwnReviews(db, learner.uid, courseId)), { headers })
}

/** Writes, changes or removes the learner's review, or their vote. A form that comes without a script is led back. */
export async function action({ request }: Route.ActionArgs) {
  const change = await parseReviewChange(request)
  if (!change) return reply(request, 400, { done: false, errors: { form: 'This form cannot be read.' } })
  const back = addressOfCourseReviews(change.courseId)
  const learner = await findLearner(request)
  if (!learner) return redirect(`/Login?${new URLSearchParams({ from: back })}`)
  const refused = demoRefusal(learner.uid, 'review')
  if (refused) return reply(request, 403, { done: false, errors: { form: refused } })
  const { status, answer } = await changeReviews(db, learner.uid, change, new Date())
  return answer.done && isNavigation(request) ? redirect(back, 303) : reply(request, status, answer)
}

/** Without an answer the form stays as it is, with what was typed. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, (form): ReviewAnswer => ({ done: false, errors: { form } }))
}

function reply(request: Request, status: number, answer: ReviewAnswer) {
  if (answer.done || !isNavigation(request)) return data(answer, { status, headers })
  return new Response(Object.values(answer.errors)[0], { status, headers })
}

/** Browsers ask for HTML when they leave a page for this address; scripts do not. */
function isNavigation(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false
}
