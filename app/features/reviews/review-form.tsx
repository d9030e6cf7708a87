import { Star } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Button } from '~/ui/button'
import { TextAreaField } from '~/ui/form/field'
import { Form } from '~/ui/form/form'
import type { FieldErrors } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { byCount, formatNumber } from '~/ui/format-count'
import { checkReview } from './review-form-schema'
import { maxCommentLength, type OwnReview, reviewsPath } from './review-messages'

type ReviewFormProps = {
  courseId: string
  review: OwnReview | null
  onSaved(): void
  onCancel(): void
}

/**
 * Shows the form for the learner's review. The browser and the server check it by the same schema.
 */
export function ReviewForm({ courseId, review, onSaved, onCancel }: ReviewFormProps) {
  const form = useForm({ validate: findReviewErrors, onSuccess: onSaved })
  const [commentLength, setCommentLength] = useState(review?.comment?.length ?? 0)
  const headingId = useId()

  useEffect(() => {
    const formElement = form.ref.current
    const chosenStar = formElement?.querySelector<HTMLInputElement>('input[name="rating"]:checked')
    const firstStar = formElement?.querySelector<HTMLInputElement>('input[name="rating"]')
    const focusedStar = chosenStar ?? firstStar
    focusedStar?.focus()
  }, [form.ref])

  return (
    <Form
      form={form}
      action={reviewsPath}
      hiddenValues={{ course: courseId, intent: 'save' }}
      aria-labelledby={headingId}
    >
      <h3 id={headingId} className="text-lg font-bold tracking-normal">
        {review ? 'Edit your review' : 'Write a review'}
      </h3>
      <StarField
        legend="Your rating"
        name="rating"
        initialStars={review?.rating}
        error={form.errors.rating}
        className="mt-4"
      />
      <TextAreaField
        label="What should others know? (optional)"
        name="comment"
        rows={5}
        dir="auto"
        defaultValue={review?.comment ?? ''}
        maxLength={maxCommentLength}
        error={form.errors.comment}
        hint={formatRemainingCharacters(maxCommentLength - commentLength)}
        className="mt-5 max-w-2xl"
        onChange={(event) => setCommentLength(event.currentTarget.value.length)}
      />
      <label className="mt-4 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name="showsName"
          defaultChecked={review?.showsName ?? true}
          className="size-5 shrink-0 accent-accent"
        />
        Show my name and photo
      </label>
      {form.errors.form && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {form.errors.form}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="submit" disabled={form.isBusy}>
          {form.isBusy ? 'Saving...' : 'Save review'}
        </Button>
        <Button variant="secondary" onClick={onCancel} disabled={form.isBusy}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function findReviewErrors(form: FormData): FieldErrors | undefined {
  const { course: _course, intent: _intent, ...values } = Object.fromEntries(form)
  return checkReview(values).errors ?? undefined
}

const starLabels = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars']

type StarFieldProps = {
  legend: string
  name: string
  /** A number from 1 to 5, or 0 if nothing is chosen. */
  initialStars?: number
  error?: string
  className?: string
}

/**
 * Lets the learner choose one to five stars. Radio buttons make arrow keys and screen readers work
 * as usual.
 */
function StarField({ legend, name, initialStars = 0, error, className = '' }: StarFieldProps) {
  const [chosenStars, setChosenStars] = useState(initialStars)
  // The number of stars under the mouse pointer, or 0.
  const [hoveredStars, setHoveredStars] = useState(0)
  const errorId = useId()
  const filledStars = hoveredStars || chosenStars

  return (
    <fieldset className={className} aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-1.5 flex" onPointerLeave={() => setHoveredStars(0)}>
          {starLabels.map((label, index) => (
            <label
              key={label}
              onPointerEnter={({ pointerType }) =>
                pointerType === 'mouse' && setHoveredStars(index + 1)
              }
              className="relative grid size-11 cursor-pointer place-items-center rounded-control text-star has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={index + 1}
                defaultChecked={index + 1 === initialStars}
                aria-invalid={error ? true : undefined}
                onChange={() => setChosenStars(index + 1)}
                className="absolute inset-0 cursor-pointer appearance-none opacity-0"
              />
              <span className="sr-only">{label}</span>
              <Star
                aria-hidden="true"
                size={28}
                fill={index < filledStars ? 'currentColor' : 'none'}
              />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="text-sm text-muted">
          {filledStars > 0 ? starLabels[filledStars - 1] : 'Not rated yet'}
        </span>
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function formatRemainingCharacters(count: number): string {
  return byCount(count, '1 character left', `${formatNumber(count)} characters left`)
}
