import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { Form, Link, useNavigation, useSearchParams } from 'react-router'
import { Button } from '~/ui/button'
import { HiddenFields } from '~/ui/form/form'
import { formatDateTime } from '~/ui/format-date'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'

/** What every part of a page of the desk knows. */
type Desk = {
  /** The member of staff's time zone. */
  timeZone: string
  /** The values of the form that was just refused. The form stays open and shows them. */
  submittedValues?: Readonly<Record<string, string>>
  /** The typed Markdown as HTML, after the button 'Preview'. */
  preview?: string
}

export const DeskContext = createContext<Desk>({ timeZone: 'UTC' })

/** A point in time, in the time zone of the member of staff. */
export function Time({ at }: { at: Date | string }) {
  const { timeZone } = useContext(DeskContext)
  const iso = new Date(at).toISOString()
  return <time dateTime={iso}>{formatDateTime(iso, timeZone)}</time>
}

/** Says when the figures were counted. @param at null before the first count. */
export function CountedAt({ at }: { at: Date | null }) {
  if (!at) {
    return 'The figures are being counted. Reload this page in a minute.'
  }

  return (
    <>
      Counted <Time at={at} />, and anew every ten minutes.
    </>
  )
}

type TitleProps = {
  children: ReactNode
  above?: { to: string; label: string }
  intro?: ReactNode
  side?: ReactNode
}

/** The heading of a page, with the way back to the list that it belongs to. */
export function DeskTitle({ children, above, intro, side }: TitleProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {above && (
          <p className="mb-1">
            <Link to={above.to} className="link">
              {above.label}
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

/** @param id for links to the section. */
export function Section({
  title,
  id,
  children,
}: {
  title: string
  id?: string
  children: ReactNode
}) {
  return (
    <section id={id} className="mt-10">
      <h2 className="mb-4 font-bold text-xl">{title}</h2>
      {children}
    </section>
  )
}

/** Names and values of one thing. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <dl className="card grid gap-x-8 gap-y-3 p-5 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Badge({
  variant,
  children,
}: {
  variant: 'good' | 'warn' | 'bad' | 'plain'
  children: ReactNode
}) {
  const variants = {
    good: 'bg-good-soft text-good',
    warn: 'bg-warn-soft text-warn',
    bad: 'bg-bad-soft text-bad',
    plain: 'bg-sunken text-muted',
  }

  return (
    <span
      className={`inline-block whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-sm ${variants[variant]}`}
    >
      {children}
    </span>
  )
}

/** An empty list, in a sentence. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="card p-5 text-muted">{children}</p>
}

/** Shows the typed text as its readers will see it. */
export function Preview({ title }: { title: string }) {
  const { preview } = useContext(DeskContext)
  if (preview === undefined) {
    return null
  }

  return (
    <section aria-label="Preview" className="card mb-6 border-accent p-5 sm:p-8">
      <p className="eyebrow mb-4">Preview, not saved yet</p>
      <p className="title mb-6 [overflow-wrap:anywhere]">{title}</p>
      <link rel="stylesheet" href={proseStyle} precedence="default" />
      <ProseText html={preview} />
    </section>
  )
}

type ActionFormProps = {
  /** The name of one of the page's actions. */
  act: string
  /** The text of the button. */
  button: string
  /** The fields, and what the action will do. */
  children?: ReactNode
  variant?: 'primary' | 'secondary' | 'danger'
  /** Fields that are sent along and not shown. */
  values?: Record<string, string>
  /** The button's name for screen readers, where several buttons have the same text. */
  label?: string
  /** More buttons beside the first one. */
  beside?: ReactNode
  /** For a form with a file. */
  encType?: 'multipart/form-data'
}

/** Returns the values of the form for `act` if the server has just refused them, or else null. */
export function useSubmittedValues(act: string): Readonly<Record<string, string>> | null {
  const { submittedValues } = useContext(DeskContext)
  return submittedValues?.act === act ? submittedValues : null
}

/**
 * The form of one action of a page of the desk. It navigates, because the page above the form shows
 * the outcome, and because most actions change the rest of the page.
 */
export function ActionForm({
  act,
  button,
  children,
  variant = 'secondary',
  values = {},
  encType,
  label,
  beside,
}: ActionFormProps) {
  const isBusy = useNavigation().formMethod !== undefined
  return (
    <Form method="post" encType={encType} className="grid gap-4">
      <HiddenFields values={{ act, ...values }} />
      {children}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant={variant}
          disabled={isBusy}
          aria-label={label}
          className={label && 'whitespace-nowrap'}
        >
          {button}
        </Button>
        {beside}
      </div>
    </Form>
  )
}

/** An action's form that is shown when its name is pressed. A refused form stays open. */
export function CollapsedActionForm({ name, ...form }: ActionFormProps & { name: string }) {
  const { submittedValues } = useContext(DeskContext)
  const hiddenValues = Object.entries({ act: form.act, ...form.values })
  const isRefused =
    submittedValues !== undefined &&
    hiddenValues.every(([field, value]) => submittedValues[field] === value)

  return (
    <details open={isRefused || undefined} className="card group">
      <summary className="flex min-h-12 items-center justify-between gap-3 rounded-card px-5 py-2 font-medium hover:bg-sunken">
        {name}
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="border-line border-t p-5">
        <ActionForm {...form} />
      </div>
    </details>
  )
}

/** Filters a list by its address. On a phone, the form is folded, so that the list comes first. */
export function FilterForm({ children }: { children: ReactNode }) {
  const [search] = useSearchParams()
  const filters = [...search].filter(([name, value]) => name !== 'after' && value !== '').length

  return (
    <Form method="get" className="card mb-5">
      <details className="group sm:details-content:[content-visibility:visible]">
        {/* Browsers that can't unfold it by CSS show the summary at any width. */}
        <summary className="flex min-h-12 items-center justify-between gap-3 rounded-card px-5 py-2 font-medium hover:bg-sunken sm:supports-[selector(::details-content)]:hidden">
          {filters === 0 ? 'Filters' : `Filters (${filters} set)`}
          <ChevronDown
            aria-hidden="true"
            size={18}
            className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="grid items-end gap-4 p-5 max-sm:border-line max-sm:border-t sm:grid-cols-2 lg:flex lg:flex-wrap">
          {children}
          <Button type="submit">Show</Button>
        </div>
      </details>
    </Form>
  )
}

/** Downloads a table. @param values select its rows. */
export function ExportForm({
  table,
  values = {},
}: {
  table: string
  values?: Record<string, string>
}) {
  return (
    <form method="post" action="/Desk/Export">
      <HiddenFields values={{ table, ...values }} />
      <Button type="submit" variant="secondary">
        Download as CSV
      </Button>
    </form>
  )
}
