import { createContext, use } from 'react'

/** The ID of the current request. It is known on the server only. */
export const RequestId = createContext<string | undefined>(undefined)

/** Shows the ID under which the log has the details of an error. */
export function FailureReference() {
  const requestId = use(RequestId)
  return (
    // The browser doesn't know the ID, so it keeps the text of the server's HTML.
    <p suppressHydrationWarning className="mt-3 text-muted text-sm">
      {requestId && `If you report this problem, include this reference: ${requestId}`}
    </p>
  )
}
