import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Avatar } from '~/ui/avatar'
import { formatDate } from '~/ui/format-date'
import type { SessionUser } from '../session/session-user.server'
import { browserZoneLabel, timeZoneLabel } from './time-zones'

const providerNames: Partial<Record<string, string>> = {
  email: 'Email and password',
  google: 'Google',
  facebook: 'Facebook',
}
const notProvided = 'Not provided'

type PersonalInfoSectionProps = {
  learner: SessionUser
  heading: ReactNode
}

/** The learner's personal data. A missing value reads 'Not provided'. */
export function PersonalInfoSection({ learner, heading }: PersonalInfoSectionProps) {
  const { displayName, firstName, lastName, email, phone, location, timezone, provider, photoURL } =
    learner
  const timeZone = timezone ? timeZoneLabel(timezone) : browserZoneLabel(learner.detectedTimezone)
  const joinDate = learner.createdAt
    ? formatDate(learner.createdAt, learner.displayTimezone)
    : 'Recently joined'

  return (
    <>
      {heading}
      <div className="grid gap-5 lg:gap-6">
        <section aria-labelledby="about-you" className="card overflow-hidden">
          <div className="flex flex-col gap-5 border-line border-b bg-sunken p-5 sm:flex-row sm:items-center sm:p-6">
            <Avatar src={photoURL} name={displayName} size={96} />
            <div className="min-w-0">
              <h2 id="about-you" className="font-bold text-2xl">
                <bdi>{displayName || notProvided}</bdi>
              </h2>
              <p className="mt-1 text-muted">{email}</p>
            </div>
          </div>
          <DetailList
            details={[
              ['First name', firstName],
              ['Last name', lastName],
              ['Phone', phone],
              ['Location', location],
              ['Timezone', timeZone],
            ]}
          />
        </section>
        <section aria-labelledby="your-account" className="card">
          <h2 id="your-account" className="px-5 pt-5 font-bold text-lg sm:px-6 sm:pt-6">
            Account
          </h2>
          {!learner.emailVerified && (
            <p className="px-5 pt-2 text-muted sm:px-6">
              Your email address isn’t confirmed yet.{' '}
              <Link to="/ConfirmEmail" className="link">
                Confirm email address
              </Link>
            </p>
          )}
          <DetailList
            details={[
              ['Email', email],
              ['Member since', joinDate],
              ['Signed up with', providerNames[provider] ?? 'Single sign-on'],
              ['Last sign-in', formatDate(learner.lastLoginAt, learner.displayTimezone)],
            ]}
          />
        </section>
      </div>
    </>
  )
}

function DetailList({ details }: { details: [label: string, value: string | null][] }) {
  return (
    <dl className="grid gap-x-8 px-5 py-2 sm:grid-cols-2 sm:px-6">
      {details.map(([label, value]) => (
        <div key={label} className="min-w-0 py-3.5">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className={`mt-0.5 font-medium ${value ? '' : 'text-muted'}`}>
            <bdi>{value || notProvided}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
