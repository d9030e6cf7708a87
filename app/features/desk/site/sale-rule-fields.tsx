import { useState } from 'react'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { useFieldErrors, useSubmittedValues } from '../desk-context'

type TaxRateRow = { country: string; percent: string }

type TaxRateFieldsProps = {
  taxRates: { rows: readonly TaxRateRow[]; otherPercent: string }
  /** The names of all countries, as suggestions. */
  countries: readonly string[]
}

/** The rows for more countries. */
const emptyRows = 5

/** Shows a row for each country with a rate of its own, and the rate of all other countries. */
export function TaxRateFields({ taxRates, countries }: TaxRateFieldsProps) {
  const submittedValues = useSubmittedValues('taxRates')
  const errors = useFieldErrors('taxRates')
  const submittedRows = Object.keys(submittedValues ?? {}).filter((name) =>
    name.startsWith('country-'),
  )
  const [rowCount, setRowCount] = useState(
    Math.max(submittedRows.length, taxRates.rows.length + emptyRows),
  )

  return (
    <>
      <p className="text-muted">
        Prices contain the tax. If the rates of countries differ, checkout asks for the country.
        Receipts that were issued keep their rate. Empty rows are left out.
      </p>
      <ul className="grid gap-4">
        {Array.from({ length: rowCount }, (_, index) => index).map((index) => (
          <li key={index} className="grid grid-cols-[minmax(0,1fr)_6rem] gap-2">
            <Field
              label={`Country ${index + 1}`}
              name={`country-${index}`}
              defaultValue={
                submittedValues?.[`country-${index}`] ?? taxRates.rows[index]?.country ?? ''
              }
              error={errors[`country-${index}`]}
              list="tax-countries"
              maxLength={60}
              autoComplete="off"
              // The last row never stays empty, so there is always a row for one more country.
              onInput={index === rowCount - 1 ? () => setRowCount(rowCount + 1) : undefined}
            />
            <Field
              label={`Percent ${index + 1}`}
              name={`percent-${index}`}
              defaultValue={
                submittedValues?.[`percent-${index}`] ?? taxRates.rows[index]?.percent ?? ''
              }
              error={errors[`percent-${index}`]}
              inputMode="decimal"
              maxLength={7}
              autoComplete="off"
            />
          </li>
        ))}
      </ul>
      <datalist id="tax-countries">
        {countries.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field
        label="Percent in every other country"
        name="otherPercent"
        defaultValue={submittedValues?.otherPercent ?? taxRates.otherPercent}
        error={errors.otherPercent}
        hint="If it is empty, no tax is shown there."
        inputMode="decimal"
        maxLength={7}
        autoComplete="off"
      />
    </>
  )
}

type RefundPeriodFieldProps = {
  part: 'withdrawalDays' | 'refundDays'
  days: number
  label: string
  hint: string
}

/** Shows the number of days in which buyers can get their money back. */
export function RefundPeriodField({ part, days, label, hint }: RefundPeriodFieldProps) {
  const submittedValues = useSubmittedValues(part)
  const errors = useFieldErrors(part)

  return (
    <Field
      label={label}
      name="days"
      defaultValue={submittedValues?.days ?? days}
      error={errors.days}
      hint={hint}
      required
      inputMode="numeric"
      maxLength={4}
      autoComplete="off"
    />
  )
}

type WaiverChoice = 'off' | 'optional' | 'required'
type WaiverFieldsProps = { waiver: { choice: WaiverChoice; text: string } }

/** Chooses whether checkout has a box by which buyers give up the right of withdrawal. */
export function WaiverFields({ waiver }: WaiverFieldsProps) {
  const submittedValues = useSubmittedValues('waiver')
  const errors = useFieldErrors('waiver')

  return (
    <>
      <SelectField
        label="Box at checkout"
        name="choice"
        defaultValue={submittedValues?.choice ?? waiver.choice}
        hint="By ticking it, buyers give up the right of withdrawal. Ask a lawyer what your country requires."
      >
        <option value="off">None</option>
        <option value="optional">Optional</option>
        <option value="required">Required</option>
      </SelectField>
      <TextAreaField
        label="Text beside the box"
        name="text"
        defaultValue={submittedValues?.text ?? waiver.text}
        error={errors.text}
        hint="It is stored with the order as the buyer has seen it."
        required
        maxLength={1_000}
      />
    </>
  )
}
