import { accountLimits, passwordLength } from '../account-rules'

/**
 * Messages beside the fields of the account forms, including the specification's. Messages by error
 * code are in `account-errors.ts`; folders that only some pages load have their own messages.
 */
export const fieldMessages = {
  firstName: {
    required: 'First name is required',
    tooLong: `First name must be ${accountLimits.name} characters or fewer`,
    notVisible: 'First name needs at least one letter',
  },
  lastName: {
    required: 'Last name is required',
    tooLong: `Last name must be ${accountLimits.name} characters or fewer`,
    notVisible: 'Last name needs at least one visible character',
  },
  email: {
    required: 'Email is required',
    invalid: 'Please enter a valid email',
    /** @param character like 'zero width space (U+200B)'. */
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
  /** Heading and title of the login page where 'Welcome back' would be out of place. */
  heading?: string
}

/** Shown on the profile if the learner is signed in. */
export const emailVerified = 'email-verified'

/**
 * Notices on the login page, by `notice` in its address: after a link or a finished step, or why it
 * asks to sign in.
 */
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
  [emailVerified]: { variant: 'good', text: 'Thanks! Your email address is confirmed.' },
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
  return (name !== null && Object.hasOwn(notices, name) && notices[name]) || null
}
