import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Makes words of a sentence a link, so that the sentence stands whole among its feature's messages. */
export type Linked = (words: string) => ReactNode

/** The link of a section to all of what it shows a part of. */
export function MoreLink({ to, children, className = '' }: { to: string; children: string; className?: string }) {
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
