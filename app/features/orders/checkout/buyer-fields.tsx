import { ChevronDown } from 'lucide-react'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import type { FieldErrors } from '~/ui/form/form-result'
import { otherCountry } from './checkout-form'
import { countryName } from './country-name'

type BuyerFieldsProps = {
  /** The countries to choose from; empty if the choice makes no difference. */
  countries: readonly { code: string }[]
  country: string
  onCountry(country: string): void
  submittedValues: Readonly<Record<string, string | undefined>>
  errors: FieldErrors
}

/** The buyer's details for the receipt. */
export function BuyerFields({
  countries,
  country,
  onCountry,
  submittedValues,
  errors,
}: BuyerFieldsProps) {
  const hasDetails = Boolean(
    submittedValues.company ||
      submittedValues.address ||
      submittedValues.vatNumber ||
      errors.company ||
      errors.address ||
      errors.vatNumber,
  )

  return (
    <>
      {countries.length > 0 && (
        <SelectField
          label="Country"
          name="country"
          required
          autoComplete="country"
          value={country}
          onChange={(event) => onCountry(event.target.value)}
          error={errors.country}
        >
          <option value="">Choose your country</option>
          {countries.map(({ code }) => (
            <option key={code} value={code}>
              {countryName(code)}
            </option>
          ))}
          <option value={otherCountry}>Another country</option>
        </SelectField>
      )}
      <details open={hasDetails} className="group">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold">
          Add a company or an address
          <ChevronDown aria-hidden="true" size={18} className="text-muted group-open:rotate-180" />
        </summary>
        <div className="mt-3 grid gap-5">
          <Field
            label="Company"
            name="company"
            autoComplete="organization"
            maxLength={200}
            defaultValue={submittedValues.company}
            error={errors.company}
          />
          <TextAreaField
            label="Address"
            name="address"
            autoComplete="street-address"
            maxLength={500}
            defaultValue={submittedValues.address}
            error={errors.address}
          />
          <Field
            label="VAT number"
            name="vatNumber"
            maxLength={50}
            defaultValue={submittedValues.vatNumber}
            error={errors.vatNumber}
          />
        </div>
      </details>
    </>
  )
}
