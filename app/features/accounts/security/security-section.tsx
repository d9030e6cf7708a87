import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import type { AccountFormResult } from '../form/form-result'
import type { IdentityProofs } from '../step-up/confirmation.server'
import type { Device } from './devices.server'
import { DevicesForm } from './devices-form'
import { PasswordChangeForm } from './password-change-form'
import { type SecurityEvent, SecurityEvents } from './security-events'

/** The forms of this section. Each name is also a part of the URL to which its form is sent. */
type SecurityForm = 'password' | 'devices'

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
 * Lets the learner change the password, see and end sessions, and read the security log. It also
 * works without JavaScript.
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
          <PasswordChangeForm
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
          <DevicesForm
            devices={devices}
            timeZone={learner.displayTimezone}
            result={results.devices}
          />
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
        <p className="text-muted">{securityTexts.signInMethods}</p>
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

const securityTexts = {
  demo: 'The demo account is shared, so its password can’t be changed, and its devices aren’t shown.',
  /** The start of a sentence that ends with a link. */
  noPassword: 'Your account has no password. To sign in with one, too,',
  signInMethods: 'Your password, passkeys, and accounts of other services.',
  twoStepOn: 'On: signing in also takes a code of your authenticator app.',
  twoStepOff: 'Off. Protect your account with a code of an app on your phone, too.',
} as const
