import { Laptop, Smartphone, Tablet } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { NewPasswordFields, PasswordField } from '../form/form-fields'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import type { Ownership } from '../own-data/account-deletion.server'
import type { Device } from './devices.server'
import { EndOthersTick } from './end-others-tick'
import { type SecurityEvent, SecurityEvents } from './security-events'
import { securityTexts } from './security-messages'

/** The forms of this section, by `form` in the address that they are sent to. */
type SecurityForm = 'password' | 'devices'

const addressOf = (form: SecurityForm) => `/Profile/settings?form=${form}#security`

type SecuritySectionProps = {
  learner: { email: string; displayTimezone: string }
  ownership: Ownership
  passwordMinLength: number
  devices: Device[]
  events: SecurityEvent[]
  /** Of a form that was sent without scripts. */
  results: Partial<Record<SecurityForm, AccountFormResult>>
}

/** The account's password, where it is signed in, and what happened; also without scripts. */
export function SecuritySection({
  learner,
  ownership,
  passwordMinLength,
  devices,
  events,
  results,
}: SecuritySectionProps) {
  return (
    <section id="security" aria-labelledby="security-title" className="card mt-6 scroll-mt-24">
      <div className="p-5 sm:p-6">
        <h2 id="security-title" className="font-bold text-lg">
          Security
        </h2>
        {ownership.demo && <p className="mt-3 text-muted">{securityTexts.demo}</p>}
        {!ownership.demo && ownership.password && (
          <PasswordChange
            email={learner.email}
            minLength={passwordMinLength}
            result={results.password}
          />
        )}
        {!ownership.demo && !ownership.password && (
          <p className="mt-3 text-muted">
            {securityTexts.noPassword}{' '}
            <Link to="/ResetPassword" className="link">
              ask for an email with a link to set it
            </Link>
            .
          </p>
        )}
      </div>
      {!ownership.demo && <SignInSafety twoStep={ownership.twoStep} />}
      {!ownership.demo && (
        <div className="border-line border-t p-5 sm:p-6">
          <Devices devices={devices} timeZone={learner.displayTimezone} result={results.devices} />
        </div>
      )}
      {!ownership.demo && (
        <div className="border-line border-t p-5 sm:p-6">
          <SecurityEvents events={events} timeZone={learner.displayTimezone} />
        </div>
      )}
    </section>
  )
}

/** The ways to the pages that ask for a recent proof first. */
function SignInSafety({ twoStep }: { twoStep: boolean }) {
  return (
    <div className="border-line border-t p-5 sm:p-6">
      <h3 className="font-bold tracking-normal">Ways to sign in</h3>
      <div className="mt-2 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
        <p className="text-muted">{securityTexts.ways}</p>
        <ButtonLink to="/Profile/sign-in" variant="secondary">
          See and change
        </ButtonLink>
      </div>
      <h3 className="mt-6 font-bold tracking-normal">Two-step sign-in</h3>
      <div className="mt-2 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
        <p className="text-muted">{twoStep ? securityTexts.twoStepOn : securityTexts.twoStepOff}</p>
        <ButtonLink to="/Profile/two-step" variant="secondary">
          {twoStep ? 'Manage' : 'Set up'}
        </ButtonLink>
      </div>
    </div>
  )
}

type PasswordChangeProps = {
  email: string
  minLength: number
  result: AccountFormResult | undefined
}

function PasswordChange({ email, minLength, result }: PasswordChangeProps) {
  /** Each change empties the fields. */
  const [changes, setChanges] = useState(0)
  const form = useForm<AccountFormSuccess>({
    validate: (entered) => checkForm(passwordChangeForm(minLength), entered).errors,
    initialResult: result,
    onSuccess: () => setChanges((before) => before + 1),
  })

  return (
    <Form form={form} action={addressOf('password')} className="mt-3">
      <fieldset key={changes} disabled={form.isBusy} className="grid max-w-xl gap-5">
        <legend className="mb-4 font-bold">Change password</legend>
        {/* Tells password managers whose password it is. */}
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors.currentPassword}
        />
        <NewPasswordFields label="New password" minLength={minLength} errors={form.errors} />
        <EndOthersTick />
      </fieldset>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" disabled={form.isBusy} className="min-w-40">
          {form.isBusy ? 'Saving...' : 'Change password'}
        </Button>
        <Outcome form={form} />
      </div>
    </Form>
  )
}

type DevicesProps = { devices: Device[]; timeZone: string; result: AccountFormResult | undefined }

function Devices({ devices, timeZone, result }: DevicesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useForm<AccountFormSuccess>({
    initialResult: result,
    // The pressed button no longer exists.
    onSuccess: () => heading.current?.focus(),
  })
  const hasOthers = devices.some(({ isCurrent }) => !isCurrent)

  return (
    <Form form={form} action={addressOf('devices')}>
      <h3 ref={heading} id="devices-title" tabIndex={-1} className="font-bold tracking-normal">
        Where you’re signed in
      </h3>
      <p className="mt-2 text-muted">{securityTexts.devices}</p>
      <ul aria-labelledby="devices-title" className="mt-2 divide-y divide-line">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} timeZone={timeZone} busy={form.isBusy} />
        ))}
      </ul>
      {hasOthers && (
        <Button
          type="submit"
          name="others"
          value="all"
          variant="danger"
          disabled={form.isBusy}
          className="mt-3"
        >
          Sign out all other devices
        </Button>
      )}
      <div className="mt-4 flex flex-wrap empty:hidden">
        <Outcome form={form} />
      </div>
    </Form>
  )
}

const icons = { computer: Laptop, phone: Smartphone, tablet: Tablet } as const

function DeviceRow({
  device,
  timeZone,
  busy,
}: {
  device: Device
  timeZone: string
  busy: boolean
}) {
  const Icon = icons[device.kind]
  const facts = [
    `Signed in ${formatDate(device.signedInAt, timeZone)}`,
    device.isCurrent ? 'In use now' : `Last used ${formatDate(device.usedAt, timeZone)}`,
    `Expires ${formatDate(device.expiresAt, timeZone)}`,
  ]

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Icon aria-hidden="true" size={22} className="shrink-0 text-muted" />
      <div className="min-w-48 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {device.name}
          {device.isCurrent && (
            <span className="ml-2 whitespace-nowrap rounded-full bg-accent-soft px-2.5 py-0.5 font-semibold text-ink text-sm">
              This device
            </span>
          )}
        </p>
        <p className="mt-0.5 text-muted text-sm">{facts.join(' · ')}</p>
      </div>
      {!device.isCurrent && (
        <Button
          type="submit"
          name="device"
          value={device.id}
          variant="secondary"
          disabled={busy}
          aria-label={`Sign out ${device.name}, signed in ${formatDate(device.signedInAt, timeZone)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

function Outcome({ form }: { form: AccountForm }) {
  return (
    <>
      {form.notice && <Notice variant="good">{form.notice}</Notice>}
      {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
    </>
  )
}
