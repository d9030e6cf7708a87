import { data } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { reportTexts } from '~/features/reviews/reports/report-messages'
import { ReportPage } from '~/features/reviews/reports/report-page'
import {
  findReportableReview,
  recordReport,
  reportForm,
} from '~/features/reviews/reports/report-queries.server'
import { db } from '~/server/database/client.server'
import {
  errorResponse,
  fieldErrorsResponse,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/review-report'

/** /Reviews/ID/Report: a learner reports the review of another learner. */
export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: reportTexts.title,
    description: 'Tell us what is wrong with a review.',
    path: null,
    matches,
  })
}

/** Responds with 404 if the review is deleted, hidden, or the learner's own. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const review = await findReportableReview(db, uid, params.review)
  if (!review) {
    throw data(reportTexts.gone, { status: 404 })
  }

  return { review }
}

/** Sending the same form again stores no second report. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const demoRefusal = findDemoRefusal(uid, 'review')
  if (demoRefusal) {
    return errorResponse(demoRefusal, { status: 403, form })
  }

  const submission = reportForm.safeParse(Object.fromEntries(form))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  const refusal = await recordReport(db, { uid, reviewId: params.review }, submission.data)
  if (refusal === 'gone') {
    throw data(reportTexts.gone, { status: 404 })
  }

  if (refusal === 'too-many') {
    return errorResponse(reportTexts.tooMany, { status: 429, form })
  }

  return successResponse()
}

export const clientAction = createClientAction<typeof action>()

export default function ReviewReportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ReportPage review={loaderData.review} result={actionData} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: 'There is no such review',
  title: 'Review not found',
  text: reportTexts.gone,
  link: { to: '/AllCourses', label: 'See all courses' },
})
