import { ChevronDown } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { Form, useNavigation, useSearchParams } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/form/field'
import { HiddenFields } from '~/ui/form/form'
import type { CsvSeparator } from './csv-separators'
import { DeskContext, useSubmittedValues } from './desk-context'

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
