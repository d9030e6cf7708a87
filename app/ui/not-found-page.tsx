import { SearchX } from 'lucide-react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ButtonLink } from './button'
import { EmptyState } from './empty-state'

type NotFoundPage = {
  heading: string
  title: string
  text: string
  /** Where the visitor can go instead. */
  link: { to: string; label: string }
}

/**
 * Returns the `ErrorBoundary` of a route that explains which page was not found. All other errors go
 * on to the root's `ErrorBoundary`.
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
