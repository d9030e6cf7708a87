import type { UserRow } from '../account-queries.server'

/** The signed-in learner, as pages and scripts get them. Dates are ISO date-times. */
export type SessionUser = {
  uid: string
  email: string
  /** Whether the learner has proved that the email is theirs. */
  emailVerified: boolean
  displayName: string
  firstName: string
  lastName: string
  photoURL: string | null
  /** `email`, `google`, `facebook`, or the ID of a single sign-on provider. */
  provider: string
  phone: string | null
  location: string | null
  /** The time zone that the learner chose in the settings. */
  timezone: string | null
  /** The browser's time zone, or null until it is known. */
  detectedTimezone: string | null
  /** The chosen time zone or, without one, the browser's. It is UTC if neither is known. */
  displayTimezone: string
  createdAt: string
  lastLoginAt: string
  /** Whether the account menu links to purchases. Only the response for the menu has this field. */
  hasPurchases?: boolean
  /** Whether the account menu links to the desk. Only the response for the menu has this field. */
  isStaff?: boolean
}

export function toSessionUser(user: UserRow): SessionUser {
  return {
    uid: user.id,
    email: user.email,
    displayName: user.name,
    firstName: user.firstName,
    lastName: user.lastName,
    emailVerified: user.emailVerified,
    photoURL: user.image,
    provider: user.provider,
    phone: user.phone,
    location: user.location,
    timezone: user.timezone,
    detectedTimezone: user.detectedTimezone,
    displayTimezone: user.displayTimezone,
    createdAt: user.createdAt.toISOString(),
    // Every session began with a sign-in, even if its time couldn't be written.
    lastLoginAt: (user.lastLoginAt ?? user.createdAt).toISOString(),
  }
}
