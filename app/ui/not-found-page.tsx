import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from './button'
import { EmptyState } from './empty-state'

type NotFoundProps = {
  heading: string
  title: string
  children: ReactNode
  /** Where to go instead. */
  way: { to: string; text: string }
}

/** Nothing has this address, and where to go instead. */
export function NotFoundPage({ heading, title, children, way }: NotFoundProps) {
  return (
    <div className="column py-16">
      <h1 className="title mb-8">{heading}</h1>
      <EmptyState icon={<SearchX size={26} />} title={title} action={<ButtonLink to={way.to}>{way.text}</ButtonLink>}>
        {children}
      </EmptyState>
    </div>
  )
}
