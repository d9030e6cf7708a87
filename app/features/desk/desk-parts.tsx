import { ChevronDown } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { Form, Link, useNavigation, useSearchParams } from 'react-router'
import type { ImportsPageData } from '~/features/desk/import/import-pages.server'
import type { CouponStatus } from '~/features/orders/coupons/coupon-queries.server'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/form/field'
import { HiddenFields } from '~/ui/form/form'
import { formatDate, formatDateTime } from '~/ui/format-date'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import type { CsvSeparator } from './csv-separators'

/** What all parts of a desk page need. */
type DeskContextValue = {
  /** The member of staff's time zone. */
  timeZone: string
  /** The time zone of days that no member of staff's own zone decides, such as those of a coupon. */
  schoolTimeZone: string
  /** The separator that the downloads of tables suggest. */
  csvSeparator: CsvSeparator
  /** The values of the form that the server has just refused. The form stays open with them. */
  submittedValues?: Readonly<Record<string, string>>
  /** The message for each wrong field of that form. */
  fieldErrors?: Readonly<Partial<Record<string, string>>>
  /** The submitted Markdown as HTML, after the button 'Preview' was pressed. */
  previewHtml?: string
}

export const DeskContext = createContext<DeskContextValue>({
  timeZone: 'UTC',
  schoolTimeZone: 'UTC',
  csvSeparator: 'comma',
})

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

/** Shows a sentence in place of an empty list. */
export function EmptyState({ children }: { children: ReactNode }) {
  return <p className="card p-5 text-muted">{children}</p>
}

/** Shows the submitted text as its readers will see it. */
export function Preview({ title }: { title: string }) {
  const { previewHtml } = useContext(DeskContext)
  if (previewHtml === undefined) {
    return null
  }

  return (
    <section aria-label="Preview" className="card mb-6 border-accent p-5 sm:p-8">
      <p className="eyebrow mb-4">Preview, not saved yet</p>
      <p className="title mb-6 [overflow-wrap:anywhere]">{title}</p>
      <link rel="stylesheet" href={proseStyle} precedence="default" />
      <ProseText html={previewHtml} />
    </section>
  )
}

/** Returns the values of an action's form if the server has just refused them, or else null. */
export function useSubmittedValues(intent: string): Readonly<Record<string, string>> | null {
  const { submittedValues } = useContext(DeskContext)
  return submittedValues?.intent === intent ? submittedValues : null
}

/** Returns the message for each wrong field of an action's form, if the server has just refused it. */
export function useFieldErrors(intent: string): Readonly<Partial<Record<string, string>>> {
  const { fieldErrors } = useContext(DeskContext)
  const isRefused = useSubmittedValues(intent) !== null
  return isRefused ? (fieldErrors ?? {}) : {}
}

type ActionFormProps = {
  /** The name of one of the page's actions, as in the object that `handleDeskForm` gets. */
  intent: string
  buttonText: string
  /** The button's name for screen readers, where several buttons have the same text. */
  buttonLabel?: string
  variant?: 'primary' | 'secondary' | 'danger'
  /** Shown beside the form's own button. */
  extraButtons?: ReactNode
  /** The fields, and what the action will do. */
  children?: ReactNode
  /** Values that are sent along and not shown. */
  hiddenValues?: Record<string, string>
  /** The encoding of a form with a file. */
  encType?: 'multipart/form-data'
}

/**
 * The form of one action of a desk page. It navigates, because the page above the form shows the
 * outcome, and because most actions change the rest of the page.
 */
export function ActionForm({
  intent,
  buttonText,
  buttonLabel,
  variant = 'secondary',
  extraButtons,
  children,
  hiddenValues = {},
  encType,
}: ActionFormProps) {
  const isSubmitting = useNavigation().formMethod !== undefined
  return (
    <Form method="post" encType={encType} className="grid gap-4">
      <HiddenFields values={{ intent, ...hiddenValues }} />
      {children}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant={variant}
          disabled={isSubmitting}
          aria-label={buttonLabel}
          className={buttonLabel && 'whitespace-nowrap'}
        >
          {buttonText}
        </Button>
        {extraButtons}
      </div>
    </Form>
  )
}

/** An action's form that opens when its title is pressed. A refused form stays open. */
export function CollapsedActionForm({ title, ...form }: ActionFormProps & { title: string }) {
  const submittedValues = useSubmittedValues(form.intent)
  // A page may have several forms for the same action, which differ in their hidden fields.
  const hiddenValues = Object.entries(form.hiddenValues ?? {})
  const isRefused =
    submittedValues !== null &&
    hiddenValues.every(([name, value]) => submittedValues[name] === value)

  return (
    <details open={isRefused || undefined} className="card group">
      <summary className="flex min-h-12 items-center justify-between gap-3 rounded-card px-5 py-2 font-medium hover:bg-sunken">
        {title}
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

/** Filters a list by the URL. On a phone, the form is collapsed, so that the list comes first. */
export function FilterForm({ children }: { children: ReactNode }) {
  const [search] = useSearchParams()
  const activeFilters = [...search].filter(([name, value]) => name !== 'after' && value !== '')
  const filterCount = activeFilters.length

  return (
    <Form method="get" className="card mb-5">
      <details className="group sm:details-content:[content-visibility:visible]">
        {/* Browsers that can't expand it by CSS show the summary at every width. */}
        <summary className="flex min-h-12 items-center justify-between gap-3 rounded-card px-5 py-2 font-medium hover:bg-sunken sm:supports-[selector(::details-content)]:hidden">
          {filterCount === 0 ? 'Filters' : `Filters (${filterCount} set)`}
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

type ExportFormProps = {
  table: string
  /** The values that select the rows. */
  hiddenValues?: Record<string, string>
}

const separatorLabels: Record<CsvSeparator, string> = {
  comma: 'Commas',
  semicolon: 'Semicolons',
  tab: 'Tabs',
}

/** Downloads a table as a CSV file, with the separator that the spreadsheet of staff expects. */
export function ExportForm({ table, hiddenValues = {} }: ExportFormProps) {
  const { csvSeparator } = useContext(DeskContext)

  return (
    <form method="post" action="/Desk/Export" className="flex flex-wrap items-end gap-3">
      <HiddenFields values={{ table, ...hiddenValues }} />
      <SelectField label="Separated by" name="separator" defaultValue={csvSeparator}>
        {Object.entries(separatorLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" variant="secondary">
        Download as CSV
      </Button>
    </form>
  )
}

/** Formats a part as whole percent, rounded down, or as '–' if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.floor((part * 100) / whole)}%`
}

const stateTexts: Record<CouponStatus, string> = {
  open: 'Can be used',
  early: 'Not yet',
  'used up': 'Used up',
  expired: 'Expired',
  ended: 'Ended',
  'other currency': 'In another currency',
}

const variants: Partial<Record<CouponStatus, 'good' | 'warn'>> = {
  open: 'good',
  early: 'warn',
  'other currency': 'warn',
}

export function CouponBadge({ state }: { state: CouponStatus }) {
  return <Badge variant={variants[state] ?? 'plain'}>{stateTexts[state]}</Badge>
}

type ImportState = ImportsPageData['rows'][number]['state']

const badges: Record<ImportState, { text: string; variant: 'good' | 'warn' | 'bad' | 'plain' }> = {
  checking: { text: 'Being checked', variant: 'plain' },
  unclear: { text: 'Choose the columns', variant: 'warn' },
  refused: { text: 'Not a table of people', variant: 'bad' },
  checked: { text: 'Waiting for you', variant: 'warn' },
  running: { text: 'Being imported', variant: 'plain' },
  stopped: { text: 'Stopped', variant: 'warn' },
  done: { text: 'Done', variant: 'good' },
}

export function ImportBadge({ state }: { state: ImportState }) {
  const { text, variant } = badges[state]
  return <Badge variant={variant}>{text}</Badge>
}
