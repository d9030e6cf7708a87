import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import type { FormResult } from '~/ui/form/form-result'
import { Stars } from '~/ui/stars'
import type { ReviewForm } from './review-form'
import {
  courseReviewsUrl,
  type OwnReview,
  type OwnReviews,
  reviewInvitations,
  reviewsPath,
} from './review-messages'

type OwnReviewBoxProps = {
  courseId: string
  /** Undefined until the session is known, null for a visitor. */
  uid?: string | null
  ownReviews: OwnReviews | null
}

/**
 * Shows the learner's own review, the form to write one, or the requirements for writing one. The
 * box has the same height before and after the session is known, so that the page does not jump.
 */
export function OwnReviewBox({ courseId, uid, ownReviews }: OwnReviewBoxProps) {
  const [isWriting, setIsWriting] = useState(false)
  const [Form, setForm] = useState<typeof ReviewForm | null>(null)
  const [successMessage, setSuccessMessage] = useState('')
  const [hasLoadingFailed, setHasLoadingFailed] = useState(false)
  const openButton = useRef<HTMLButtonElement>(null)
  useFocusWhenClosed(isWriting, openButton)

  // Visitors, and learners whose data has not arrived, see the general requirement.
  const eligibility = uid && ownReviews ? ownReviews.eligibility : 'too-early'

  // The form is a separate chunk, so that only learners who write a review load it.
  const openForm = async () => {
    setSuccessMessage('')
    setHasLoadingFailed(false)
    setIsWriting(true)
    try {
      const { ReviewForm } = await import('./review-form')
      setForm(() => ReviewForm)
    } catch {
      setHasLoadingFailed(true)
      setIsWriting(false)
    }
  }

  const showSaved = () => {
    setIsWriting(false)
    setSuccessMessage(ownReviewTexts.saved)
  }

  return (
    <section aria-label="Your review" className="mt-10 rounded-card bg-sunken p-5 sm:p-6">
      {isWriting && Form && (
        <Form
          courseId={courseId}
          review={ownReviews?.review ?? null}
          onSaved={showSaved}
          onCancel={() => setIsWriting(false)}
        />
      )}
      {isWriting && !Form && <p className="min-h-11">Loading...</p>}
      {!isWriting && ownReviews?.review && (
        <WrittenReview
          courseId={courseId}
          review={ownReviews.review}
          openButton={openButton}
          onEdit={openForm}
          onRemoved={setSuccessMessage}
        />
      )}
      {!isWriting && !ownReviews?.review && (
        <Invitation
          action={
            <InvitationAction
              courseId={courseId}
              uid={uid}
              ownReviews={ownReviews}
              openButton={openButton}
              onWrite={openForm}
            />
          }
        >
          {reviewInvitations[eligibility]}
        </Invitation>
      )}
      <p role="status" className={successMessage ? 'mt-3 font-medium text-good' : 'sr-only'}>
        {successMessage}
      </p>
      {hasLoadingFailed && !successMessage && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {ownReviewTexts.formNotLoaded}
        </p>
      )}
    </section>
  )
}

/**
 * Returns the focus to the button that opened the form, which reappears when the form is closed.
 */
function useFocusWhenClosed(isOpen: boolean, openButton: RefObject<HTMLButtonElement | null>) {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      openButton.current?.focus()
    }

    wasOpen.current = isOpen
  }, [isOpen, openButton])
}

/** Invites the learner to write a review, or says what is required. */
function Invitation({ children, action }: { children: string; action: ReactNode }) {
  return (
    <div className="grid min-h-24 items-center gap-x-6 gap-y-3 sm:min-h-11 sm:grid-cols-[1fr_auto]">
      <p>{children}</p>
      <div className="min-h-11">{action}</div>
    </div>
  )
}

type InvitationActionProps = {
  courseId: string
  uid?: string | null
  ownReviews: OwnReviews | null
  openButton: RefObject<HTMLButtonElement | null>
  onWrite(): void
}

function InvitationAction({
  courseId,
  uid,
  ownReviews,
  openButton,
  onWrite,
}: InvitationActionProps) {
  if (ownReviews?.eligibility === 'may-review') {
    return (
      <Button ref={openButton} onClick={onWrite}>
        Write a review
      </Button>
    )
  }

  if (ownReviews?.eligibility === 'unconfirmed') {
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

type WrittenReviewProps = {
  courseId: string
  review: OwnReview
  openButton: RefObject<HTMLButtonElement | null>
  onEdit(): void
  onRemoved(message: string): void
}

function WrittenReview({ courseId, review, openButton, onEdit, onRemoved }: WrittenReviewProps) {
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
        {!review.showsName && <p className="mt-1 text-sm text-muted">{ownReviewTexts.anonymous}</p>}
        {review.hidden && <p className="mt-2 text-sm font-medium text-warn">{review.hidden}</p>}
      </div>
      <div className="flex items-start gap-2">
        <Button ref={openButton} variant="secondary" onClick={onEdit}>
          Edit
        </Button>
        <RemoveReviewButton courseId={courseId} onRemoved={onRemoved} />
      </div>
    </div>
  )
}

type RemoveReviewButtonProps = { courseId: string; onRemoved(message: string): void }

/** Shows a button that deletes the learner's review after they have confirmed it in a dialog. */
function RemoveReviewButton({ courseId, onRemoved }: RemoveReviewButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const fetcher = useFetcher<FormResult>()
  useEffect(() => {
    if (!fetcher.data?.done) {
      return
    }

    dialog.current?.close()
    onRemoved(ownReviewTexts.deleted)
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

const ownReviewTexts = {
  saved: 'Thanks! Your review is saved.',
  deleted: 'Your review was deleted.',
  formNotLoaded: 'We couldn’t load the form. Check your connection, then reload the page.',
  anonymous: 'Posted without your name.',
} as const
