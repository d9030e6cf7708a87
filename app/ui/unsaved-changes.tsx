import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Button } from './button'

type UnsavedChangesProps = {
  hasUnsavedChanges: boolean
  /** Whether a reload would lose some of the changes. The browser then asks before a reload, too. */
  isLostOnReload: boolean
  /** Runs when the learner leaves the page and gives the changes up. */
  onLeave(): unknown
}

/**
 * Asks before a navigation leaves a page with unsaved changes. A page can have only one, because
 * React Router supports one blocker at a time.
 */
export function UnsavedChanges({
  hasUnsavedChanges,
  isLostOnReload,
  onLeave,
}: UnsavedChangesProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return hasUnsavedChanges && currentLocation.pathname !== nextLocation.pathname
  })

  useEffect(() => {
    if (!isLostOnReload) {
      return
    }

    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)

    return () => window.removeEventListener('beforeunload', ask)
  }, [isLostOnReload])

  const isAsking = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsking) {
      dialog.current?.showModal()
    } else {
      dialog.current?.close()
    }
  }, [isAsking])

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
