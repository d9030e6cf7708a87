import { type ReactNode, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import type { FormResult } from '../form/form-result'

/** A page that belongs to the section 'Security' of the settings. */
export function SecurityPage({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
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
    </div>
  )
}

/** The result of the form that was sent last. @param first the action's, for a form without scripts. */
export function useShownResult(first: FormResult | undefined) {
  const [shown, setShown] = useState(first)
  const { revalidate } = useRevalidator()
  // Only now, because a form that reads the page again before its answer was handled would be gone by then.
  const onDone = (result: FormResult) => {
    setShown(result)
    return revalidate()
  }
  return { shown, onDone }
}
