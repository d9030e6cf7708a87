import { createContext, use } from 'react'

/** The ID of the request being answered; in the browser, the page already shows it. */
export const RequestNumber = createContext<string | undefined>(undefined)

/** The request ID, under which the log has the details. */
export function FailureNumber() {
  const number = use(RequestNumber)
  return (
    <p suppressHydrationWarning className="mt-3 text-muted text-sm">
      {number && `If you report this problem, include this reference: ${number}`}
    </p>
  )
}
