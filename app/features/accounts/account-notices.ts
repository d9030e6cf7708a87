/** What a link or a finished step says on the login page, by the `notice` of its address. */
const notices = {
  'password-changed': { look: 'good', text: 'Your password is changed. Sign in with the new one.' },
  'account-deleted': { look: 'good', text: 'Your account and everything in it is deleted.' },
  'email-verified': { look: 'good', text: 'Thank you, your email address is confirmed.' },
  'link-expired': { look: 'warn', text: 'This link has been used already or has expired.' },
} as const

export type Notice = (typeof notices)[keyof typeof notices]

export function findNotice(name: string | null): Notice | null {
  return name !== null && Object.hasOwn(notices, name) ? notices[name as keyof typeof notices] : null
}
