import type { ReactNode } from 'react'
import { Link } from 'react-router'

const securitySettingsPath = '/Profile/settings#security'

/** The layout of the pages to which the section 'Security' of the settings links. */
export function SecurityPage({
  title,
  intro,
  children,
}: {
  title: string
  intro: string
  children: ReactNode
}) {
  return (
    <div className="column max-w-3xl py-8 lg:py-12">
      <p className="mb-2">
        <Link to={securitySettingsPath} className="link">
          Settings
        </Link>
      </p>
      <h1 className="font-bold text-3xl tracking-tight">{title}</h1>
      <p className="mt-2 mb-6 text-muted">{intro}</p>
      {children}
      <p className="mt-6 text-muted">
        After a change, you can{' '}
        <Link to={securitySettingsPath} className="link">
          sign out all other devices
        </Link>
        .
      </p>
    </div>
  )
}

/**
 * The checkbox of forms that change how to sign in. If it is checked, the change ends all other
 * sessions.
 */
export function SignOutOthersCheckbox() {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        name="endOthers"
        defaultChecked
        className="size-5 shrink-0 accent-accent"
      />
      Sign out all other devices
    </label>
  )
}
