import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldErrors } from '~/ui/action-result'
import { Button } from '~/ui/button'
import { Field, SelectField } from '~/ui/field'
import { Notice } from '~/ui/notice'
import { checkForm } from '../form/form-check'
import type { FormResult } from '../form/form-result'
import { NameFields } from '../form/name-fields'
import { useAccountForm } from '../form/use-account-form'
import type { SessionUser } from '../session/session-user'
import { timeZones } from '../time-zone/time-zones'
import { checkChosenPhoto } from './photo-rules'
import { settingsForm } from './settings-form-schema'
import { SettingsPhotoField } from './settings-photo-field'

type SettingsSectionProps = {
  learner: SessionUser
  heading: ReactNode
  /** What the form was answered without scripts. */
  result: FormResult | undefined
  onSaved(): Promise<void>
}

/** The learner's own record as a form; also without scripts. */
export function SettingsSection({ learner, heading, result, onSaved }: SettingsSectionProps) {
  const { Form, formProps, errors, busy, notice } = useAccountForm({
    check: checkSettings,
    first: result,
    onDone: onSaved,
  })
  const shown = { ...learner, ...(result?.done ? {} : result?.typed) }

  return (
    <>
      {heading}
      <Form {...formProps} action="/Profile/settings" encType="multipart/form-data" className="grid gap-5 lg:gap-6">
        <section aria-labelledby="settings-profile" className="card grid gap-6 p-5 sm:p-6">
          <h2 id="settings-profile" className="font-bold text-lg">
            Profile
          </h2>
          <SettingsPhotoField
            key={learner.photoURL}
            photoURL={learner.photoURL}
            name={learner.displayName}
            error={errors.photo}
          />
          <NameFields names={shown} errors={errors} />
          <Field
            label="Email"
            type="email"
            readOnly
            autoComplete="email"
            defaultValue={learner.email}
            hint="Email cannot be changed for security reasons"
          />
        </section>
        <section aria-labelledby="settings-contact" className="card grid gap-5 p-5 sm:p-6">
          <h2 id="settings-contact" className="font-bold text-lg">
            Contact details
          </h2>
          <ContactFields learner={shown} errors={errors} />
        </section>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={busy} className="min-w-40">
            {busy ? 'Saving...' : 'Save Changes'}
          </Button>
          {notice && <Notice look="good">{notice}</Notice>}
          {errors.form && <Notice look="bad">{errors.form}</Notice>}
        </div>
      </Form>
    </>
  )
}

function ContactFields({ learner, errors }: { learner: SessionUser; errors: FieldErrors }) {
  const offered = timeZones.some(({ name }) => name === learner.timezone)
  const zone = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    // Nobody chose yet: without this the browser would choose the first one for them.
    if (!offered && zone.current) zone.current.selectedIndex = -1
  }, [offered])
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Phone"
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+1 503 555 0142"
        defaultValue={learner.phone ?? ''}
        error={errors.phone}
      />
      <Field
        label="Location"
        name="location"
        autoComplete="address-level2"
        placeholder="City, country"
        dir="auto"
        defaultValue={learner.location ?? ''}
        error={errors.location}
      />
      <SelectField
        ref={zone}
        label="Timezone"
        name="timezone"
        defaultValue={offered ? (learner.timezone ?? undefined) : undefined}
        error={errors.timezone}
        hint="Your study days follow this time zone. Until you choose one, we use your browser’s."
        className="sm:col-span-2"
      >
        {timeZones.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

/** By the server's own schema, and what can be said of a photo without reading it. */
function checkSettings(form: FormData): FieldErrors {
  const photo = form.get('photo')
  const problem = photo instanceof File && photo.size > 0 ? checkChosenPhoto(photo) : null
  return { ...checkForm(settingsForm, form).errors, ...(problem && { photo: problem }) }
}
