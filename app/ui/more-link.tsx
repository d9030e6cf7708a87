import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Turns words of a sentence into a link, so that a feature's messages contain whole sentences. */
export type Linked = (words: string) => ReactNode

/** Links from a section to the complete list. */
export function MoreLink({
  to,
  children,
  className = '',
}: {
  to: string
  children: string
  className?: string
}) {
  return (
    <Link
      to={to}
      className={`inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-accent hover:text-accent-strong hover:underline ${className}`}
    >
      {children}
      <ArrowRight aria-hidden="true" size={18} className="shrink-0" />
    </Link>
  )
}
