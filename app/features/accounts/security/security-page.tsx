import { type ReactNode, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import type { AccountFormResult } from '../form/form-result'

/** The frame of the pages behind the section 'Security' of the settings. */
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
        <Link to="/Profile/settings#security" className="link">
          Settings
        </Link>
      </p>
      <h1 className="font-bold text-3xl tracking-tight">{title}</h1>
      <p className="mt-2 mb-6 text-muted">{intro}</p>
      {children}
      <p className="mt-6 text-muted">
        After a change, you can{' '}
        <Link to="/Profile/settings#security" className="link">
          sign out all other devices
        </Link>
        .
      </p>
    </div>
  )
}

/**
 * Remembers the result of the last form.
 *
 * @param first the action's result, for a form without scripts.
 */
export function useShownResult(first: AccountFormResult | undefined) {
  const [shown, setShown] = useState(first)
  const { revalidate } = useRevalidator()
  // Revalidating earlier could unmount the form before it handles its result.
  const onSuccess = (result: AccountFormResult) => {
    setShown(result)
    return revalidate()
  }

  return { shown, onSuccess }
}
