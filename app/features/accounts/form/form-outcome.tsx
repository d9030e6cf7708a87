import { CircleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '~/ui/icon-button'
import { Notice } from '~/ui/notice'
import { errorClearsAfterMs, useAuth } from '../session/auth-provider'
import type { AccountForm } from './use-account-form'

/**
 * Inside a form: the copy of the banner's error, good news, or that it is sent again by itself. Of an error the banner alone is
 * announced, so that nothing is said twice.
 */
export function FormOutcome({
  error,
  notice,
  waiting,
}: {
  error: string | null | undefined
  notice: string | null | undefined
  waiting?: string
}) {
  return (
    <>
      {error && (
        <Notice look="bad" silent>
          {error}
        </Notice>
      )}
      <div role="status" className={notice || waiting ? undefined : 'sr-only'}>
        {waiting && <Notice look="info">{waiting}</Notice>}
        {notice && (
          <Notice look="good" silent>
            {notice}
          </Notice>
        )}
      </div>
    </>
  )
}

/**
 * Says what the form was refused, or a sign-in by popup. The form's message disappears together with its copy in
 * the form, by itself or when closed. It overlays the page, so nothing moves when it comes and goes.
 */
export function AccountBanner({ form: { banner, clear } }: { form: Pick<AccountForm, 'banner' | 'clear'> }) {
  const { error, clearError } = useAuth()
  const clearForm = useRef(clear)
  useEffect(() => {
    clearForm.current = clear
  })
  useEffect(() => {
    if (!banner) return
    clearError()
    const timer = setTimeout(() => clearForm.current(), errorClearsAfterMs)
    return () => clearTimeout(timer)
  }, [banner, clearError])
  const message = error ?? banner
  return (
    <div role="alert" className="pointer-events-none fixed inset-x-0 top-20 z-40 flex justify-center px-4">
      {message && (
        <div className="pointer-events-auto flex max-w-xl items-center gap-3 rounded-control border border-bad bg-bad-soft py-1.5 pr-1.5 pl-4 font-medium text-bad shadow-raised">
          <CircleAlert aria-hidden="true" size={20} className="shrink-0" />
          <p>{message}</p>
          <IconButton
            label="Close this message"
            onClick={() => {
              clearError()
              clear()
            }}
          >
            <X aria-hidden="true" size={18} />
          </IconButton>
        </div>
      )}
    </div>
  )
}
