import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'

type State = { title: string; text: string }
type StopTexts = { unreadable: State; question: State; stopped: State; button: string }

type StopMailsProps = {
  texts: StopTexts
  /** The address where these mails can be turned on again. */
  settings: string
  /** Whether the link has a valid signature. */
  usable: boolean
  result: FormResult | undefined
}

/** The page behind the link in reminders and announcements. It works without signing in. */
export function StopMailsPage({ texts, settings, usable, result }: StopMailsProps) {
  const busy = useNavigation().formMethod !== undefined
  const problem = getFieldErrors(result).form
  const title = useRef<HTMLHeadingElement>(null)
  const step = result?.done ? 'stopped' : 'question'
  const words = texts[usable ? step : 'unreadable']
  useFocusOnChange(result?.done === true, title)

  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 ref={title} tabIndex={-1} className="title outline-none">
        {words.title}
      </h1>
      <p className="text-muted">{words.text}</p>
      {usable && !result?.done && (
        <>
          {problem && <Notice variant="bad">{problem}</Notice>}
          <Form method="post">
            <Button type="submit" disabled={busy}>
              {busy ? 'Stopping...' : texts.button}
            </Button>
          </Form>
        </>
      )}
      {(!usable || result?.done) && (
        <p>
          <ButtonLink to={settings} variant="secondary">
            Go to settings
          </ButtonLink>
        </p>
      )}
    </div>
  )
}
