import { createContext, useContext } from 'react'
import type { CsvSeparator } from './csv-separators'

/** What the parts of a desk page read from the page that contains them. */
type DeskContextValue = {
  /** The member of staff's time zone. */
  timeZone: string
  /**
   * The time zone of days that no member of staff's own zone decides, such as those of a coupon.
   */
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

/** Returns the values of an action's form if the server has just refused them, or else null. */
export function useSubmittedValues(intent: string): Readonly<Record<string, string>> | null {
  const { submittedValues } = useContext(DeskContext)
  return submittedValues?.intent === intent ? submittedValues : null
}

/**
 * Returns the message for each wrong field of an action's form, if the server has just refused it.
 */
export function useFieldErrors(intent: string): Readonly<Partial<Record<string, string>>> {
  const { fieldErrors } = useContext(DeskContext)
  const isRefused = useSubmittedValues(intent) !== null
  return isRefused ? (fieldErrors ?? {}) : {}
}
