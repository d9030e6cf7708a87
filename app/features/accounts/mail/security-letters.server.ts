import type { Letter } from '~/server/mail/mail-letter.server'
import { siteName } from '~/server/site/site.server'
import { formatDateTime } from '~/ui/format-date'

/** Changes of how one signs in, as the mail about them says. */
const securityChanges = () => ({
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

export type SecurityChange = keyof ReturnType<typeof securityChanges>

/** @param at ISO date-time, shown in the learner's time zone. */
type Happened = { at: string; timeZone: string; notMe: string; days: number }

const askLearner = 'If it was you, there’s nothing to do. If it wasn’t, tell us here:'
/** Ends mails about acts that the school does at the learner's request. */
const askWhoAsked = 'If you asked for it, there’s nothing to do. If you didn’t, tell us here:'

function securityLetter(
  subject: string,
  words: string[],
  { at, timeZone, notMe, days }: Happened,
  question = askLearner,
): Letter {
  return {
    subject,
    before: [...words, `When: ${formatDateTime(at, timeZone)}`, question],
    link: { label: 'This wasn’t me', href: notMe },
    after: [
      `The link opens a page with a button that locks your account down and removes what was changed since. Opening it changes nothing. It works once, for ${days} days.`,
    ],
  }
}

/** @param device like 'Firefox on Windows'. */
export const newDeviceLetter = (device: string, happened: Happened): Letter =>
  securityLetter(
    `New sign-in to your ${siteName()} account`,
    [
      `Someone signed in to your ${siteName()} account in a browser that hasn’t been used for it before.`,
      `Where: ${device}`,
    ],
    happened,
  )

export const passwordChangedLetter = (happened: Happened): Letter =>
  securityLetter(
    `Your ${siteName()} password was changed`,
    [`The password of your ${siteName()} account has been changed.`],
    happened,
  )

export const securityChangedLetter = (change: string, happened: Happened): Letter => {
  const subject = securityChanges()[change as SecurityChange] ?? securityChanges()['way-added']
  return securityLetter(
    subject,
    [`${subject}.`],
    happened,
    change === 'factors-reset' ? askWhoAsked : askLearner,
  )
}

/** Doesn't contain the new address: the former mailbox may belong to a different person now. */
export const addressChangedLetter = (happened: Happened): Letter => {
  const letter = securityLetter(
    `Your ${siteName()} email address was changed`,
    [
      'The people who run this site have changed the email address of your account. From now on, sign in with the new address; emails go there, too.',
    ],
    happened,
    askWhoAsked,
  )

  return { ...letter, after: [...letter.after, 'This is the last email to this address.'] }
}

export const accountDeletedLetter = (href: string): Letter => ({
  subject: `Your ${siteName()} account was deleted`,
  before: [
    `Your ${siteName()} account and everything in it have been deleted, by someone who was signed in to it or by the people who run this site.`,
    'If you wanted that, there’s nothing to do. If not, the account can’t be brought back by this email. Please contact the people who run this site right away, and change this password wherever else you use it:',
  ],
  link: { label: `Open ${siteName()}`, href },
  after: ['This is the last email to this address.'],
})
