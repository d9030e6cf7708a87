import { ChevronDown } from 'lucide-react'
import type { FieldErrors } from '~/ui/action-result'
import { Field, SelectField, TextAreaField } from '~/ui/field'
import { otherCountry } from './buyer-form'
import { countryName } from './country-name'

type BuyerFieldsProps = {
  /** The countries to choose from; empty if the choice makes no difference. */
  countries: readonly { code: string }[]
  country: string
  onCountry(country: string): void
  typed: Readonly<Record<string, string | undefined>>
  errors: FieldErrors
}

/** The buyer's details for the receipt. */
export function BuyerFields({ countries, country, onCountry, typed, errors }: BuyerFieldsProps) {
  const hasDetails = Boolean(
    typed.company ||
      typed.address ||
      typed.vatNumber ||
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
            defaultValue={typed.company}
            error={errors.company}
          />
          <TextAreaField
            label="Address"
            name="address"
            autoComplete="street-address"
            maxLength={500}
            defaultValue={typed.address}
            error={errors.address}
          />
          <Field
            label="VAT number"
            name="vatNumber"
            maxLength={50}
            defaultValue={typed.vatNumber}
            error={errors.vatNumber}
          />
        </div>
      </details>
    </>
  )
}
