/** What the account service answers when it refuses; the sentences stand in `features/accounts/account-errors.ts`. */
export const accountServiceCodes = {
  'user-not-found': 404,
  'wrong-password': 401,
  'email-already-in-use': 409,
  'weak-password': 400,
  'invalid-email': 400,
  'user-disabled': 403,
  'too-many-requests': 429,
  /** The body is not what the operation takes: broken JSON, an unknown field, a wrong type, a name that is too long. */
  'invalid-request': 400,
  'not-signed-in': 401,
  /** The account has no password, and its session is not fresh. */
  'sign-in-again': 401,
  /** Somebody else's document. */
  forbidden: 403,
  'not-found': 404,
  /** The link of a message is used, older than it may be, or never was one. */
  'link-expired': 410,
  /** The demo account is everybody's, so that nobody may change it. */
  'demo-account': 403,
  'provider-email-missing': 400,
  /** More passwords than can be checked in good time. */
  busy: 503,
  'internal-error': 500,
} as const

export type AccountServiceCode = keyof typeof accountServiceCodes
/** Also those that only a browser can know. */
export type AccountCode =
  | AccountServiceCode
  | 'network-request-failed'
  | 'popup-closed-by-user'
  | 'cancelled-popup-request'

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
  /** The chosen one, else the browser's, else UTC. */
  displayTimezone: string
  createdAt: string
  lastLoginAt: string
}

export type SocialProviderId = 'google' | 'facebook'

/** Length limits of what a learner may type, in UTF-16 code units like `maxlength`. */
export const accountLimits = { name: 100, email: 254, passwordMin: 6, password: 200, phone: 40, location: 120 } as const

const emailPattern = /^[^\s@,;<>()[\]\\"]+@[^\s@.,;<>()[\]\\"]+(\.[^\s@.,;<>()[\]\\"]+)+$/

/** Looks like an address that mail can be sent to; only the mail itself can prove more. */
export function looksLikeEmail(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  const dotsAreFine = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  return email.length <= accountLimits.email && local.length <= 64 && dotsAreFine && emailPattern.test(email)
}
