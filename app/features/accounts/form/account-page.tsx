import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { IconButton } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { siteName } from '~/ui/site-name'
import { errorDurationMs, useAuth } from '../session/auth-provider'
import type { AccountForm } from './form-result'
import { LearningPathPicture } from './learning-path-picture'

/**
 * The frame of the pages for login, sign-up and password reset. It shows the form and, on wide
 * screens, a panel about the benefits of an account.
 */
export function AccountPage({
  title,
  intro,
  children,
}: {
  title: string
  intro: ReactNode
  children: ReactNode
}) {
  const { isBusy } = useAuth()
  return (
    <div className="column grid items-start gap-x-16 py-8 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]">
      <aside
        aria-label={`About ${siteName()}`}
        className="sticky top-24 hidden overflow-hidden rounded-card border border-line bg-accent-soft lg:block"
      >
        <LearningPathPicture />
        <div className="border-line border-t bg-surface p-8">
          <p className="font-bold text-2xl leading-snug tracking-tight">
            Pick up right where you left off.
          </p>
          <p className="mt-2 text-muted">
            Every lesson you finish, exam you take and certificate you earn stays with your account,
            on any device.
          </p>
        </div>
      </aside>
      <div aria-busy={isBusy} className="mx-auto w-full max-w-lg">
        <h1 className="title">{title}</h1>
        <div className="mt-2 mb-7 min-h-7 text-muted">{intro}</div>
        {children}
      </div>
    </div>
  )
}

/** Separates the social buttons from the form. */
export function OrByEmailLine() {
  return <OrLine>or use email</OrLine>
}

/** Replaces the form if everyone has to sign in with their organization's account. */
export function SingleSignOnOnlyHint() {
  return (
    <p className="mt-5 text-muted">
      Sign in with your organization’s account. There’s no other password to remember.
    </p>
  )
}

/** Separates alternatives by a line. */
export function OrLine({ children }: { children: string }) {
  return (
    <p className="my-6 flex items-center gap-4 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  )
}

/**
 * Tells visitors of the login and sign-up pages which account is already signed in, and links to
 * the next pages.
 */
export function SignedInHint({ children }: { children: ReactNode }) {
  const { user, isBusy } = useAuth()
  if (!user || isBusy) {
    return <p>{children}</p>
  }

  return (
    <p>
      You’re signed in as <strong className="text-ink">{user.displayName}</strong>.{' '}
      <Link to="/Profile" className="link">
        Go to your profile
      </Link>
    </p>
  )
}

type FormOutcomeProps = {
  error: string | null | undefined
  notice: string | null | undefined
  /** Whether the page has an `AccountBanner`, which announces the error instead of the form. */
  hasBanner?: boolean
}

/** Shows the result of a form: the error of the whole form, or the message of a success. */
export function FormOutcome({ error, notice, hasBanner = false }: FormOutcomeProps) {
  return (
    <>
      {error && (
        <Notice variant="bad" silent={hasBanner}>
          {error}
        </Notice>
      )}
      <div role="status" className={notice ? undefined : 'sr-only'}>
        {notice && (
          <Notice variant="good" silent>
            {notice}
          </Notice>
        )}
      </div>
    </>
  )
}

/**
 * Shows an error of the form or of a sign-in by popup, above the page so that the layout doesn't
 * move. An error of the form disappears together with its copy in the form, after some seconds or
 * when it is closed.
 */
export function AccountBanner({
  form: { banner, clear },
}: {
  form: Pick<AccountForm, 'banner' | 'clear'>
}) {
  const { error, clearError } = useAuth()
  // The timer must call the latest function, without starting again at each render.
  const clearForm = useRef(clear)
  useEffect(() => {
    clearForm.current = clear
  })

  useEffect(() => {
    if (!banner) {
      return
    }

    clearError()
    const timer = setTimeout(() => clearForm.current(), errorDurationMs)

    return () => clearTimeout(timer)
  }, [banner, clearError])

  const message = error ?? banner

  return (
    <div
      role="alert"
      className="pointer-events-none fixed inset-x-0 top-20 z-40 flex justify-center px-4"
    >
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
