import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import type { FetcherWithComponents } from 'react-router'
import type { ActionResult } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { TextAreaField } from '~/ui/field'
import { StarField } from '~/ui/star-field'
import { maxCommentLength, type OwnReview, reviewsAddress } from './own-reviews'
import { checkReview, type ReviewErrors } from './review-form-schema'
import { charactersLeft } from './review-messages'

type FormErrors = ReviewErrors & { form?: string }

type ReviewFormProps = {
  courseId: string
  review: OwnReview | null
  fetcher: FetcherWithComponents<ActionResult>
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
    form.current?.querySelector<HTMLInputElement>('input[name="rating"]:checked, input[name="rating"]')?.focus()
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

/** What is wrong: as the last check found it, or as the server answered. */
function useReviewErrors(fetcher: ReviewFormProps['fetcher']) {
  const [found, setFound] = useState<FormErrors | null>(null)
  // What an earlier attempt got as its answer is not about this one.
  const [before] = useState(fetcher.data)
  const refused = fetcher.data !== before && fetcher.data?.done === false ? fetcher.data.errors : {}
  const check = (event: SubmitEvent<HTMLFormElement>) => {
    const { course: _course, intent: _intent, ...values } = Object.fromEntries(new FormData(event.currentTarget))
    const { errors } = checkReview(values)
    setFound(errors)
    if (!errors) return
    event.preventDefault()
    const wrong = event.currentTarget.querySelector<HTMLElement>(errors.rating ? 'input[name="rating"]' : 'textarea')
    wrong?.focus()
  }
  const errors: FormErrors = found ?? refused
  return { errors, check, forgetRating: () => setFound((last) => last && { ...last, rating: undefined }) }
}
