import type { Database } from '~/server/database/client.server'
import type { MailKind } from '~/server/database/schema/index'
import { composeLetter, type Letter } from '~/server/mail/mail-letter.server'
import { findUser } from '../account-queries.server'
import { passkeyLetters } from '../passkeys/passkey-letters.server'
import { confirmCodeLetter, createMailedCode } from '../step-up/mailed-code.server'
import { twoFactorLetters } from '../two-factor/two-factor-letters.server'
import { createMailedToken } from './mailed-tokens.server'

type AccountMailKind = Exclude<MailKind, 'study-reminder' | 'receipt'>

export function isAccountMail(kind: MailKind): kind is AccountMailKind {
  return kind !== 'study-reminder' && kind !== 'receipt'
}

/**
 * Composes the messages of the account service. They contain no name: a message could be hidden in the name when a
 * stranger's address is registered.
 *
 * @returns a function that gives the message as of now, with a link that works from now on; null if it is no longer needed.
 */
export function accountMailComposer(db: Database, publicUrl: string) {
  return async (kind: AccountMailKind, uid: string, formerAddress: string | null = null) => {
    const user = await findUser(db, uid)
    if (!user || user.banned) return null
    if (user.emailVerified && (kind === 'welcome' || kind === 'invitation' || kind === 'confirmation')) return null
    return { to: formerAddress ?? user.email, ...composeLetter(await letterOf(db, publicUrl, kind, uid)) }
  }
}

async function letterOf(db: Database, publicUrl: string, kind: AccountMailKind, uid: string): Promise<Letter> {
  switch (kind) {
    case 'password-removed':
      return passwordRemoved(`${publicUrl}/ResetPassword`)
    case 'password-changed':
      return passwordChanged(`${publicUrl}/ResetPassword`)
    case 'address-changed':
      return addressChanged(`${publicUrl}/`)
    case 'passkey-added':
    case 'passkey-removed':
    case 'sign-in-method-removed':
      return passkeyLetters[kind](`${publicUrl}/Profile/sign-in`)
    case 'two-factor-on':
    case 'two-factor-off':
    case 'recovery-code-used':
      return twoFactorLetters[kind](`${publicUrl}/Profile/two-step`)
    case 'confirm-code':
      return confirmCodeLetter(await createMailedCode(db, uid), `${publicUrl}/Confirm`)
    case 'reset':
      return reset(`${publicUrl}/ResetPassword?token=${await createMailedToken(db, 'reset-password', uid)}`)
    case 'invitation': {
      const token = await createMailedToken(db, 'reset-password', uid, Date.now(), invitationDays * dayMs)
      return invitation(`${publicUrl}/ResetPassword?token=${token}`)
    }
    default: {
      const token = await createMailedToken(db, 'verify-email', uid)
      return { welcome, confirmation }[kind](`${publicUrl}/ConfirmEmail?token=${token}`)
    }
  }
}

const reset = (href: string): Letter => ({
  subject: 'Reset your Learnify password',
  before: ['We received a request to reset your Learnify password. Choose a new one here:'],
  link: { label: 'Choose a new password', href },
  after: [
    'This link works once and expires in one hour. Setting a new password signs you out everywhere else.',
    'Didn’t request this? You can ignore this email. Your password won’t change.',
  ],
})

/** Longer than other links, because people don't expect an invitation. */
const invitationDays = 7
const dayMs = 24 * 60 * 60_000

const invitation = (href: string): Letter => ({
  subject: 'Your Learnify account is ready',
  before: ['An account for this email address has been created on Learnify. Choose a password to start learning:'],
  link: { label: 'Choose a password', href },
  after: [
    `This link works once and expires in ${invitationDays} days. After that, choose “Forgot password?” on the sign-in page.`,
    'Weren’t expecting this? You can ignore this email. No one can sign in until a password is chosen.',
  ],
})

const welcome = (href: string): Letter => ({
  subject: 'Welcome to Learnify',
  before: ['Your Learnify account is ready. Please confirm your email address:'],
  link: { label: 'Confirm my email address', href },
  after: [
    'This link expires in 24 hours. You can start learning right away, but we can only issue certificates once your address is confirmed.',
    'Didn’t create this account? The same page lets you lock it.',
  ],
})

const confirmation = (href: string): Letter => ({
  subject: 'Confirm your email address for Learnify',
  before: ['Here’s the new link you requested to confirm your email address:'],
  link: { label: 'Confirm my email address', href },
  after: ['This link expires in 24 hours.', 'Didn’t create an account? The same page lets you lock it.'],
})

const passwordRemoved = (href: string): Letter => ({
  subject: 'Your Learnify password was removed',
  before: [
    'You signed in with Google or Facebook. Your account also had a password that was set before this email address was confirmed. To keep you safe, we removed that password and signed out all other browsers.',
    'Was that password yours? Set a new one here:',
  ],
  link: { label: 'Set a new password', href },
  after: ['If it wasn’t yours, please check your profile: someone else may have filled it in.'],
})

const passwordChanged = (href: string): Letter => ({
  subject: 'Your Learnify password was changed',
  before: [
    'The password of your Learnify account has just been changed.',
    'Wasn’t that you? Set a new one right away, which signs out every device:',
  ],
  link: { label: 'Reset my password', href },
  after: ['If it was you, there’s nothing to do.'],
})

/** Doesn't contain the new address: the former mailbox may belong to a different person now. */
const addressChanged = (href: string): Letter => ({
  subject: 'Your Learnify email address was changed',
  before: [
    'The people who run this site have changed the email address of your account. From now on, sign in with the new address; emails go there, too.',
    'Didn’t ask for this? Contact the people who run this site right away:',
  ],
  link: { label: 'Open Learnify', href },
  after: ['If you asked for it, there’s nothing to do. This is the last email to this address.'],
})
