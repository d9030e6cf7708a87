import { Star } from 'lucide-react'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import type { FetcherWithComponents } from 'react-router'
import { Button } from '~/ui/button'
import { TextAreaField } from '~/ui/field'
import type { FormResult } from '~/ui/form/form-result'
import { maxCommentLength, type OwnReview, reviewsAddress } from './own-reviews'
import { checkReview, type ReviewErrors } from './review-form-schema'
import { charactersLeft } from './review-messages'

type FormErrors = ReviewErrors & { form?: string }

type ReviewFormProps = {
  courseId: string
  review: OwnReview | null
  fetcher: FetcherWithComponents<FormResult>
  onCancel(): void
}

/** Rating and words of a learner; checked here and, by the same schema, on the server. */
export function ReviewForm({ courseId, review, fetcher, onCancel }: ReviewFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [length, setLength] = useState(review?.comment?.length ?? 0)
  const { errors, check, forgetRating } = useReviewErrors(fetcher)
  const saving = fetcher.state !== 'idle'
  const headingId = useId()
  useEffect(() => {
    form.current
      ?.querySelector<HTMLInputElement>('input[name="rating"]:checked, input[name="rating"]')
      ?.focus()
  }, [])

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={reviewsAddress}
      onSubmit={check}
      noValidate
      aria-labelledby={headingId}
    >
      <h3 id={headingId} className="text-lg font-bold tracking-normal">
        {review ? 'Edit your review' : 'Write a review'}
      </h3>
      <input type="hidden" name="course" value={courseId} />
      <input type="hidden" name="intent" value="save" />
      <StarField
        legend="Your rating"
        name="rating"
        initial={review?.rating}
        error={errors.rating}
        className="mt-4"
        onChange={forgetRating}
      />
      <TextAreaField
        label="What should others know? (optional)"
        name="comment"
        rows={5}
        dir="auto"
        defaultValue={review?.comment ?? ''}
        maxLength={maxCommentLength}
        error={errors.comment}
        hint={charactersLeft(maxCommentLength - length)}
        className="mt-5 max-w-2xl"
        onChange={(event) => setLength(event.currentTarget.value.length)}
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
      {errors.form && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {errors.form}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="submit" disabled={saving}>
          {saving ? 'Saving...' : 'Save review'}
        </Button>
        <Button look="secondary" onClick={onCancel} disabled={saving}>
          Cancel
        </Button>
      </div>
    </fetcher.Form>
  )
}

/** Errors of the last check, or of the server's answer. */
function useReviewErrors(fetcher: ReviewFormProps['fetcher']) {
  const [found, setFound] = useState<FormErrors | null>(null)
  // Ignore the result of an earlier attempt.
  const [before] = useState(fetcher.data)
  const refused = fetcher.data !== before && fetcher.data?.done === false ? fetcher.data.errors : {}
  const check = (event: SubmitEvent<HTMLFormElement>) => {
    const {
      course: _course,
      intent: _intent,
      ...values
    } = Object.fromEntries(new FormData(event.currentTarget))
    const { errors } = checkReview(values)
    setFound(errors)
    if (!errors) {
      return
    }

    event.preventDefault()
    const wrong = event.currentTarget.querySelector<HTMLElement>(
      errors.rating ? 'input[name="rating"]' : 'textarea',
    )
    wrong?.focus()
  }
  const errors: FormErrors = found ?? refused

  return {
    errors,
    check,
    forgetRating: () => setFound((last) => last && { ...last, rating: undefined }),
  }
}

const names = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars']

/**
 * A choice of one to five stars: five radio buttons, so that arrow keys and screen readers work as
 * everywhere.
 */
function StarField({
  legend,
  name,
  initial = 0,
  error,
  onChange,
  className = '',
}: {
  legend: string
  name: string
  /** 1 to 5; 0 while nothing is chosen. */
  initial?: number
  error?: string
  onChange?(): void
  className?: string
}) {
  const [chosen, setChosen] = useState(initial)
  const [pointed, setPointed] = useState(0)
  const errorId = useId()
  const lit = pointed || chosen

  return (
    <fieldset className={className} aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-1.5 flex" onPointerLeave={() => setPointed(0)}>
          {names.map((label, index) => (
            <label
              key={label}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(index + 1)}
              className="relative grid size-11 cursor-pointer place-items-center rounded-control text-star has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={index + 1}
                defaultChecked={index + 1 === initial}
                aria-invalid={error ? true : undefined}
                onChange={() => {
                  setChosen(index + 1)
                  onChange?.()
                }}
                className="absolute inset-0 cursor-pointer appearance-none opacity-0"
              />
              <span className="sr-only">{label}</span>
              <Star aria-hidden="true" size={28} fill={index < lit ? 'currentColor' : 'none'} />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="text-sm text-muted">
          {lit > 0 ? names[lit - 1] : 'Not rated yet'}
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
