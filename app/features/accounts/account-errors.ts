import type { FieldErrors } from '~/ui/form/form-result'
import { siteName } from '~/ui/site-name'
import { passwordLength } from './account-rules'

/**
 * Codes the account service returns when it refuses, with the status of the answer; the sentences
 * are below.
 */
export const accountErrorStatuses = {
  'user-not-found': 404,
  'wrong-password': 401,
  'email-already-in-use': 409,
  'weak-password': 400,
  /** Only with `PASSWORD_REFUSE_COMMON`. */
  'common-password': 400,
  'invalid-email': 400,
  'user-disabled': 403,
  'too-many-requests': 429,
  /**
   * The body doesn't fit the operation: broken JSON, an unknown field, a wrong type, a name that is
   * too long.
   */
  'invalid-request': 400,
  'not-signed-in': 401,
  /** The change needs a recent proof that it is the learner. */
  'confirm-first': 401,
  /** The code of a mail or an authenticator app. */
  'wrong-code': 401,
  /** The code of an authenticator app has digits missing, or too many. */
  'incomplete-code': 400,
  /** The first step of the sign-in is done; a code has to follow. */
  'second-step': 401,
  /** The first step was too long ago, or something has changed since. */
  'second-step-over': 401,
  /** No account has it. */
  'passkey-unknown': 401,
  'passkey-failed': 401,
  'too-many-passkeys': 409,
  /** The email address isn't confirmed. */
  'confirm-address': 403,
  /** The document of another account. */
  forbidden: 403,
  'not-found': 404,
  /** The emailed link was used, has expired or never existed. */
  'link-expired': 410,
  /** Everyone shares the demo account, so no one may change it. */
  'demo-account': 403,
  /** The desk would have no owner without the account. */
  'only-owner': 409,
  'provider-email-missing': 400,
  /** The address doesn't belong to the provider's organization. */
  'provider-domain': 403,
  /** The provider hasn't verified the address. */
  'provider-unverified': 403,
  /** The account is linked to another person of this provider. */
  'provider-changed': 409,
  'provider-away': 503,
  /** A sign-in that was to confirm who is signed in was another account's. */
  'other-account': 403,
  /** This address has to sign in with its organization's provider. */
  'use-organization': 403,
  /** Too many passwords to check in reasonable time. */
  busy: 503,
  /** An operator maintains the product. */
  maintenance: 503,
  'internal-error': 500,
} as const

export type AccountErrorCode = keyof typeof accountErrorStatuses
/** Includes codes that only the browser knows. */
export type ClientErrorCode =
  | AccountErrorCode
  | 'network-request-failed'
  | 'popup-closed-by-user'
  | 'cancelled-popup-request'
  | 'passkey-canceled'
  | 'passkey-exists'

const anyOther = 'An error occurred. Please try again'

/**
 * The message for each code of the account service and of the browser, from the specification's
 * error catalogue.
 */
const messages: Record<ClientErrorCode, string> = {
  'user-not-found': 'No user found with this email address',
  'wrong-password': 'Incorrect password',
  'email-already-in-use': 'An account with this email already exists',
  'weak-password': `Password should be at least ${passwordLength.min} characters`,
  'invalid-email': 'Invalid email address',
  'user-disabled': 'This account has been disabled',
  'too-many-requests': 'Too many failed attempts. Please try again later',
  'network-request-failed': 'Network error. Please check your connection',
  'popup-closed-by-user': 'Sign-in popup was closed',
  'cancelled-popup-request': 'Sign-in was cancelled',
  'internal-error': anyOther,
  'invalid-request': anyOther,
  'not-found': anyOther,
  // Beyond the catalogue, where 'an error occurred' would not help.
  'not-signed-in': 'You’re no longer signed in. Please sign in again',
  'confirm-first': 'Please confirm it’s you first',
  'second-step': 'Please enter the code from your authenticator app',
  'second-step-over':
    'Please sign in again: this took too long, or your password was changed meanwhile',
  get 'passkey-unknown'() {
    return `${siteName()} doesn’t know this passkey. It may have been removed`
  },
  'passkey-failed': 'That didn’t work. Please try again, or sign in another way',
  'passkey-canceled': 'No passkey was chosen. You can sign in another way',
  'passkey-exists': 'This device already has a passkey for your account',
  'too-many-passkeys': 'You have many passkeys already. Remove one first',
  'confirm-address': 'Please confirm your email address first',
  'wrong-code': 'This code is wrong, was already used or has expired',
  'incomplete-code': 'A code has six digits',
  'common-password': 'This password is too easy to guess. Please choose another one',
  forbidden: 'This belongs to a different account',
  get busy() {
    return `${siteName()} is very busy right now. Please try again in a moment`
  },
  get maintenance() {
    return `${siteName()} is under maintenance. Please try again later`
  },
  'link-expired': 'This link has expired or has already been used',
  'demo-account': 'The demo account is shared, so it can’t be changed',
  'only-owner': 'You’re the only owner of this school. Make somebody else owner first',
  'provider-domain':
    'That account’s email address isn’t one of the organization’s. Please choose another account',
  'provider-unverified':
    'The email address of that account hasn’t been verified there. Please ask the people who manage it',
  'provider-changed':
    'Your email address belonged to another account of that provider before. Please ask the people who run this site to let you in',
  'other-account': 'That’s a different account. Please choose the one that you’re signed in with',
  'provider-away': 'That way to sign in doesn’t answer right now. Please try again in a moment',
  'use-organization': 'With this email address, please sign in with your organization’s button',
  get 'provider-email-missing'() {
    return `That account didn’t share an email address, and ${siteName()} needs one. Please sign up with email`
  },
}

/** @param code of the service or the browser; anything unknown gets the catalogue's last row. */
export function accountErrorMessage(code: string | null | undefined): string {
  return Object.hasOwn(messages, code ?? '') ? messages[code as ClientErrorCode] : anyOther
}

/** The field a refusal belongs to; all others belong to the form as a whole. */
const fields: Partial<Record<string, string>> = {
  'user-not-found': 'email',
  'email-already-in-use': 'email',
  'invalid-email': 'email',
  'wrong-password': 'password',
  'weak-password': 'password',
  'wrong-code': 'code',
  'incomplete-code': 'code',
  'common-password': 'password',
  'use-organization': 'email',
}

/** How a form shows a refusal: beside the field that it is about, and in the banner. */
export function toFormErrors(code: string): { errors: FieldErrors; banner: string } {
  const sentence = accountErrorMessage(code)
  return { errors: { [fields[code] ?? 'form']: sentence }, banner: sentence }
}

/** The message after an unexpected failure, by operation. */
export const unexpectedFailures = {
  register: 'Registration failed',
  login: 'Login failed',
  logout: 'Logout failed',
  resetPassword: 'Password reset failed',
} as const

/** For a sign-in with a provider. @param provider like 'Google'. */
export const providerFailed = (provider: string) => `${provider} login failed`

/** The service answered, but could not sign the learner out. */
export const logoutServiceFailure = 'Failed to logout'

/** For forms, when the call itself throws. */
export const formFailures = {
  login: 'Login failed. Please try again.',
  register: 'Registration failed. Please try again.',
} as const

export const resetMailSent = 'Password reset email sent'
export const resetNeedsEmail = 'Please enter your email address first'

/** For a page that stays open and keeps the typed text. */
export const signedOutElsewhere =
  'You’ve been signed out. Sign in again in another tab, then try again.'
