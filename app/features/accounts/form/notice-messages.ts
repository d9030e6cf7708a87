export type AccountNotice = {
  look: 'good'
  text: string
  /** Heading and title of the login page where 'Welcome back' would be out of place. */
  heading?: string
}

/** Whoever is signed in meanwhile reads it on the profile. */
export const emailVerified = 'email-verified'

/** What a link or a finished step says on the login page, by the `notice` of its address. */
const notices: Record<string, AccountNotice> = {
  'password-changed': { look: 'good', text: 'Your password has been changed. Sign in with your new password.' },
  'account-deleted': {
    look: 'good',
    heading: 'Account deleted',
    text: 'Your account and everything in it have been deleted.',
  },
  [emailVerified]: { look: 'good', text: 'Thanks! Your email address is confirmed.' },
  'account-disowned': {
    look: 'good',
    heading: 'Account locked',
    text: 'Thanks for letting us know. That account is now locked. If it’s yours after all, reset its password.',
  },
}

export function findNotice(name: string | null): AccountNotice | null {
  return (name !== null && Object.hasOwn(notices, name) && notices[name]) || null
}
