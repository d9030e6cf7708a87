import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '~/ui/button'

type UnsavedChangesDialogProps = {
  hasUnsavedChanges: boolean
  /**
   * Whether a reload would lose some of the changes. The browser then asks before a reload, too.
   */
  wouldLoseChangesOnReload: boolean
  /** Called when the learner chooses to leave the page without saving. */
  onLeave(): void
}

/**
 * Asks the learner to confirm before a navigation leaves a page with unsaved changes. A page can
 * have only one such dialog, because React Router supports one blocker at a time.
 */
export function UnsavedChangesDialog({
  hasUnsavedChanges,
  wouldLoseChangesOnReload,
  onLeave,
}: UnsavedChangesDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return hasUnsavedChanges && currentLocation.pathname !== nextLocation.pathname
  })

  useEffect(() => {
    if (!wouldLoseChangesOnReload) {
      return
    }

    const askBeforeReload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', askBeforeReload)

    return () => window.removeEventListener('beforeunload', askBeforeReload)
  }, [wouldLoseChangesOnReload])

  const isOpen = blocker.state === 'blocked'
  useEffect(() => {
    if (isOpen) {
      dialog.current?.showModal()
    } else {
      dialog.current?.close()
    }
  }, [isOpen])

  return (
    <dialog
      ref={dialog}
      aria-labelledby="unsaved-question"
      onClose={() => blocker.reset?.()}
      className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="unsaved-question" className="font-bold text-xl">
        Leave without saving?
      </h2>
      <p className="mt-2 text-muted">Your changes on this page haven’t been saved.</p>
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button variant="secondary" onClick={() => dialog.current?.close()}>
          Keep editing
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            onLeave()
            blocker.proceed?.()
          }}
        >
          Leave
        </Button>
      </div>
    </dialog>
  )
}
