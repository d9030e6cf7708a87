import { createContext, use } from 'react'

/** The number of the request that the server is answering; on a page that a browser shows it stands already. */
export const RequestNumber = createContext<string | undefined>(undefined)

/** The number under which the log has what happened. */
export function FailureNumber() {
  const number = use(RequestNumber)
  return (
    <p suppressHydrationWarning className="mt-3 text-muted text-sm">
      {number && `If you report this problem, include this reference: ${number}`}
    </p>
  )
}
