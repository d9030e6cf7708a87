import { accountLimits, passwordLength } from '../account-rules'

/**
 * Messages beside the fields of the account forms. The messages of error codes are in
 * `account-errors.ts`.
 */
export const fieldMessages = {
  firstName: {
    required: 'First name is required',
    tooLong: `First name must be ${accountLimits.name} characters or fewer`,
    notVisible: 'First name needs at least one letter',
    isEmail: 'First name can’t be an email address',
  },
  lastName: {
    required: 'Last name is required',
    tooLong: `Last name must be ${accountLimits.name} characters or fewer`,
    notVisible: 'Last name needs at least one visible character',
    isEmail: 'Last name can’t be an email address',
  },
  email: {
    required: 'Email is required',
    invalid: 'Please enter a valid email',
    /** @param character such as 'zero width space (U+200B)' */
    invisible: (character: string) =>
      `This address contains an invisible character: ${character}. Please type it instead of pasting it`,
  },
  password: {
    required: 'Password is required',
    tooShort: (minLength: number) => `Password must be at least ${minLength} characters`,
    tooLong: `Password must be ${passwordLength.max} characters or fewer`,
  },
  confirmPassword: {
    required: 'Please confirm your password',
    different: 'Passwords do not match',
  },
  terms: 'You must agree to the terms and conditions',
  phone: {
    invalid: 'Please enter a valid phone number',
    tooLong: `Phone number must be ${accountLimits.phone} characters or fewer`,
  },
  location: { tooLong: `Location must be ${accountLimits.location} characters or fewer` },
  timezone: 'Please choose a time zone from the list',
  notStorable: 'Please remove the characters that we can’t save',
} as const

type AccountNotice = {
  variant: 'good' | 'info'
  text: string
  /** The heading and title of the login page, instead of 'Welcome back'. */
  heading?: string
}

/** The name of a notice that both the login page and the profile show. */
export const emailVerifiedNotice = 'email-verified'

/** The notices of the login page, by the parameter `notice` in its URL. */
const notices: Record<string, AccountNotice> = {
  wish: {
    variant: 'info',
    text: 'Sign in to save courses to your wish list. It’s the same on all your devices.',
  },
  'password-changed': {
    variant: 'good',
    text: 'Your password has been changed. Sign in with your new password.',
  },
  'account-deleted': {
    variant: 'good',
    heading: 'Account deleted',
    text: 'Your account and everything in it have been deleted.',
  },
  [emailVerifiedNotice]: { variant: 'good', text: 'Thanks! Your email address is confirmed.' },
  'account-disowned': {
    variant: 'good',
    heading: 'Account locked',
    text: 'Thanks for letting us know. That account is now locked. If it’s yours after all, reset its password.',
  },
  'account-secured': {
    variant: 'good',
    heading: 'Account locked down',
    text: 'Every device is signed out, and what was changed has been removed. We’ve emailed you a link to set a new password.',
  },
  'account-disabled': {
    variant: 'good',
    heading: 'Account locked down',
    text: 'No one can sign in to that account now. Another account has its former email address, so please contact the people who run this site.',
  },
}

export function findNotice(name: string | null): AccountNotice | null {
  if (name === null || !Object.hasOwn(notices, name)) {
    return null
  }

  return notices[name] ?? null
}

export const maxPasskeyNameLength = 60

export const signInMethodNotices = {
  added: 'The passkey is added.',
  renamed: (name: string) => `The passkey is now called “${name}”.`,
  removed: 'It is removed.',
  lastMethod: 'This is your only way to sign in. Add another one first.',
} as const
