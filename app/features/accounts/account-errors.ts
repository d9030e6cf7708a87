import type { FieldErrors } from '~/ui/form/form-result'
import { siteName } from '~/ui/site-name'
import { passwordLength } from './account-rules'

/**
 * The errors of accounts, for the server and the browser: their codes and HTTP statuses, their
 * messages, and the form fields that they concern.
 */

/** The error codes of the account service, each with the status of the HTTP response. */
export const accountErrorStatuses = {
  'user-not-found': 404,
  'wrong-password': 401,
  'email-already-in-use': 409,
  'weak-password': 400,
  /** Only if the setting `PASSWORD_REFUSE_COMMON` is on. */
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
  /** The change requires a recent sign-in. */
  'confirm-first': 401,
  /** The code of an email, an authenticator app, or a recovery code is wrong. */
  'wrong-code': 401,
  /** The code of an authenticator app has digits missing, or too many. */
  'incomplete-code': 400,
  /** The first step of the sign-in was passed, and a code has to follow. */
  'second-step': 401,
  /** The first step was too long ago, or something has changed since. */
  'second-step-over': 401,
  /** No account has this passkey. */
  'passkey-unknown': 401,
  'passkey-failed': 401,
  'too-many-passkeys': 409,
  /** The account's email isn't confirmed. */
  'confirm-address': 403,
  /** The request concerns something that belongs to another account. */
  forbidden: 403,
  'not-found': 404,
  /** The emailed link was used, has expired or never existed. */
  'link-expired': 410,
  /** Everyone shares the demo account, so no one may change it. */
  'demo-account': 403,
  /** The desk would have no owner without the account. */
  'only-owner': 409,
  'provider-email-missing': 400,
  /** The email doesn't belong to the provider's organization. */
  'provider-domain': 403,
  /** The provider hasn't verified the email. */
  'provider-unverified': 403,
  /**
   * The email belonged to another account of this provider before, so this may be another person.
   */
  'provider-changed': 409,
  /** The provider can't be reached. */
  'provider-away': 503,
  /** To confirm their identity, the learner signed in to another account. */
  'other-account': 403,
  /** The owner of this email has to sign in with their organization's provider. */
  'use-organization': 403,
  /** Too many passwords are waiting to be checked. */
  busy: 503,
  /** An operator has put the product into maintenance. */
  maintenance: 503,
  'internal-error': 500,
} as const

export type AccountErrorCode = keyof typeof accountErrorStatuses

/** The error codes of the account service and of the browser. */
export type ClientErrorCode =
  | AccountErrorCode
  | 'network-request-failed'
  | 'popup-closed-by-user'
  | 'cancelled-popup-request'
  | 'passkey-canceled'
  | 'passkey-exists'

const unknownErrorMessage = 'An error occurred. Please try again'

/**
 * The message for each error code. The first ones are from the specification's error catalog.
 * Getters contain the site's name, which is only known at run time.
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
  'internal-error': unknownErrorMessage,
  'invalid-request': unknownErrorMessage,
  'not-found': unknownErrorMessage,
  // These are not in the specification, whose message for other errors would not help.
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

/** Returns the message for an error code, or a general one for an unknown code. */
export function accountErrorMessage(code: string | null | undefined): string {
  return isKnownCode(code) ? messages[code] : unknownErrorMessage
}

function isKnownCode(code: string | null | undefined): code is ClientErrorCode {
  return typeof code === 'string' && Object.hasOwn(messages, code)
}

/** The field that an error concerns. All other errors concern the whole form. */
const fieldByErrorCode: Partial<Record<ClientErrorCode, string>> = {
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

/**
 * Returns what a form shows of an error: a message beside the field that it concerns, and the same
 * message as a banner.
 */
export function toFormErrors(code: string): { errors: FieldErrors; banner: string } {
  const message = accountErrorMessage(code)
  const concernedField = isKnownCode(code) ? fieldByErrorCode[code] : undefined
  const field = concernedField ?? 'form'

  return { errors: { [field]: message }, banner: message }
}

/** The specification's messages after an unexpected failure. */
export const unexpectedErrorMessages = {
  register: 'Registration failed',
  login: 'Login failed',
  logout: 'Logout failed',
  resetPassword: 'Password reset failed',
} as const

/** @param providerName such as 'Google' */
export function providerLoginFailedMessage(providerName: string): string {
  return `${providerName} login failed`
}

/** The message if the server responded, but could not sign the learner out. */
export const logoutRefusedMessage = 'Failed to logout'

/** The messages if the page fails after the server has accepted the form. */
export const afterSubmitErrorMessages = {
  login: 'Login failed. Please try again.',
  register: 'Registration failed. Please try again.',
} as const

export const resetEmailSentMessage = 'Password reset email sent'
export const resetEmailRequiredMessage = 'Please enter your email address first'

/** The message on a page that stays open and keeps its unsaved input. */
export const signedOutInOtherTabMessage =
  'You’ve been signed out. Sign in again in another tab, then try again.'
