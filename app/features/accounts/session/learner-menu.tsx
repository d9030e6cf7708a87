import { ChevronDown, FileText, LayoutDashboard, LogOut, UserRound } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Avatar } from '~/ui/avatar'
import { Button } from '~/ui/button'
import { usePopoverClosedByNavigation } from '~/ui/site-header'
import {
  accountErrorMessage,
  logoutRefusedMessage,
  unexpectedErrorMessages,
} from '../account-errors'
import { removeSettingsDraft } from '../settings/settings-draft'
import { type OperationResult, useAuth } from './auth-provider'
import type { SessionUser } from './session-user.server'

const menuItemStyle =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3.5 text-left font-medium text-ink no-underline hover:bg-sunken'

/** The menu below the learner's name. On a phone, it is a part of the site's menu. */
export function LearnerMenu({ user }: { user: SessionUser }) {
  const menu = usePopoverClosedByNavigation<HTMLDivElement>()
  return (
    <div className="md:relative">
      <button
        type="button"
        popoverTarget="learner-menu"
        className="hidden min-h-11 max-w-56 items-center gap-2.5 rounded-full py-1 pr-3 pl-1 font-medium hover:bg-sunken md:inline-flex"
      >
        <Avatar src={user.photoURL} name={user.displayName} size={32} />
        <span className="truncate">{user.firstName}</span>
        <ChevronDown aria-hidden="true" size={16} className="shrink-0 text-muted" />
      </button>
      <div
        ref={menu}
        id="learner-menu"
        popover="auto"
        className="static m-0 flex w-full flex-col gap-1 border-line border-t bg-transparent pt-2 text-ink md:fixed md:inset-auto md:top-[4.25rem] md:right-[max(4rem,calc((100vw-78rem)/2+4rem))] md:hidden md:w-64 md:rounded-card md:border md:bg-surface md:p-2 md:shadow-raised md:open:flex"
      >
        <div className="flex items-center gap-3 px-3.5 py-2">
          <span className="md:hidden">
            <Avatar src={user.photoURL} name={user.displayName} size={40} />
          </span>
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.displayName}</p>
            <p className="truncate text-muted text-sm">{user.email}</p>
          </div>
        </div>
        <Link to="/Profile" className={menuItemStyle}>
          <UserRound aria-hidden="true" size={18} className="text-muted" /> Profile
        </Link>
        {user.hasPurchases && (
          <Link to="/Profile/purchases" className={menuItemStyle}>
            <FileText aria-hidden="true" size={18} className="text-muted" /> Purchases
          </Link>
        )}
        {user.isStaff && (
          <Link to="/Desk" className={menuItemStyle}>
            <LayoutDashboard aria-hidden="true" size={18} className="text-muted" /> Desk
          </Link>
        )}
        <LogoutButton className={menuItemStyle}>
          <LogOut aria-hidden="true" size={18} className="text-muted" /> Logout
        </LogoutButton>
      </div>
    </div>
  )
}

/** A button that asks for a confirmation, signs out, and opens the home page. */
export function LogoutButton({
  className,
  children = 'Logout',
}: {
  className?: string
  children?: ReactNode
}) {
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
  const { trackOperation, isBusy } = useAuth()
  const navigate = useNavigate()
  const [error, setError] = useState<string | null>(null)
  const questionId = useId()

  async function logOut() {
    const result = await trackOperation(requestLogout())
    if (!result.success) {
      return setError(result.error)
    }

    ref.current?.close()
    await navigate('/')
  }

  return (
    <dialog
      ref={ref}
      aria-labelledby={questionId}
      onClose={() => setError(null)}
      className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id={questionId} className="text-xl font-bold">
        Are you sure you want to logout?
      </h2>
      <p className="mt-2 text-muted">Your progress is saved.</p>
      {error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {error}
        </p>
      )}
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button variant="secondary" onClick={() => ref.current?.close()}>
          Cancel
        </Button>
        <Button onClick={logOut} disabled={isBusy}>
          Logout
        </Button>
      </div>
    </dialog>
  )
}

/**
 * Ends the session on the server. It never throws: after a network failure or an unreadable
 * response, the result has an error.
 */
export async function requestLogout(): Promise<OperationResult> {
  const response = await fetch('/account/logout', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  }).catch(() => null)
  if (!response) {
    return { success: false, error: accountErrorMessage('network-request-failed') }
  }

  const result = await response.json().catch(() => null)
  if (result?.success === true) {
    // The draft is removed, because other people may use this browser.
    await removeSettingsDraft()
    return { success: true }
  }

  return {
    success: false,
    error: result?.success === false ? logoutRefusedMessage : unexpectedErrorMessages.logout,
  }
}
