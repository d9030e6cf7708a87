import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import { ownReview } from '~/features/catalog/course-page/course-messages'
import type { ActionResult } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { reviewsAddress } from './own-reviews'

/** A button that asks before it removes the learner's review. */
export function RemoveReviewDialog({ courseId, onRemoved }: { courseId: string; onRemoved(sentence: string): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const fetcher = useFetcher<ActionResult>()
  useEffect(() => {
    if (!fetcher.data?.done) return
    dialog.current?.close()
    onRemoved(ownReview.deleted)
  }, [fetcher.data, onRemoved])
  return (
    <>
      <Button look="quiet" onClick={() => dialog.current?.showModal()}>
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
          Your rating, your text and any helpful votes will be deleted. You can write a new review later.
        </p>
        <fetcher.Form
          method="post"
          action={reviewsAddress}
          className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end"
        >
          <input type="hidden" name="course" value={courseId} />
          <input type="hidden" name="intent" value="remove" />
          <Button look="secondary" onClick={() => dialog.current?.close()}>
            Keep review
          </Button>
          <Button type="submit" look="danger" disabled={fetcher.state !== 'idle'}>
            Delete review
          </Button>
        </fetcher.Form>
      </dialog>
    </>
  )
}
