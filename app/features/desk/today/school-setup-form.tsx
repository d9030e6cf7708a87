import { formatTimeZone } from '~/features/school/local-time'
import { Field, SelectField } from '~/ui/form/field'
import { useFieldErrors, useSubmittedValues } from '../desk-context'
import { ActionForm } from '../desk-forms'
import type { SchoolSetup } from './school-setup.server'

/** Asks an owner about the school on their first visit. */
export function SchoolSetupForm({ setup }: { setup: SchoolSetup }) {
  return (
    <section aria-labelledby="setup-title" className="card mb-8 grid gap-4 p-5">
      <h2 id="setup-title" className="font-bold text-xl">
        Set up your school
      </h2>
      <p className="max-w-2xl text-muted">
        Until you do, the site shows Learnify’s sample content. You can change all of this later
        under Site. Once there is an order, the currency can’t be changed any more.
      </p>
      <ActionForm intent="setUp" buttonText="Set up the school" variant="primary">
        <SetupFields setup={setup} />
      </ActionForm>
      <ActionForm intent="skipSetup" buttonText="Skip" hiddenValues={{ sure: 'on' }} />
    </section>
  )
}

function SetupFields({ setup }: { setup: SchoolSetup }) {
  const submittedValues = useSubmittedValues('setUp')
  const errors = useFieldErrors('setUp')

  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label="Name of the school"
        name="name"
        defaultValue={submittedValues?.name}
        error={errors.name}
        maxLength={60}
        autoComplete="off"
        hint="Leave it empty for “Learnify”."
      />
      <SelectField
        label="Currency"
        name="currency"
        defaultValue={submittedValues?.currency ?? setup.currency}
        error={errors.currency}
        hint="Prices keep their numbers: 49 dollars become 49 euros."
      >
        {setup.currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Time zone"
        name="timeZone"
        defaultValue={submittedValues?.timeZone ?? setup.timeZone}
        error={errors.timeZone}
        hint="Where the days of coupons and figures begin and end."
      >
        {setup.timeZones.map((name) => (
          <option key={name} value={name}>
            {formatTimeZone(name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Sample courses"
        name="samples"
        defaultValue={submittedValues?.samples ?? 'with'}
        hint="Without them, they are withdrawn. Nothing is deleted, and you can show them again."
      >
        <option value="with">With the sample courses</option>
        <option value="without">Without the sample courses</option>
      </SelectField>
    </div>
  )
}
