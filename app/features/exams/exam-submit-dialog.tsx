import type { RefObject } from 'react'
import { Button } from '~/ui/button'
import { submitUnanswered } from './exam-messages'

type SubmitDialogProps = {
  dialogRef: RefObject<HTMLDialogElement | null>
  /** How many questions have no answer. */
  missing: number
  onSubmit(): void
}

/** Asks before an exam with empty questions is submitted. */
export function SubmitDialog({ dialogRef, missing, onSubmit }: SubmitDialogProps) {
  const close = () => dialogRef.current?.close()
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby="submit-question"
      className="card m-auto w-[min(28rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="submit-question" className="font-bold text-xl">
        {submitUnanswered.question(missing)}
      </h2>
      <p className="mt-2 text-muted">{submitUnanswered.text}</p>
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button look="secondary" onClick={close}>
          Keep working
        </Button>
        <Button
          onClick={() => {
            close()
            onSubmit()
          }}
        >
          Submit anyway
        </Button>
      </div>
    </dialog>
  )
}
