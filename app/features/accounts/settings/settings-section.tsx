import { type ReactNode, useEffect } from 'react'
import { Button } from '~/ui/button'
import { Field, SelectField } from '~/ui/form/field'
import { Form } from '~/ui/form/form'
import type { FieldErrors } from '~/ui/form/form-result'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { NameFields } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { getSettingsForm } from '../form/form-schemas'
import { isRealName } from '../full-name'
import type { SessionUser } from '../session/session-user.server'
import { findPhotoProblem, PhotoField } from './photo-field'
import { useSettingsDraft } from './settings-draft'
import { settingsMessages } from './settings-messages'
import { browserZoneLabel, timeZones } from './time-zones'

/**
 * Whether the form has unsaved changes: none, only changes that are kept as a draft, or also
 * changes that a reload would lose.
 */
export type UnsavedChanges = 'none' | 'in-draft' | 'not-in-draft'

type SettingsSectionProps = {
  learner: SessionUser
  /** Whether unsaved changes are kept as a draft. The shared demo account keeps none. */
  shouldKeepDraft: boolean
  heading: ReactNode
  /** The route action's result if the form was sent without JavaScript. */
  result: AccountFormResult | undefined
  onSaved(): Promise<void>
  onUnsavedChange(unsavedChanges: UnsavedChanges): void
}

/** The form with the learner's personal data. It also works without JavaScript. */
export function SettingsSection({
  learner,
  shouldKeepDraft,
  heading,
  result,
  onSaved,
  onUnsavedChange,
}: SettingsSectionProps) {
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => validateSettings(formData, learner),
    initialResult: result,
    onSuccess: () => {
      // `draft` is declared below, because it needs the form.
      draft.remove()
      onUnsavedChange('none')
      return onSaved()
    },
  })
  // An account without a name has a placeholder or an email address, which must not become a part
  // of the entered name.
  const firstName = isRealName(learner.displayName) ? learner.firstName : ''
  const savedValues = { ...learner, firstName }
  const draft = useSettingsDraft(savedValues, form.ref, shouldKeepDraft)
  const submittedValues = result?.done ? {} : result?.submittedValues
  const displayedValues = { ...savedValues, ...submittedValues }

  useEffect(() => {
    if (draft.isRestored) {
      onUnsavedChange('in-draft')
    }
  }, [draft.isRestored, onUnsavedChange])

  function discardDraft() {
    form.ref.current?.reset()
    draft.remove()
    onUnsavedChange('none')

    // The focus moves, because the pressed button disappears.
    const firstField = form.ref.current?.elements.namedItem('firstName')
    if (firstField instanceof HTMLElement) {
      firstField.focus()
    }
  }

  return (
    <>
      {heading}
      {draft.isRestored && <RestoredDraftNotice onDiscard={discardDraft} />}
      <Form
        form={form}
        onInput={(event) => {
          draft.store(event.currentTarget)
          onUnsavedChange(classifyChanges(event.currentTarget, shouldKeepDraft))
        }}
        action="/Profile/settings"
        encType="multipart/form-data"
        className="grid gap-5 lg:gap-6"
      >
        <ProfileFields learner={learner} displayedValues={displayedValues} errors={form.errors} />
        <ContactFields displayedValues={displayedValues} errors={form.errors} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={form.isBusy} className="min-w-40">
            {form.isBusy ? 'Saving...' : 'Save Changes'}
          </Button>
          {form.notice && <Notice variant="good">{form.notice}</Notice>}
          {form.errors.form && (
            <Notice variant="bad">
              {form.errors.form} {shouldKeepDraft && settingsMessages.unsavedInputKept}
            </Notice>
          )}
        </div>
      </Form>
    </>
  )
}

/** Validates with the server's schema. A photo is checked by its size and type only. */
function validateSettings(form: FormData, learner: SessionUser): FieldErrors {
  const { errors } = checkForm(getSettingsForm(learner), form)
  const photo = form.get('photo')
  const hasPhoto = photo instanceof File && photo.size > 0
  const photoProblem = hasPhoto ? findPhotoProblem(photo) : null

  return { ...errors, ...(photoProblem && { photo: photoProblem }) }
}

/** Returns where the changes of a form that the learner has just changed are kept. */
function classifyChanges(form: HTMLFormElement, shouldKeepDraft: boolean): UnsavedChanges {
  const formData = new FormData(form)
  const photo = formData.get('photo')
  const hasNewPhoto = photo instanceof File && photo.size > 0
  const hasPhotoChange = hasNewPhoto || formData.has('removePhoto')

  return shouldKeepDraft && !hasPhotoChange ? 'in-draft' : 'not-in-draft'
}

/** Says that a draft has been filled in. It is a status, so that screen readers announce it. */
function RestoredDraftNotice({ onDiscard }: { onDiscard(): void }) {
  const discardButton = (
    <Button variant="secondary" onClick={onDiscard}>
      Discard
    </Button>
  )

  return (
    <div role="status" className="mb-6">
      <Notice variant="info" action={discardButton}>
        {settingsMessages.draftRestored}
      </Notice>
    </div>
  )
}

type ProfileFieldsProps = {
  learner: SessionUser
  displayedValues: SessionUser
  errors: FieldErrors
}

function ProfileFields({ learner, displayedValues, errors }: ProfileFieldsProps) {
  return (
    <section
      id="profile"
      aria-labelledby="settings-profile"
      className="card grid scroll-mt-36 gap-6 p-5 sm:p-6"
    >
      <h2 id="settings-profile" className="font-bold text-lg">
        Profile
      </h2>
      <PhotoField
        key={learner.photoURL}
        photoUrl={learner.photoURL}
        name={learner.displayName}
        error={errors.photo}
      />
      <NameFields
        names={displayedValues}
        errors={errors}
        isLastNameRequired={learner.lastName !== ''}
      />
      <p className="-mt-4 text-muted text-sm">{settingsMessages.certificateNameHint}</p>
      <Field
        label="Email"
        type="email"
        readOnly
        autoComplete="email"
        defaultValue={learner.email}
        hint={settingsMessages.emailUnchangeable}
      />
    </section>
  )
}

type ContactFieldsProps = { displayedValues: SessionUser; errors: FieldErrors }

function ContactFields({ displayedValues, errors }: ContactFieldsProps) {
  const { phone, location, timezone, detectedTimezone } = displayedValues
  const isOfferedZone = timeZones.some(({ name }) => name === timezone)

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
          defaultValue={phone ?? ''}
          error={errors.phone}
        />
        <Field
          label="Location"
          name="location"
          autoComplete="address-level2"
          placeholder="City, country"
          dir="auto"
          defaultValue={location ?? ''}
          error={errors.location}
        />
        <SelectField
          label="Timezone"
          name="timezone"
          defaultValue={isOfferedZone && timezone !== null ? timezone : ''}
          error={errors.timezone}
          hint="Your study days and reminders follow this time zone."
          className="sm:col-span-2"
        >
          <option value="">{browserZoneLabel(detectedTimezone)}</option>
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
