import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ButtonLink } from './button'
import { EmptyState } from './empty-state'

type NotFoundProps = {
  heading: string
  title: string
  children: ReactNode
  /** Where to go instead. */
  way: { to: string; text: string }
}

/** What a route shows when nothing has its address, and where to go instead. Every other error is the root's. */
export function NotFoundBoundary({ heading, title, children, way }: NotFoundProps) {
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error
  return (
    <div className="column py-16">
      <h1 className="title mb-8">{heading}</h1>
      <EmptyState icon={<SearchX size={26} />} title={title} action={<ButtonLink to={way.to}>{way.text}</ButtonLink>}>
        {children}
      </EmptyState>
    </div>
  )
}
