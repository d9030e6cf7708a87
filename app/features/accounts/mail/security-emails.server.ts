import type { EmailContent } from '~/server/mail/email-layout.server'
import { siteName } from '~/server/site/site.server'
import { formatDateTime } from '~/ui/format-date'

/** Returns the subjects of emails about changes of how a learner signs in. */
const getSecurityChangeSubjects = () => ({
  'password-added': `A password was added to your ${siteName()} account`,
  'google-added': `Sign-in with Google was added to your ${siteName()} account`,
  'facebook-added': `Sign-in with Facebook was added to your ${siteName()} account`,
  'way-added': `A way to sign in was added to your ${siteName()} account`,
  'way-removed': `A way to sign in was removed from your ${siteName()} account`,
  'passkey-added': `A passkey was added to your ${siteName()} account`,
  'passkey-removed': `A passkey was removed from your ${siteName()} account`,
  'two-factor-on': `Two-step sign-in was turned on for your ${siteName()} account`,
  'two-factor-off': `Two-step sign-in was turned off for your ${siteName()} account`,
  'recovery-codes': `Your ${siteName()} account has new recovery codes`,
  'recovery-code-used': `A recovery code was used to sign in to your ${siteName()} account`,
  'factors-reset': `The people who run this site turned two-step sign-in off for your ${siteName()} account`,
})

export type SecurityChange = keyof ReturnType<typeof getSecurityChangeSubjects>

/** When a change happened, and the link that reverts it. */
type AccountChange = {
  /** ISO date-time, which is shown in the learner's time zone. */
  at: string
  timeZone: string
  recoveryUrl: string
  /** How long the link works. */
  recoveryDays: number
}

/** The question in emails about changes by the learner. */
const wasItYou = 'If it was you, there’s nothing to do. If it wasn’t, tell us here:'
/** The question in emails about changes by the school's staff at the learner's request. */
const didYouAskForIt = 'If you asked for it, there’s nothing to do. If you didn’t, tell us here:'

function writeSecurityEmail(
  subject: string,
  paragraphs: string[],
  { at, timeZone, recoveryUrl, recoveryDays }: AccountChange,
  question = wasItYou,
): EmailContent {
  return {
    subject,
    beforeLink: [...paragraphs, `When: ${formatDateTime(at, timeZone)}`, question],
    link: { label: 'This wasn’t me', href: recoveryUrl },
    afterLink: [
      `The link opens a page with a button that locks your account down and removes what was changed since. Opening it changes nothing. It works once, for ${recoveryDays} days.`,
    ],
  }
}

/** @param device such as 'Firefox on Windows' */
export const writeNewDeviceEmail = (device: string, change: AccountChange): EmailContent =>
  writeSecurityEmail(
    `New sign-in to your ${siteName()} account`,
    [
      `Someone signed in to your ${siteName()} account in a browser that hasn’t been used for it before.`,
      `Where: ${device}`,
    ],
    change,
  )

export const writePasswordChangedEmail = (change: AccountChange): EmailContent =>
  writeSecurityEmail(
    `Your ${siteName()} password was changed`,
    [`The password of your ${siteName()} account has been changed.`],
    change,
  )

export const writeSecurityChangedEmail = (kind: string, change: AccountChange): EmailContent => {
  const subjects = getSecurityChangeSubjects()
  const subject = subjects[kind as SecurityChange] ?? subjects['way-added']
  const isByStaff = kind === 'factors-reset'

  return writeSecurityEmail(subject, [`${subject}.`], change, isByStaff ? didYouAskForIt : wasItYou)
}

/**
 * Composes the email to the previous address. It doesn't contain the new address, because the
 * mailbox may belong to a different person now.
 */
export const writeAddressChangedEmail = (change: AccountChange): EmailContent => {
  const content = writeSecurityEmail(
    `Your ${siteName()} email address was changed`,
    [
      'The people who run this site have changed the email address of your account. From now on, sign in with the new address; emails go there, too.',
    ],
    change,
    didYouAskForIt,
  )

  return {
    ...content,
    afterLink: [...content.afterLink, 'This is the last email to this address.'],
  }
}

export const writeAccountDeletedEmail = (href: string): EmailContent => ({
  subject: `Your ${siteName()} account was deleted`,
  beforeLink: [
    `Your ${siteName()} account and everything in it have been deleted, by someone who was signed in to it or by the people who run this site.`,
    'If you wanted that, there’s nothing to do. If not, the account can’t be brought back by this email. Please contact the people who run this site right away, and change this password wherever else you use it:',
  ],
  link: { label: `Open ${siteName()}`, href },
  afterLink: ['This is the last email to this address.'],
})
