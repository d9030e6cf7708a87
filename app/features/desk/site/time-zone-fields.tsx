import { formatTimeZone } from '~/features/school/local-time'
import { SelectField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'

type TimeZoneFieldsProps = { timeZone: string; timeZones: readonly string[] }

export function TimeZoneFields({ timeZone, timeZones }: TimeZoneFieldsProps) {
  const submittedValues = useSubmittedValues('timeZone')
  return (
    <>
      <p className="text-muted">
        The days of the figures, coupons and the audit filter begin and end in this zone. Learners
        and staff see times in their own zone. Coupons that exist already keep the moment at which
        they end.
      </p>
      <SelectField
        label="Time zone"
        name="timeZone"
        defaultValue={submittedValues?.timeZone ?? timeZone}
      >
        {timeZones.map((name) => (
          <option key={name} value={name}>
            {formatTimeZone(name)}
          </option>
        ))}
      </SelectField>
    </>
  )
}
