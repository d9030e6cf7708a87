import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SelectField } from '~/ui/form/field'
import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import type { Linked } from '~/ui/more-link'
import { reminderHours } from './reminder'

import { type StudyPlan, weekdayNames } from './weekly-goal'
import { goalSettingsUrl } from './weekly-goal-card'

/** Shows the form of the weekly goal. */
export function StudyPlanSection({ plan, ...form }: SaveFormProps & { plan: StudyPlan | null }) {
  return (
    <section id="study" aria-labelledby="study-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="study-title" className="font-bold text-lg">
        Study
      </h2>
      <SaveForm
        id="weekly-goal"
        action="/StudyPlan"
        button="Save goal"
        savedText={plan ? goalSaved : goalRemoved}
        className="mt-3 grid scroll-mt-36 gap-5"
        {...form}
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
  /** The forms of other features that send emails. */
  children: ReactNode
}

/** Lists the emails that the learner gets. Some can be turned off. */
export function EmailSection({ plan, learner, children, ...form }: EmailSectionProps) {
  return (
    // The section has no accessible name, because it would be the same as that of the email field.
    <section id="email" className="card mt-6">
      <div className="p-5 sm:p-6">
        <h2 className="font-bold text-lg">Email</h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">{emailTexts.to(learner.email)}</p>
        {plan ? (
          <ReminderForm plan={plan} hint={getReminderHint(learner)} {...form} />
        ) : (
          <p className="mt-5">
            {emailTexts.needsGoal((linkText) => (
              <a href={goalSettingsUrl} className="link">
                {linkText}
              </a>
            ))}
          </p>
        )}
      </div>
      <div className="border-line border-t p-5 sm:p-6">{children}</div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Sent in any case</h3>
        <ul className="mt-2 list-disc space-y-1.5 pl-5 text-muted marker:text-edge">
          {emailTexts.alwaysSent.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Explains when reminders are sent. They require a confirmed email address. */
function getReminderHint({ emailVerified }: { emailVerified: boolean }): ReactNode {
  if (emailVerified) {
    return reminderHint
  }

  return confirmEmailForReminders((linkText) => (
    <Link to="/ConfirmEmail" className="link">
      {linkText}
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

const goalSaved = 'Weekly goal saved.'

const goalRemoved = 'Weekly goal removed.'

const remindersOn = 'Study reminders are on.'

const remindersOff = 'Study reminders are off.'

const emailTexts = {
  to: (email: string) => `Emails go to ${email}.`,
  needsGoal: (link: Linked): ReactNode => (
    <>Would you like a study reminder? {link('Choose your study days first')}</>
  ),
  alwaysSent: [
    'News about your account’s safety, like a sign-in from a new device or a changed password',
    'Links that you ask for, like one to set a new password',
    'Receipts and refunds of courses that you buy',
  ],
} as const

const reminderHint =
  'We’ll email you at most once a day, only on your study days, and not if you’ve already studied.'

function confirmEmailForReminders(link: Linked): ReactNode {
  return <>We can send reminders once your address is confirmed. {link('Confirm email address')}</>
}
