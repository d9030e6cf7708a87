import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ButtonLink } from './button'
import { EmptyState } from './empty-state'

type NotFoundProps = {
  heading: string
  title: string
  children: ReactNode
  /** Where the visitor can go instead. */
  way: { to: string; text: string }
}

/** Shown by a route when nothing has its address. The root handles all other errors. */
export function NotFoundBoundary({ heading, title, children, way }: NotFoundProps) {
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
        action={<ButtonLink to={way.to}>{way.text}</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  )
}
