import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SelectField } from '~/ui/form/field'
import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { reminderHours } from './reminder'
import { type StudyPlan, weekdayNames } from './weekly-goal'
import { goalSettingsUrl } from './weekly-goal-card'

type StudyPlanSectionProps = SaveFormProps & { plan: StudyPlan | null }

/** Shows the form of the weekly goal. */
export function StudyPlanSection({ plan, ...saveFormProps }: StudyPlanSectionProps) {
  return (
    <section id="study" aria-labelledby="study-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="study-title" className="font-bold text-lg">
        Study
      </h2>
      <SaveForm
        id="weekly-goal"
        action="/StudyPlan"
        button="Save goal"
        savedText={plan ? 'Weekly goal saved.' : 'Weekly goal removed.'}
        className="mt-3 grid scroll-mt-36 gap-5"
        {...saveFormProps}
      >
        <input type="hidden" name="part" value="goal" />
        <WeekdayField selectedWeekdays={plan?.weekdays ?? []} />
      </SaveForm>
    </section>
  )
}

function WeekdayField({ selectedWeekdays }: { selectedWeekdays: readonly number[] }) {
  return (
    <fieldset aria-describedby="weekly-goal-hint">
      <legend className="font-bold">Weekly goal</legend>
      <p id="weekly-goal-hint" className="mt-1 text-muted">
        Which days do you want to study? The others are rest days. Weeks start on Monday.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {weekdayNames.map((name, index) => (
          <label
            key={name}
            className="flex min-h-11 items-center gap-2.5 whitespace-nowrap rounded-control border border-edge px-3.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              name="weekdays"
              value={index + 1}
              defaultChecked={selectedWeekdays.includes(index + 1)}
              className="size-5 shrink-0 accent-accent"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const hourLabels: Record<(typeof reminderHours)[number], string> = {
  8: 'In the morning (from 8 AM)',
  12: 'Around noon (from 12 PM)',
  18: 'In the evening (from 6 PM)',
}

type EmailSectionProps = SaveFormProps & {
  plan: StudyPlan | null
  learner: { email: string; emailVerified: boolean }
  /** The forms that turn emails of other features on or off. */
  children: ReactNode
}

const alwaysSentEmails = [
  'News about your account’s safety, like a sign-in from a new device or a changed password',
  'Links that you ask for, like one to set a new password',
  'Receipts and refunds of courses that you buy',
] as const

/** Lists the emails that the learner gets, with forms that turn some of them on or off. */
export function EmailSection({ plan, learner, children, ...saveFormProps }: EmailSectionProps) {
  return (
    // The section has no accessible name, because it would be the same as that of the email field.
    <section id="email" className="card mt-6">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">Email</h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">Emails go to {learner.email}.</p>
        {plan ? (
          <ReminderForm
            plan={plan}
            hint={<ReminderHint isEmailConfirmed={learner.emailVerified} />}
            {...saveFormProps}
          />
        ) : (
          <p className="mt-5">
            Would you like a study reminder?{' '}
            <a href={goalSettingsUrl} className="link">
              Choose your study days first
            </a>
          </p>
        )}
      </div>
      <div className="border-line border-t p-5 sm:p-6">{children}</div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Sent in any case</h3>
        <ul className="mt-2 list-disc space-y-1.5 pl-5 text-muted marker:text-edge">
          {alwaysSentEmails.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Explains when reminders are sent. They require a confirmed email address. */
function ReminderHint({ isEmailConfirmed }: { isEmailConfirmed: boolean }) {
  if (isEmailConfirmed) {
    return 'We’ll email you at most once a day, only on your study days, and not if you’ve already studied.'
  }

  return (
    <>
      We can send reminders once your address is confirmed.{' '}
      <Link to="/ConfirmEmail" className="link">
        Confirm email address
      </Link>
    </>
  )
}

type ReminderFormProps = SaveFormProps & { plan: StudyPlan; hint: ReactNode }

function ReminderForm({ plan, hint, ...saveFormProps }: ReminderFormProps) {
  return (
    <SaveForm
      action="/StudyPlan"
      button="Save reminder"
      savedText={
        plan.reminderHour === null ? 'Study reminders are off.' : 'Study reminders are on.'
      }
      className="mt-5 grid gap-5"
      {...saveFormProps}
    >
      <input type="hidden" name="part" value="reminder" />
      <SelectField
        // A new key makes React create the field again, so that it shows the saved hour.
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
