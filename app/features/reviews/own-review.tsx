import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import type { FormResult } from '~/ui/form/form-result'
import { Stars } from '~/ui/stars'
import type { ReviewForm } from './review-form'
import {
  courseReviewsUrl,
  type OwnReview,
  type OwnReviews,
  ownReview,
  reviewInvitations,
  reviewsPath,
} from './review-messages'

/**
 * The learner's own review: the requirements, the review, and the form. The height doesn't change
 * once the session is known.
 */
export function OwnReviewBox({
  courseId,
  uid,
  own,
}: {
  courseId: string
  uid?: string | null
  own: OwnReviews | null
}) {
  const [writing, setWriting] = useState(false)
  const [Form, setForm] = useState<typeof ReviewForm | null>(null)
  const [said, setSaid] = useState('')
  const [failed, setFailed] = useState(false)
  const start = useRef<HTMLButtonElement>(null)

  function showSaved() {
    setWriting(false)
    setSaid(ownReview.saved)
  }

  // Back to where the form was opened from; that button only stands again once the form is gone.
  const wasWriting = useRef(false)
  useEffect(() => {
    if (wasWriting.current && !writing) {
      start.current?.focus()
    }

    wasWriting.current = writing
  }, [writing])

  /** Only learners who write a review load its form and the rules that check it. */
  const write = async () => {
    setSaid('')
    setFailed(false)
    setWriting(true)
    try {
      const { ReviewForm } = await import('./review-form')
      setForm(() => ReviewForm)
    } catch {
      setFailed(true)
      setWriting(false)
    }
  }

  return (
    <section aria-label="Your review" className="mt-10 rounded-card bg-sunken p-5 sm:p-6">
      {writing && Form && (
        <Form
          courseId={courseId}
          review={own?.review ?? null}
          onSaved={showSaved}
          onCancel={() => setWriting(false)}
        />
      )}
      {writing && !Form && <p className="min-h-11">Loading...</p>}
      {!writing && own?.review && (
        <WrittenReview
          courseId={courseId}
          review={own.review}
          start={start}
          onEdit={write}
          onRemoved={setSaid}
        />
      )}
      {!writing && !own?.review && (
        <Invitation
          action={<InvitationAction {...{ courseId, uid, own, start }} onWrite={write} />}
        >
          {reviewInvitations[uid && own ? own.eligibility : 'too-early']}
        </Invitation>
      )}
      <p role="status" className={said ? 'mt-3 font-medium text-good' : 'sr-only'}>
        {said}
      </p>
      {failed && !said && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {ownReview.noForm}
        </p>
      )}
    </section>
  )
}

function Invitation({ children, action }: { children: string; action: ReactNode }) {
  return (
    <div className="grid min-h-24 items-center gap-x-6 gap-y-3 sm:min-h-11 sm:grid-cols-[1fr_auto]">
      <p>{children}</p>
      <div className="min-h-11">{action}</div>
    </div>
  )
}

type ActionProps = {
  courseId: string
  uid?: string | null
  own: OwnReviews | null
  start: React.RefObject<HTMLButtonElement | null>
  onWrite(): void
}

function InvitationAction({ courseId, uid, own, start, onWrite }: ActionProps) {
  if (own?.eligibility === 'may-review') {
    return (
      <Button ref={start} onClick={onWrite}>
        Write a review
      </Button>
    )
  }

  if (own?.eligibility === 'unconfirmed') {
    return (
      <Link
        to="/ConfirmEmail"
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4 hover:text-accent"
      >
        Confirm email address
      </Link>
    )
  }

  if (uid) {
    return null
  }

  return (
    <Link
      to={`/Login?${new URLSearchParams({ from: courseReviewsUrl(courseId) })}`}
      className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4 hover:text-accent"
    >
      Sign in to write a review
    </Link>
  )
}

type WrittenProps = {
  courseId: string
  review: OwnReview
  start: React.RefObject<HTMLButtonElement | null>
  onEdit(): void
  onRemoved(sentence: string): void
}

function WrittenReview({ courseId, review, start, onEdit, onRemoved }: WrittenProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-3 font-bold text-base tracking-normal">
          Your review <Stars rating={review.rating} />
        </h3>
        {review.comment && (
          <p dir="auto" className="mt-1 line-clamp-2 max-w-[68ch] text-muted">
            {review.comment}
          </p>
        )}
        {!review.showsName && <p className="mt-1 text-sm text-muted">{ownReview.anonymous}</p>}
        {review.hidden && <p className="mt-2 text-sm font-medium text-warn">{review.hidden}</p>}
      </div>
      <div className="flex items-start gap-2">
        <Button ref={start} variant="secondary" onClick={onEdit}>
          Edit
        </Button>
        <RemoveReviewDialog courseId={courseId} onRemoved={onRemoved} />
      </div>
    </div>
  )
}

/** A button that asks before it removes the learner's review. */
function RemoveReviewDialog({
  courseId,
  onRemoved,
}: {
  courseId: string
  onRemoved(sentence: string): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const fetcher = useFetcher<FormResult>()
  useEffect(() => {
    if (!fetcher.data?.done) {
      return
    }

    dialog.current?.close()
    onRemoved(ownReview.deleted)
  }, [fetcher.data, onRemoved])

  return (
    <>
      <Button variant="quiet" onClick={() => dialog.current?.showModal()}>
        Delete
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="remove-review-question"
        className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
      >
        <h2 id="remove-review-question" className="text-xl font-bold">
          Delete your review?
        </h2>
        <p className="mt-2 text-muted">
          Your rating, your text and any helpful votes will be deleted. You can write a new review
          later.
        </p>
        <fetcher.Form
          method="post"
          action={reviewsPath}
          className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end"
        >
          <input type="hidden" name="course" value={courseId} />
          <input type="hidden" name="intent" value="remove" />
          <Button variant="secondary" onClick={() => dialog.current?.close()}>
            Keep review
          </Button>
          <Button type="submit" variant="danger" disabled={fetcher.state !== 'idle'}>
            Delete review
          </Button>
        </fetcher.Form>
      </dialog>
    </>
  )
}
