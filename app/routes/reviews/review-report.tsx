/** /Reviews/ID/Report: a learner reports the review of another learner. */
import { useRef } from 'react'
import { data, Form, Link, useNavigation } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import {
  maxReportLength,
  reportReasonTexts,
  reportTexts,
} from '~/features/reviews/reports/report-messages'
import {
  findReportableReview,
  type ReportableReview,
  recordReport,
  reportForm,
} from '~/features/reviews/reports/report-queries.server'
import { courseReviewsUrl } from '~/features/reviews/review-messages'
import { db } from '~/server/database/client.server'
import {
  errorResponse,
  fieldErrorsResponse,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { Button, ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import { Stars } from '~/ui/stars'
import type { Route } from './+types/review-report'

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
    throw data(reportTexts.notReportable, { status: 404 })
  }

  return { review }
}

/** Stores the report. A second request with the same form stores no second report. */
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
  if (refusal === 'not-reportable') {
    throw data(reportTexts.notReportable, { status: 404 })
  }

  if (refusal === 'too-many') {
    return errorResponse(reportTexts.tooManyReports, { status: 429, form })
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
  text: reportTexts.notReportable,
  link: { to: '/AllCourses', label: 'See all courses' },
})

type ReportPageProps = { review: ReportableReview; result: FormResult | undefined }

/** Shows the review with a form to report it or, after it was reported, a message of thanks. */
function ReportPage({ review, result }: ReportPageProps) {
  const { courseId, courseTitle, isReported } = review
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(isReported, heading)
  const reviewsUrl = courseReviewsUrl(courseId)

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <p className="mb-1">
        <Link to={reviewsUrl} className="link">
          {courseTitle}
        </Link>
      </p>
      <h1 ref={heading} tabIndex={-1} className="title outline-none">
        {reportTexts.title}
      </h1>
      <figure className="card my-6 p-5">
        <figcaption className="flex flex-wrap items-center gap-x-3">
          <bdi className="font-bold">{review.name ?? 'Anonymous'}</bdi>
          <Stars rating={review.rating} />
        </figcaption>
        {review.comment && (
          <blockquote dir="auto" className="mt-3 whitespace-pre-line [overflow-wrap:anywhere]">
            {review.comment}
          </blockquote>
        )}
      </figure>
      {isReported ? (
        <div className="grid gap-5">
          <Notice variant="good">{reportTexts.thanks}</Notice>
          <p>
            <ButtonLink to={reviewsUrl} variant="secondary">
              {reportTexts.backToReviews}
            </ButtonLink>
          </p>
        </div>
      ) : (
        <ReportForm result={result} reviewsUrl={reviewsUrl} />
      )}
    </div>
  )
}

type ReportFormProps = { result: FormResult | undefined; reviewsUrl: string }

function ReportForm({ result, reviewsUrl }: ReportFormProps) {
  const errors = getFieldErrors(result)
  const submittedValues = result?.done === false ? result.submittedValues : undefined
  const isBusy = useNavigation().formMethod !== undefined

  return (
    <Form method="post" className="grid gap-5">
      {errors.form && <Notice variant="bad">{errors.form}</Notice>}
      <fieldset aria-describedby={errors.reason ? 'reason-error' : undefined}>
        <legend className="mb-1.5 font-medium">{reportTexts.reasonQuestion}</legend>
        {Object.entries(reportReasonTexts).map(([reason, text]) => (
          <label key={reason} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="reason"
              value={reason}
              required
              defaultChecked={submittedValues?.reason === reason}
              className="size-5 accent-accent"
            />
            {text}
          </label>
        ))}
        {errors.reason && (
          <p id="reason-error" className="mt-1.5 text-sm font-medium text-bad">
            {errors.reason}
          </p>
        )}
      </fieldset>
      <TextAreaField
        label={reportTexts.commentLabel}
        name="comment"
        dir="auto"
        maxLength={maxReportLength}
        defaultValue={submittedValues?.comment}
        error={errors.comment}
      />
      <p className="text-muted">{reportTexts.privacyNote}</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy}>
          {reportTexts.button}
        </Button>
        <ButtonLink to={reviewsUrl} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
