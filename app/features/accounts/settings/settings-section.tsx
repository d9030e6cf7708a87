import { type ReactNode, useEffect } from 'react'
import { Button } from '~/ui/button'
import { Field, SelectField } from '~/ui/form/field'
import { Form } from '~/ui/form/form'
import type { FieldErrors } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import type { SessionUser } from '../account-queries.server'
import { NameFields } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { settingsFormFor } from '../form/form-schemas'
import { useSettingsDraft } from './settings-draft'
import { draftRestored, emailStays, typedIsKept } from './settings-messages'
import { photoProblem, SettingsPhotoField } from './settings-photo-field'
import { browserZoneLabel, timeZones } from './time-zones'

type SettingsSectionProps = {
  learner: SessionUser
  /** False for the shared demo account, whose next visitor is a different person. */
  keepsDraft: boolean
  heading: ReactNode
  /** The action's result for a form without scripts. */
  result: AccountFormResult | undefined
  onSaved(): Promise<void>
  onChange(unsaved: Unsaved): void
}

/**
 * Unsaved changes: none, only some that this browser stores, or also some that a reload would lose.
 */
export type Unsaved = 'nothing' | 'stored' | 'at-risk'

function unsavedIn(form: HTMLFormElement, keepsDraft: boolean): Unsaved {
  const data = new FormData(form)
  const photo = data.get('photo')
  const photoChanges = (photo instanceof File && photo.size > 0) || data.has('removePhoto')

  return keepsDraft && !photoChanges ? 'stored' : 'at-risk'
}

/** The learner's own record as a form; also without scripts. */
export function SettingsSection({
  learner,
  keepsDraft,
  heading,
  result,
  onSaved,
  onChange,
}: SettingsSectionProps) {
  const form = useForm<AccountFormSuccess>({
    validate: (form) => checkSettings(form, learner),
    initialResult: result,
    onSuccess: () => {
      draft.forget()
      onChange('nothing')
      return onSaved()
    },
  })
  const draft = useSettingsDraft(learner, form.ref, keepsDraft)
  const shown = { ...learner, ...(result?.done ? {} : result?.submittedValues) }
  useEffect(() => {
    if (draft.restored) {
      onChange('stored')
    }
  }, [draft.restored, onChange])
  const discard = () => {
    form.ref.current?.reset()
    draft.forget()
    onChange('nothing')
    // The pressed button no longer exists.
    const first = form.ref.current?.elements.namedItem('firstName')
    if (first instanceof HTMLElement) {
      first.focus()
    }
  }

  return (
    <>
      {heading}
      {draft.restored && <DraftNotice onDiscard={discard} />}
      <Form
        form={form}
        onInput={(event) => {
          draft.store(event.currentTarget)
          onChange(unsavedIn(event.currentTarget, keepsDraft))
        }}
        action="/Profile/settings"
        encType="multipart/form-data"
        className="grid gap-5 lg:gap-6"
      >
        <ProfileFields learner={learner} names={shown} errors={form.errors} />
        <ContactFields learner={shown} errors={form.errors} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={form.isBusy} className="min-w-40">
            {form.isBusy ? 'Saving...' : 'Save Changes'}
          </Button>
          {form.notice && <Notice variant="good">{form.notice}</Notice>}
          {form.errors.form && (
            <Notice variant="bad">
              {form.errors.form} {keepsDraft && typedIsKept}
            </Notice>
          )}
        </div>
      </Form>
    </>
  )
}

/** Announced when it appears, because fields have been filled in. */
function DraftNotice({ onDiscard }: { onDiscard(): void }) {
  return (
    <div role="status" className="mb-6">
      <Notice
        variant="info"
        action={
          <Button variant="secondary" onClick={onDiscard}>
            Discard
          </Button>
        }
      >
        {draftRestored}
      </Notice>
    </div>
  )
}

type ProfileFieldsProps = { learner: SessionUser; names: SessionUser; errors: FieldErrors }

function ProfileFields({ learner, names, errors }: ProfileFieldsProps) {
  return (
    <section
      id="profile"
      aria-labelledby="settings-profile"
      className="card grid scroll-mt-36 gap-6 p-5 sm:p-6"
    >
      <h2 id="settings-profile" className="font-bold text-lg">
        Profile
      </h2>
      <SettingsPhotoField
        key={learner.photoURL}
        photoURL={learner.photoURL}
        name={learner.displayName}
        error={errors.photo}
      />
      <NameFields names={names} errors={errors} lastNameRequired={learner.lastName !== ''} />
      <Field
        label="Email"
        type="email"
        readOnly
        autoComplete="email"
        defaultValue={learner.email}
        hint={emailStays}
      />
    </section>
  )
}

function ContactFields({ learner, errors }: { learner: SessionUser; errors: FieldErrors }) {
  const offered = timeZones.some(({ name }) => name === learner.timezone)
  return (
    <section aria-labelledby="settings-contact" className="card grid gap-5 p-5 sm:p-6">
      <h2 id="settings-contact" className="font-bold text-lg">
        Contact details
      </h2>
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
          label="Timezone"
          name="timezone"
          defaultValue={offered ? (learner.timezone ?? '') : ''}
          error={errors.timezone}
          hint="Your study days and reminders follow this time zone."
          className="sm:col-span-2"
        >
          <option value="">{browserZoneLabel(learner.detectedTimezone)}</option>
          {timeZones.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </section>
  )
}

/** Validates with the server's own schema, and checks a photo without reading it. */
function checkSettings(form: FormData, learner: SessionUser): FieldErrors {
  const { errors } = checkForm(settingsFormFor(learner), form)
  const photo = form.get('photo')
  const problem = photo instanceof File && photo.size > 0 ? photoProblem(photo) : null

  return { ...errors, ...(problem && { photo: problem }) }
}
