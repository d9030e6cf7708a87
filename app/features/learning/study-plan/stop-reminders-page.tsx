import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { goalSettings } from './weekly-goal-card'

export type StopResult = { done: boolean; problem?: string } | undefined

/** Behind the link of a reminder; also for those who are not signed in. @param usable whether the link is one of ours. */
export function StopRemindersPage({ usable, result }: { usable: boolean; result: StopResult }) {
  const busy = useNavigation().formMethod !== undefined
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(result?.done === true, title)
  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 ref={title} tabIndex={-1} className="title outline-none">
        {heading(usable, result)}
      </h1>
      {!usable && <p className="text-muted">This link isn’t complete. You can turn reminders off in your settings.</p>}
      {usable && result?.done && (
        <p className="text-muted">
          You won’t get any more reminders. Your weekly goal won’t change, and you can turn reminders back on anytime.
        </p>
      )}
      {usable && !result?.done && (
        <>
          <p className="text-muted">You’ll no longer get emails about your weekly goal. Your goal won’t change.</p>
          {result?.problem && <Notice look="bad">{result.problem}</Notice>}
          <Form method="post">
            <Button type="submit" disabled={busy}>
              {busy ? 'Stopping...' : 'Stop reminders'}
            </Button>
          </Form>
        </>
      )}
      {(!usable || result?.done) && (
        <p>
          <ButtonLink to={goalSettings} look="secondary">
            Go to settings
          </ButtonLink>
        </p>
      )}
    </div>
  )
}

function heading(usable: boolean, result: StopResult): string {
  if (!usable) return 'We couldn’t read this link'
  return result?.done ? 'Reminders stopped' : 'Stop study reminders?'
}
