import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { SessionUser } from '~/server/auth/account-codes'
import { timeZones } from '~/server/auth/time-zones'
import { Button } from '~/ui/button'
import { Field, SelectField } from '~/ui/field'
import { Notice } from '~/ui/notice'
import { checkForm, type FieldErrors } from './form-check'
import { checkChosenPhoto } from './photo-rules'
import { settingsForm } from './settings-form-schema'
import { SettingsPhotoField } from './settings-photo-field'
import type { SettingsResult } from './settings-saving.server'

type SettingsSectionProps = {
  learner: SessionUser
  heading: ReactNode
  /** What the action said when the form was sent without scripts. */
  result: SettingsResult | undefined
  onSaved(): void
}

/** The learner's own record as a form; also without scripts. */
export function SettingsSection({ learner, heading, result, onSaved }: SettingsSectionProps) {
  const fetcher = useFetcher<SettingsResult>()
  const { errors, check, clear } = useSettingsCheck(fetcher.data ?? result)
  const answer = fetcher.data ?? result
  const shown = { ...learner, ...result?.typed }
  const busy = fetcher.state !== 'idle'
  useOnSaved(fetcher.data, onSaved)

  return (
    <>
      {heading}
      <fetcher.Form
        method="post"
        action="/Profile/settings"
        encType="multipart/form-data"
        noValidate
        onSubmit={check}
        onChange={clear}
        className="grid gap-5 lg:gap-6"
      >
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
          <NameFields learner={shown} errors={errors} />
        </section>
        <section aria-labelledby="settings-contact" className="card grid gap-5 p-5 sm:p-6">
          <h2 id="settings-contact" className="font-bold text-lg">
            Contact and place
          </h2>
          <ContactFields learner={shown} errors={errors} />
        </section>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={busy} className="min-w-40">
            {busy ? 'Saving...' : 'Save Changes'}
          </Button>
          {!busy && answer?.saved && <Notice look="good">Settings saved successfully!</Notice>}
          {!busy && answer?.formError && <Notice look="bad">{answer.formError}</Notice>}
        </div>
      </fetcher.Form>
    </>
  )
}

function NameFields({ learner, errors }: { learner: SessionUser; errors: FieldErrors }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="First name"
        name="firstName"
        autoComplete="given-name"
        dir="auto"
        required
        defaultValue={learner.firstName}
        error={errors.firstName}
      />
      <Field
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        dir="auto"
        required
        defaultValue={learner.lastName}
        error={errors.lastName}
      />
      <Field
        label="Email"
        type="email"
        readOnly
        autoComplete="email"
        defaultValue={learner.email}
        hint="Email cannot be changed for security reasons"
        className="sm:col-span-2"
      />
    </div>
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
        hint="Your study days begin and end in this time zone; until you choose one, in that of your browser."
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

/** Checks before sending, by the server's own schema; an error goes as soon as its field is edited. */
function useSettingsCheck(answer: SettingsResult | undefined) {
  const [errors, setErrors] = useState<FieldErrors>(answer?.errors ?? {})
  const [seen, setSeen] = useState(answer)
  if (answer !== seen) {
    setSeen(answer)
    setErrors(answer?.errors ?? {})
  }

  function check(event: FormEvent<HTMLFormElement>) {
    const form = new FormData(event.currentTarget)
    const found: FieldErrors = { ...checkForm(settingsForm, form).errors }
    const photo = form.get('photo')
    const problem = photo instanceof File && photo.size > 0 ? checkChosenPhoto(photo) : null
    if (problem) found.photo = problem
    setErrors(found)
    const [first] = Object.keys(found)
    if (!first) return
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
  }

  function clear(event: FormEvent<HTMLFormElement>) {
    const name = 'name' in event.target ? String(event.target.name) : ''
    setErrors(({ [name]: _gone, ...rest }) => rest)
  }
  return { errors, check, clear }
}

function useOnSaved(answer: SettingsResult | undefined, onSaved: () => void) {
  const told = useRef(answer)
  useEffect(() => {
    if (answer === told.current) return
    told.current = answer
    if (answer?.saved) onSaved()
  }, [answer, onSaved])
}
