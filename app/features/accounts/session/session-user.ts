/** The session user: the account merged with its stored profile. Dates are ISO date-times. */
export type SessionUser = {
  uid: string
  email: string
  /** The address is proven to be the learner's. */
  emailVerified: boolean
  displayName: string
  firstName: string
  lastName: string
  photoURL: string | null
  provider: 'email' | 'google' | 'facebook'
  phone: string | null
  location: string | null
  /** Chosen by the learner. */
  timezone: string | null
  /** The browser's time zone; null until it is known. */
  detectedTimezone: string | null
  /** The chosen one, else the browser's, else UTC. */
  displayTimezone: string
  createdAt: string
  lastLoginAt: string
}
