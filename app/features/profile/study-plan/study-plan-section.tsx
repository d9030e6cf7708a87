import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { goalRemoved, goalSaved } from './study-plan-messages'
import { type StudyPlan, weekdayNames } from './weekly-goal'

/** The weekly goal. */
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
        <WeekdayField chosen={plan?.weekdays ?? []} />
      </SaveForm>
    </section>
  )
}

function WeekdayField({ chosen }: { chosen: readonly number[] }) {
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
              defaultChecked={chosen.includes(index + 1)}
              className="size-5 shrink-0 accent-accent"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
