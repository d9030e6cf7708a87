import { useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { Stars } from '~/ui/stars'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { courseReviewsUrl } from '../review-messages'
import { maxReportLength, reasonTexts, reportTexts } from './report-messages'
import type { ReportedReview } from './report-queries.server'

type ReportPageProps = { review: ReportedReview; result: FormResult | undefined }

/** The form that reports a review or, after it was sent, a message of thanks. */
export function ReportPage({ review, result }: ReportPageProps) {
  const { courseId, courseTitle, isReported } = review
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(isReported, title)
  const reviewsUrl = courseReviewsUrl(courseId)

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <p className="mb-1">
        <Link to={reviewsUrl} className="link">
          {courseTitle}
        </Link>
      </p>
      <h1 ref={title} tabIndex={-1} className="title outline-none">
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
              {reportTexts.back}
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
        <legend className="mb-1.5 font-medium">{reportTexts.what}</legend>
        {Object.entries(reasonTexts).map(([reason, text]) => (
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
        label={reportTexts.more}
        name="comment"
        dir="auto"
        maxLength={maxReportLength}
        defaultValue={submittedValues?.comment}
        error={errors.comment}
      />
      <p className="text-muted">{reportTexts.who}</p>
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
