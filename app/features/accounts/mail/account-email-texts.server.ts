/** The texts of emails that contain a link to confirm an email address or to set a password. */
import type { EmailContent } from '~/server/mail/email-layout.server'
import { siteName } from '~/server/site/site.server'
import { formatNumber } from '~/ui/format-count'

export const writeResetEmail = (href: string): EmailContent => ({
  subject: `Reset your ${siteName()} password`,
  beforeLink: [
    `We received a request to reset your ${siteName()} password. Choose a new one here:`,
  ],
  link: { label: 'Choose a new password', href },
  afterLink: [
    'This link works once and expires in one hour. Setting a new password signs you out everywhere else.',
    'Didn’t request this? You can ignore this email. Your password won’t change.',
  ],
})

/** An invitation names at most this many courses. */
const maxTitlesInInvitation = 10

type Invitation = {
  /** The courses in which the learner is enrolled. */
  courseTitles: readonly string[]
  /** How long the link works. */
  linkDays: number
}

export const writeInvitationEmail = (
  href: string,
  { courseTitles, linkDays }: Invitation,
): EmailContent => ({
  subject: `Your ${siteName()} account is ready`,
  beforeLink: [
    `An account for this email address has been created on ${siteName()}.`,
    ...describeEnrollments(courseTitles),
    'Choose a password to start learning:',
  ],
  link: { label: 'Choose a password', href },
  afterLink: [
    `This link works once and expires in ${linkDays} days. After that, choose “Forgot password?” on the sign-in page.`,
    'Weren’t expecting this? You can ignore this email. No one can sign in until a password is chosen.',
  ],
})

function describeEnrollments(titles: readonly string[]): string[] {
  if (titles.length === 0) {
    return []
  }

  const namedTitles = titles.slice(0, maxTitlesInInvitation).map((title) => `“${title}”`)
  const furtherCount = titles.length - namedTitles.length
  const furtherCourses = furtherCount > 0 ? [`${formatNumber(furtherCount)} more`] : []
  const list = new Intl.ListFormat('en-US').format([...namedTitles, ...furtherCourses])

  return [`You’re enrolled in ${list}.`]
}

export const writeWelcomeEmail = (href: string): EmailContent => ({
  subject: `Welcome to ${siteName()}`,
  beforeLink: [`Your ${siteName()} account is ready. Please confirm your email address:`],
  link: { label: 'Confirm my email address', href },
  afterLink: [
    'This link expires in 24 hours. You can start learning right away, but we can only issue certificates once your address is confirmed.',
    'Didn’t create this account? The same page lets you lock it.',
  ],
})

export const writeConfirmationEmail = (href: string): EmailContent => ({
  subject: `Confirm your email address for ${siteName()}`,
  beforeLink: ['Here’s the new link you requested to confirm your email address:'],
  link: { label: 'Confirm my email address', href },
  afterLink: [
    'This link expires in 24 hours.',
    'Didn’t create an account? The same page lets you lock it.',
  ],
})

export const writePasswordRemovedEmail = (href: string): EmailContent => ({
  subject: `Your ${siteName()} password was removed`,
  beforeLink: [
    'You signed in with an account of another service. Your account here also had a password that was set before this email address was confirmed. To keep you safe, we removed that password and signed out all other browsers.',
    'Was that password yours? Set a new one here:',
  ],
  link: { label: 'Set a new password', href },
  afterLink: ['If it wasn’t yours, please check your profile: someone else may have filled it in.'],
})
