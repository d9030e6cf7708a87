import { type ReactNode, useRef, useState } from 'react'
import {
  Link,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigation,
  useOutletContext,
} from 'react-router'
import { confirmUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useResultUntilNavigation } from '~/ui/form/use-result-until-navigation'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import type { CsvSeparator } from './csv-separators'
import { DeskContext } from './desk-context'

/** The result of a form, as `handleDeskForm` returns it to the page. */
type DeskResult = (FormResult<{ notice: string }> & { previewHtml?: string }) | undefined

/** The layout route passes this to each page. */
export type DeskLayoutContext = {
  /** The time zone of the member of staff. */
  timeZone: string
  schoolTimeZone: string
  /** The separator of the last table that was downloaded in this browser. */
  csvSeparator: CsvSeparator
}

/** Shows a page of the desk, with the outcome of its last action above the content. */
export function DeskPage(props: { result?: DeskResult; children: ReactNode }) {
  const result = useResultWithPageData(props.result)
  const contentKey = useContentKey(result)
  const outcomeElement = useRef<HTMLDivElement>(null)
  useFocusOnChange(result, outcomeElement)

  const { pathname, search } = useLocation()
  const { timeZone, schoolTimeZone, csvSeparator } = useOutletContext<DeskLayoutContext>()

  return (
    <>
      <div ref={outcomeElement} tabIndex={-1} className="outline-none">
        <Outcome result={result} pageUrl={pathname + search} />
      </div>
      <DeskContext
        value={{
          timeZone,
          schoolTimeZone,
          csvSeparator,
          submittedValues: result?.done === false ? result.submittedValues : undefined,
          fieldErrors: getFieldErrors(result),
          previewHtml: result?.previewHtml,
        }}
      >
        <div key={contentKey}>{props.children}</div>
      </DeskContext>
    </>
  )
}

/**
 * Returns the result to display. A success waits until the page has loaded its data again, because
 * the new data closes all forms. Otherwise a form that is opened after the message would close.
 */
function useResultWithPageData(actionData: DeskResult): DeskResult {
  const result = useResultUntilNavigation(actionData)
  const navigation = useNavigation()
  const isLoadingAfterForm = navigation.state === 'loading' && navigation.formMethod !== undefined

  return isLoadingAfterForm && result?.done ? undefined : result
}

/**
 * Returns a key that changes with every navigation and successful action, so that forms are empty
 * and closed again. A refused action keeps the key, and with it the forms as they are.
 */
function useContentKey(result: DeskResult): string {
  const { key } = useLocation()
  const [contentKey, setContentKey] = useState(key)
  const isRefused = result?.done === false
  if (contentKey !== key && !isRefused) {
    setContentKey(key)
  }

  return contentKey
}

/** Shows what the last action did, or why it was refused. A preview has no outcome. */
function Outcome({ result, pageUrl }: { result: DeskResult; pageUrl: string }) {
  if (!result || result.previewHtml !== undefined) {
    return null
  }

  if (result.done) {
    return (
      <Notice variant="good" className="mb-6">
        {result.notice}
      </Notice>
    )
  }

  const { confirm } = result.errors
  // A field shows its own error, too. Here, the sentence is read aloud.
  const [firstProblem] = Object.values(result.errors)

  return (
    <Notice
      variant="bad"
      className="mb-6"
      action={
        confirm && (
          <Link to={confirmUrl(pageUrl)} target="_blank" className="link">
            Confirm it’s you<span className="sr-only"> (opens a new tab)</span>
          </Link>
        )
      }
    >
      {confirm ?? firstProblem}
    </Notice>
  )
}

/**
 * Reloads a page's data even after a refused action, because the reason is often that the page was
 * out of date.
 */
export function revalidateEvenAfterRefusal({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || actionStatus === 400
}
