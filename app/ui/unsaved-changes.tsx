import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Button } from './button'

/**
 * Asks before another page takes the place of one with changes that are not saved. One a page.
 *
 * @param lost whether a reload would lose some of them: the browser then asks, too.
 * @param onLeave the changes are given up.
 */
export function UnsavedChanges({
  when,
  lost,
  onLeave,
}: {
  when: boolean
  lost: boolean
  onLeave(): unknown
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return when && currentLocation.pathname !== nextLocation.pathname
  })
  useEffect(() => {
    if (!lost) {
      return
    }

    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)

    return () => window.removeEventListener('beforeunload', ask)
  }, [lost])
  const asks = blocker.state === 'blocked'
  useEffect(() => {
    if (asks) {
      dialog.current?.showModal()
    } else {
      dialog.current?.close()
    }
  }, [asks])

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
        <Button look="secondary" onClick={() => dialog.current?.close()}>
          Keep editing
        </Button>
        <Button
          look="danger"
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
