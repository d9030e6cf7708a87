import { Laptop, Smartphone, Tablet } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate, formatDateTime } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { NewPasswordFields, PasswordField } from '../form/form-fields'
import {
  type AccountForm,
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import type { IdentityProofs } from '../step-up/confirmation.server'
import type { Device } from './devices.server'
import { eventTexts, formatSignInMethod } from './security-messages'
import { SignOutOthersCheckbox } from './security-page'

/** The forms of this section. The URL to which a form is sent contains this name. */
type SecurityForm = 'password' | 'devices'

function formUrl(form: SecurityForm): string {
  return `/Profile/settings?form=${form}#security`
}

type SecuritySectionProps = {
  learner: { email: string; displayTimezone: string }
  identityProofs: IdentityProofs
  isDemoAccount: boolean
  passwordMinLength: number
  devices: Device[]
  events: SecurityEvent[]
  /** The route action's result if a form was sent without JavaScript. */
  results: Partial<Record<SecurityForm, AccountFormResult>>
}

/**
 * Lets the learner change the password, see and end sessions, and read the security log. It also works
 * without JavaScript.
 */
export function SecuritySection({
  learner,
  identityProofs,
  isDemoAccount,
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
        {isDemoAccount && <p className="mt-3 text-muted">{securityTexts.demo}</p>}
        {!isDemoAccount && identityProofs.hasPassword && (
          <PasswordChange
            email={learner.email}
            minLength={passwordMinLength}
            result={results.password}
          />
        )}
        {!isDemoAccount && !identityProofs.hasPassword && (
          <p className="mt-3 text-muted">
            {securityTexts.noPassword}{' '}
            <Link to="/ResetPassword" className="link">
              ask for an email with a link to set it
            </Link>
            .
          </p>
        )}
      </div>
      {!isDemoAccount && <SignInLinks hasTwoFactor={identityProofs.hasTwoFactor} />}
      {!isDemoAccount && (
        <div className="border-line border-t p-5 sm:p-6">
          <Devices devices={devices} timeZone={learner.displayTimezone} result={results.devices} />
        </div>
      )}
      {!isDemoAccount && (
        <div className="border-line border-t p-5 sm:p-6">
          <SecurityEvents events={events} timeZone={learner.displayTimezone} />
        </div>
      )}
    </section>
  )
}

/** Links to the pages that require a recent sign-in. */
function SignInLinks({ hasTwoFactor }: { hasTwoFactor: boolean }) {
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
        <p className="text-muted">
          {hasTwoFactor ? securityTexts.twoStepOn : securityTexts.twoStepOff}
        </p>
        <ButtonLink to="/Profile/two-step" variant="secondary">
          {hasTwoFactor ? 'Manage' : 'Set up'}
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
  /** The number is a key of the fields, so that each change empties them. */
  const [changeCount, setChangeCount] = useState(0)
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(passwordChangeForm(minLength), formData).errors,
    initialResult: result,
    onSuccess: () => setChangeCount((count) => count + 1),
  })

  return (
    <Form form={form} action={formUrl('password')} className="mt-3">
      <fieldset key={changeCount} disabled={form.isBusy} className="grid max-w-xl gap-5">
        <legend className="mb-4 font-bold">Change password</legend>
        {/* Password managers read the account's email from this hidden field. */}
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors.currentPassword}
        />
        <NewPasswordFields label="New password" minLength={minLength} errors={form.errors} />
        <SignOutOthersCheckbox />
      </fieldset>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary" disabled={form.isBusy} className="min-w-40">
          {form.isBusy ? 'Saving...' : 'Change password'}
        </Button>
        <FormNotices form={form} />
      </div>
    </Form>
  )
}

type DevicesProps = { devices: Device[]; timeZone: string; result: AccountFormResult | undefined }

function Devices({ devices, timeZone, result }: DevicesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useForm<AccountFormSuccess>({
    initialResult: result,
    // The focus moves, because the pressed button disappears.
    onSuccess: () => heading.current?.focus(),
  })
  const hasOtherDevices = devices.some(({ isCurrent }) => !isCurrent)

  return (
    <Form form={form} action={formUrl('devices')}>
      <h3 ref={heading} id="devices-title" tabIndex={-1} className="font-bold tracking-normal">
        Where you’re signed in
      </h3>
      <p className="mt-2 text-muted">{securityTexts.devices}</p>
      <ul aria-labelledby="devices-title" className="mt-2 divide-y divide-line">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} timeZone={timeZone} isDisabled={form.isBusy} />
        ))}
      </ul>
      {hasOtherDevices && (
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
        <FormNotices form={form} />
      </div>
    </Form>
  )
}

const deviceIcons = { computer: Laptop, phone: Smartphone, tablet: Tablet } as const

function DeviceRow({
  device,
  timeZone,
  isDisabled,
}: {
  device: Device
  timeZone: string
  isDisabled: boolean
}) {
  const Icon = deviceIcons[device.kind]
  const details = [
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
        <p className="mt-0.5 text-muted text-sm">{details.join(' · ')}</p>
      </div>
      {!device.isCurrent && (
        <Button
          type="submit"
          name="device"
          value={device.id}
          variant="secondary"
          disabled={isDisabled}
          aria-label={`Sign out ${device.name}, signed in ${formatDate(device.signedInAt, timeZone)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** An event in the security log. `at` is an ISO date-time. */
type SecurityEvent = {
  id: string
  kind: keyof typeof eventTexts
  at: string
  /** The method that was used to sign in, added or removed. */
  signInMethod: string | null
  device: string | null
}

/** Earlier events are collapsed. */
const expandedEvents = 5

type SecurityEventsProps = { events: SecurityEvent[]; timeZone: string }

/** The security log, newest event first. */
function SecurityEvents({ events, timeZone }: SecurityEventsProps) {
  const earlierEvents = events.slice(expandedEvents)

  return (
    <>
      <h3 className="font-bold tracking-normal">What happened in your account</h3>
      <p className="mt-2 text-muted">
        {events.length > 0 ? securityTexts.events : securityTexts.noEvents}
      </p>
      <EventList events={events.slice(0, expandedEvents)} timeZone={timeZone} />
      {earlierEvents.length > 0 && (
        <details>
          <summary className="link min-h-11 cursor-pointer py-2.5">Show earlier events</summary>
          <EventList events={earlierEvents} timeZone={timeZone} />
        </details>
      )}
    </>
  )
}

function EventList({ events, timeZone }: SecurityEventsProps) {
  return (
    <ul className="divide-y divide-line">
      {events.map(({ id, kind, at, signInMethod, device }) => (
        <li key={id} className="py-3">
          <p className="font-medium">{eventTexts[kind](formatSignInMethod(signInMethod))}</p>
          <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">
            {[formatDateTime(at, timeZone), device].filter(Boolean).join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

function FormNotices({ form }: { form: AccountForm }) {
  return (
    <>
      {form.notice && <Notice variant="good">{form.notice}</Notice>}
      {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
    </>
  )
}

const securityTexts = {
  demo: 'The demo account is shared, so its password can’t be changed, and its devices aren’t shown.',
  noPassword: 'Your account has no password. To sign in with one, too,',
  devices:
    'The time of the last use is noted once a day. We don’t store IP addresses, so we can’t show where a device is.',
  events: 'The last 90 days, the newest first. If something wasn’t you, change your password.',
  ways: 'Your password, passkeys, and accounts of other services.',
  twoStepOn: 'On: signing in also takes a code of your authenticator app.',
  twoStepOff: 'Off. Protect your account with a code of an app on your phone, too.',
  noEvents: 'Nothing in the last 90 days.',
} as const
