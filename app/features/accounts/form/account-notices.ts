/** What a link or a finished step says on the login page, by the `notice` of its address. */
const notices = {
  'password-changed': { look: 'good', text: 'Your password is changed. Sign in with the new one.' },
  'account-deleted': { look: 'good', text: 'Your account and everything in it is deleted.' },
  'email-verified': { look: 'good', text: 'Thank you, your email address is confirmed.' },
  'account-disowned': {
    look: 'good',
    text: 'Thank you. Nobody can sign in to that account any more. Should it be yours after all, set a new password.',
  },
} as const

export type AccountNotice = (typeof notices)[keyof typeof notices]

export function findNotice(name: string | null): AccountNotice | null {
  return name !== null && Object.hasOwn(notices, name) ? notices[name as keyof typeof notices] : null
}
