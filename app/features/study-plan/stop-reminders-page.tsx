import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { type ActionResult, errorsIn } from '~/ui/action-result'
import { Button, ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { stopTexts } from './study-plan-messages'
import { goalSettings } from './weekly-goal-card'

/** Behind the link of a reminder; also for those who are not signed in. @param usable whether the link is one of ours. */
export function StopRemindersPage({ usable, result }: { usable: boolean; result: ActionResult | undefined }) {
  const busy = useNavigation().formMethod !== undefined
  const problem = errorsIn(result).form
  const title = useRef<HTMLHeadingElement>(null)
  const words = stopTexts[usable ? (result?.done ? 'stopped' : 'question') : 'unreadable']
  useFocusOnChange(result?.done === true, title)
  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 ref={title} tabIndex={-1} className="title outline-none">
        {words.title}
      </h1>
      <p className="text-muted">{words.text}</p>
      {usable && !result?.done && (
        <>
          {problem && <Notice look="bad">{problem}</Notice>}
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
