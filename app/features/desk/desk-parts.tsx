/**
 * What the pages of the desk are made of: headings, sections, lists of values, badges and times.
 */
import { type ReactNode, useContext } from 'react'
import { Link } from 'react-router'
import { formatDate, formatDateTime } from '~/ui/format-date'
import { DeskContext } from './desk-context'

/** Shows a point in time in the time zone of the member of staff. */
export function Time({ at }: { at: Date | string }) {
  const { timeZone } = useContext(DeskContext)
  const iso = new Date(at).toISOString()
  return <time dateTime={iso}>{formatDateTime(iso, timeZone)}</time>
}

/** Shows the day of a point in time in the time zone of the member of staff. */
export function Day({ at }: { at: Date | string }) {
  const { timeZone } = useContext(DeskContext)
  const iso = new Date(at).toISOString()
  return <time dateTime={iso}>{formatDate(iso, timeZone)}</time>
}

/** Says when the figures were counted, or that the first count has not finished (null). */
export function CountedAt({ at }: { at: Date | null }) {
  if (at === null) {
    return 'The figures are being counted. Reload this page in a minute.'
  }

  return (
    <>
      Counted <Time at={at} />, and anew every ten minutes.
    </>
  )
}

type DeskTitleProps = {
  children: ReactNode
  /** The page that the link above the heading leads to. */
  parentPage?: { to: string; label: string }
  intro?: ReactNode
  /** Shown beside the heading, such as a button. */
  side?: ReactNode
}

/** The heading of a page, with a link back to the list that the page belongs to. */
export function DeskTitle({ children, parentPage, intro, side }: DeskTitleProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {parentPage && (
          <p className="mb-1">
            <Link to={parentPage.to} className="link">
              {parentPage.label}
            </Link>
          </p>
        )}
        <h1 className="title [overflow-wrap:anywhere]">{children}</h1>
        {intro && <p className="mt-2 max-w-2xl text-muted">{intro}</p>}
      </div>
      {side}
    </header>
  )
}

type SectionProps = {
  title: string
  /** The ID for links to the section. */
  id?: string
  children: ReactNode
}

export function Section({ title, id, children }: SectionProps) {
  return (
    <section id={id} className="mt-10">
      <h2 className="mb-4 font-bold text-xl">{title}</h2>
      {children}
    </section>
  )
}

/** A named value in a `DetailList`. */
export type DetailItem = readonly [name: string, value: ReactNode]

/** Shows the values of an order, a course or an account, each with its name. */
export function DetailList({ items }: { items: readonly DetailItem[] }) {
  return (
    <dl className="card grid gap-x-8 gap-y-3 p-5 sm:grid-cols-2">
      {items.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type BadgeVariant = 'good' | 'warn' | 'bad' | 'plain'

const badgeClasses: Record<BadgeVariant, string> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  plain: 'bg-sunken text-muted',
}

/** Shows a status or another short text in a color. */
export function Badge({ variant, children }: { variant: BadgeVariant; children: ReactNode }) {
  return (
    <span
      className={`inline-block whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-sm ${badgeClasses[variant]}`}
    >
      {children}
    </span>
  )
}

/** Shows a sentence in place of an empty list. */
export function EmptyState({ children }: { children: ReactNode }) {
  return <p className="card p-5 text-muted">{children}</p>
}
