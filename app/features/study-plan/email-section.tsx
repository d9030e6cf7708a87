import { type ReactNode, useEffect, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import type { ActionResult } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/field'
import { Notice } from '~/ui/notice'
import { reminderHours } from './reminder'
import { emailTexts, reminderNeedsAddress, remindersOff, remindersOn, whenRemindersCome } from './study-plan-messages'
import type { StudyPlan } from './weekly-goal'
import { goalSettings } from './weekly-goal-card'

const hourLabels: Record<(typeof reminderHours)[number], string> = {
  8: 'In the morning (from 8 AM)',
  12: 'Around noon (from 12 PM)',
  18: 'In the evening (from 6 PM)',
}

type EmailSectionProps = {
  plan: StudyPlan | null
  learner: { email: string; emailVerified: boolean }
  /** The action's result for a form without scripts. */
  first: ActionResult | undefined
  /** Whether there are unsaved changes. */
  onChange(changed: boolean): void
  /** The choices of other features. */
  children: ReactNode
}

/** Which emails the learner gets: those that can be chosen, and those that come in any case. */
export function EmailSection({ plan, learner, first, onChange, children }: EmailSectionProps) {
  return (
    // Without a name: it would be that of the field with the address, too.
    <section id="email" className="card mt-6">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">Email</h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">{emailTexts.to(learner.email)}</p>
        {plan ? (
          <ReminderForm plan={plan} hint={hintFor(learner)} first={first} onChange={onChange} />
        ) : (
          <p className="mt-5">
            {emailTexts.needsGoal((words) => (
              <a href={goalSettings} className="link">
                {words}
              </a>
            ))}
          </p>
        )}
      </div>
      <div className="border-line border-t p-5 sm:p-6">{children}</div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Sent in any case</h3>
        <ul className="mt-2 list-disc space-y-1.5 pl-5 text-muted marker:text-edge">
          {emailTexts.always.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Reminders go to a confirmed address only. */
function hintFor({ emailVerified }: { emailVerified: boolean }): ReactNode {
  if (emailVerified) return whenRemindersCome
  return reminderNeedsAddress((words) => (
    <Link to="/ConfirmEmail" className="link">
      {words}
    </Link>
  ))
}

type ReminderFormProps = Pick<EmailSectionProps, 'first' | 'onChange'> & { plan: StudyPlan; hint: ReactNode }

function ReminderForm({ plan, hint, first, onChange }: ReminderFormProps) {
  const fetcher = useFetcher<ActionResult>()
  const [edited, setEdited] = useState(false)
  const busy = fetcher.state !== 'idle'
  const shown = busy || edited ? undefined : (fetcher.data ?? first)
  const saved = fetcher.data?.done === true && !busy && !edited
  useEffect(() => {
    if (saved) onChange(false)
  }, [saved, onChange])
  return (
    <fetcher.Form
      method="post"
      action="/StudyPlan"
      onSubmit={() => setEdited(false)}
      onChange={() => {
        setEdited(true)
        onChange(true)
      }}
      className="mt-5 grid gap-5"
    >
      <input type="hidden" name="part" value="reminder" />
      <SelectField
        key={plan.reminderHour}
        label="Study reminder"
        name="reminderHour"
        defaultValue={plan.reminderHour ?? ''}
        hint={hint}
      >
        <option value="">No reminder</option>
        {reminderHours.map((hour) => (
          <option key={hour} value={hour}>
            {hourLabels[hour]}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" look="secondary" disabled={busy} className="min-w-40">
          {busy ? 'Saving...' : 'Save reminder'}
        </Button>
        {shown?.done === true && <Notice look="good">{plan.reminderHour === null ? remindersOff : remindersOn}</Notice>}
        {shown?.done === false && <Notice look="bad">{shown.errors.form}</Notice>}
      </div>
    </fetcher.Form>
  )
}
