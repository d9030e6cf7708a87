import { type ReactNode, useRef, useState } from 'react'
import {
  Link,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useOutletContext,
} from 'react-router'
import { confirmUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { type FormResult, useResultUntilNavigation } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { DeskContext } from './desk-parts'

/** What `handleDeskForm` returns. */
export type DeskResult = (FormResult<{ notice: string }> & { preview?: string }) | undefined

/** What the layout route tells each page: the member of staff's time zone. */
export type DeskLayoutContext = { timeZone: string }

/** A page of the desk: the outcome of the last action, then the page's content. */
export function DeskPage(props: { result?: DeskResult; children: ReactNode }) {
  const result = useResultUntilNavigation(props.result)
  const contentKey = useContentKey(result)
  const outcome = useRef<HTMLDivElement>(null)
  useFocusOnChange(result, outcome)
  const { pathname, search } = useLocation()
  const { timeZone } = useOutletContext<DeskLayoutContext>()

  return (
    <>
      <div ref={outcome} tabIndex={-1} className="outline-none">
        <Outcome result={result} here={pathname + search} />
      </div>
      <DeskContext
        value={{
          timeZone,
          submittedValues: result?.done === false ? result.submittedValues : undefined,
          preview: result?.preview,
        }}
      >
        <div key={contentKey}>{props.children}</div>
      </DeskContext>
    </>
  )
}

/**
 * Returns a key that changes with every navigation and successful action, so that forms are empty
 * and closed again. A refused action keeps the key, and with it the forms as they are.
 */
function useContentKey(result: DeskResult): string {
  const { key } = useLocation()
  const [contentKey, setContentKey] = useState(key)
  if (contentKey !== key && result?.done !== false) {
    setContentKey(key)
  }

  return contentKey
}

/** Says what the last action did, or why it was refused. */
function Outcome({ result, here }: { result: DeskResult; here: string }) {
  if (!result || result.preview !== undefined) {
    return null
  }

  if (result.done) {
    return (
      <Notice variant="good" className="mb-6">
        {result.notice}
      </Notice>
    )
  }

  const { form, confirm } = result.errors

  return (
    <Notice
      variant="bad"
      className="mb-6"
      action={
        confirm && (
          <Link to={confirmUrl(here)} target="_blank" className="link">
            Confirm it’s you<span className="sr-only"> (opens a new tab)</span>
          </Link>
        )
      }
    >
      {confirm ?? form}
    </Notice>
  )
}

/**
 * Loads a page's data again after a refused action as well. An action is often refused because the
 * page was out of date.
 */
export function revalidateAfterRefusal({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || actionStatus === 400
}
