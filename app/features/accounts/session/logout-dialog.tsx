import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { useAuth } from './auth-provider'

/** A button that asks before it signs out; once confirmed the learner is on the home page. */
export function LogoutButton({ className, children = 'Logout' }: { className?: string; children?: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button type="button" className={className} onClick={() => dialog.current?.showModal()}>
        {children}
      </button>
      <LogoutDialog ref={dialog} />
    </>
  )
}

function LogoutDialog({ ref }: { ref: React.RefObject<HTMLDialogElement | null> }) {
  const { logout, busy } = useAuth()
  const navigate = useNavigate()
  const [error, setError] = useState<string | null>(null)

  async function confirm() {
    const result = await logout()
    if (!result.success) return setError(result.error)
    ref.current?.close()
    await navigate('/')
  }

  return (
    <dialog
      ref={ref}
      aria-labelledby="logout-question"
      onClose={() => setError(null)}
      className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="logout-question" className="text-xl font-bold">
        Are you sure you want to logout?
      </h2>
      <p className="mt-2 text-muted">Your progress is saved.</p>
      {error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {error}
        </p>
      )}
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button look="secondary" onClick={() => ref.current?.close()}>
          Cancel
        </Button>
        <Button onClick={confirm} disabled={busy}>
          Logout
        </Button>
      </div>
    </dialog>
  )
}
