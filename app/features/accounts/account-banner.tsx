import { CircleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorClearsAfterMs, useAuth } from './auth-provider'

/**
 * The message of the banner: the provider's error, or first what the page itself came with (a form sent without
 * JavaScript, a social sign-in by redirect). Both clear by themselves.
 */
export function useBannerMessage(arrived: string | null | undefined): string | null {
  const { error } = useAuth()
  const [first, setFirst] = useState(arrived ?? null)
  useEffect(() => {
    setFirst(arrived ?? null)
    const timer = setTimeout(() => setFirst(null), errorClearsAfterMs)
    return () => clearTimeout(timer)
  }, [arrived])
  return error ?? first
}

/** Lies over the page, so that nothing moves when it comes and goes. */
export function AccountBanner({ message, onClose }: { message: string | null; onClose(): void }) {
  return (
    <div role="alert" className="pointer-events-none fixed inset-x-0 top-20 z-40 flex justify-center px-4">
      {message && (
        <div className="pointer-events-auto flex max-w-xl items-center gap-3 rounded-control border border-bad bg-bad-soft py-1.5 pr-1.5 pl-4 font-medium text-bad shadow-raised">
          <CircleAlert aria-hidden="true" size={20} className="shrink-0" />
          <p>{message}</p>
          <button
            type="button"
            onClick={onClose}
            aria-label="Close this message"
            className="grid size-9 shrink-0 place-items-center rounded-control hover:bg-surface"
          >
            <X aria-hidden="true" size={18} />
          </button>
        </div>
      )}
    </div>
  )
}
