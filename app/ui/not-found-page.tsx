import { SearchX, WifiOff } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Button, ButtonLink } from './button'
import { useOnline } from './connection'
import { EmptyState } from './empty-state'
import { siteName } from './site-name'

type NotFoundPage = {
  heading: string
  title: string
  text: string
  /** Where the visitor can go instead. */
  link: { to: string; label: string }
}

/**
 * Returns the `ErrorBoundary` of a route that explains which page was not found. All other errors
 * go on to the root's `ErrorBoundary`.
 */
export function createNotFoundBoundary({ heading, title, text, link }: NotFoundPage) {
  // biome-ignore lint/correctness/noComponentHookFactories: each route module calls this once, when it loads.
  return function NotFoundBoundary() {
    const error = useRouteError()
    if (!isRouteErrorResponse(error) || error.status !== 404) {
      throw error
    }

    return (
      <div className="column py-16">
        <h1 className="title mb-8">{heading}</h1>
        <EmptyState
          icon={<SearchX size={26} />}
          title={title}
          action={<ButtonLink to={link.to}>{link.label}</ButtonLink>}
        >
          {text}
        </EmptyState>
      </div>
    )
  }
}

/** Replaces a page that could not be loaded, because the network or the server is down. */
export function NoConnection({ children }: { children?: ReactNode }) {
  const online = useOnline()
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  const heading = online ? `We can’t reach ${siteName()}` : 'You’re offline'

  return (
    <div className="column flex flex-col items-center py-24 text-center">
      <title>{`${heading} · ${siteName()}`}</title>
      <WifiOff aria-hidden="true" size={40} className="text-muted" />
      <h1 className="title mt-5">{heading}</h1>
      <div role="status" className="mx-auto mt-4 grid max-w-lg gap-2 text-muted">
        <p>
          {online
            ? `${siteName()} isn’t responding right now. Please try again in a moment.`
            : 'This page will load as soon as you’re back online.'}
        </p>
        {children}
      </div>
      <Button className="mt-8" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  )
}

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
