import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SelectField } from '~/ui/form/field'
import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { reminderHours } from './reminder'
import {
  emailTexts,
  reminderNeedsAddress,
  remindersOff,
  remindersOn,
  whenRemindersCome,
} from './study-plan-messages'
import type { StudyPlan } from './weekly-goal'
import { goalSettings } from './weekly-goal-card'

const hourLabels: Record<(typeof reminderHours)[number], string> = {
  8: 'In the morning (from 8 AM)',
  12: 'Around noon (from 12 PM)',
  18: 'In the evening (from 6 PM)',
}

type EmailSectionProps = SaveFormProps & {
  plan: StudyPlan | null
  learner: { email: string; emailVerified: boolean }
  /** Forms of other features, for their mails. */
  children: ReactNode
}

/** Lists the emails that the learner gets. Some can be turned off. */
export function EmailSection({ plan, learner, children, ...form }: EmailSectionProps) {
  return (
    // Without a name: it would be that of the field with the address, too.
    <section id="email" className="card mt-6">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">Email</h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">{emailTexts.to(learner.email)}</p>
        {plan ? (
          <ReminderForm plan={plan} hint={hintFor(learner)} {...form} />
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
  if (emailVerified) {
    return whenRemindersCome
  }

  return reminderNeedsAddress((words) => (
    <Link to="/ConfirmEmail" className="link">
      {words}
    </Link>
  ))
}

type ReminderFormProps = SaveFormProps & { plan: StudyPlan; hint: ReactNode }

function ReminderForm({ plan, hint, ...form }: ReminderFormProps) {
  return (
    <SaveForm
      action="/StudyPlan"
      button="Save reminder"
      savedText={plan.reminderHour === null ? remindersOff : remindersOn}
      className="mt-5 grid gap-5"
      {...form}
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
    </SaveForm>
  )
}
