import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/**
 * Renders the linked words of a sentence. With it, the texts of a feature contain whole sentences.
 */
export type RenderLink = (words: string) => ReactNode

type MoreLinkProps = { to: string; children: string; className?: string }

/** Links from a section to the complete list. */
export function MoreLink({ to, children, className = '' }: MoreLinkProps) {
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
