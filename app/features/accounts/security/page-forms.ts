import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { AccountFormResult } from '../form/form-result'

export type PageForms = ReturnType<typeof usePageForms>

/**
 * Coordinates the messages of a page with several forms, so that only the form that was sent last
 * has one. The page shows the notice of `displayedResult`. Each form shows its own error unless
 * `isErrorOutdated` returns true.
 *
 * @param initialResult the route action's result if a form was sent without JavaScript
 */
export function usePageForms(initialResult: AccountFormResult | undefined) {
  const [latestResult, setLatestResult] = useState(initialResult)
  const [isResultReplaced, setIsResultReplaced] = useState(false)
  const [latestFormId, setLatestFormId] = useState<string | null>(null)
  const { revalidate } = useRevalidator()

  const markAsSent = (formId: string) => {
    setLatestFormId(formId)
    setIsResultReplaced(true)
  }

  // The page revalidates only now: earlier, it could unmount the form before the form handles its
  // result.
  const onSuccess = (result: AccountFormResult) => {
    setLatestResult(result)
    setIsResultReplaced(false)
    return revalidate()
  }

  return {
    /** The last success, or the result of the form that was sent without JavaScript. */
    latestResult,
    /** The same, until another form is sent. */
    displayedResult: isResultReplaced ? undefined : latestResult,
    /** Must be called when a form is sent. It removes the messages of the other forms. */
    markAsSent,
    /** Returns whether another form was sent after this one. */
    isErrorOutdated: (formId: string) => latestFormId !== null && latestFormId !== formId,
    onSuccess,
  }
}
