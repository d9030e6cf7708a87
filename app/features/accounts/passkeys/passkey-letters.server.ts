import type { Letter } from '~/server/mail/mail-letter.server'

const notYou =
  'Wasn’t that you? Remove passkeys that you don’t know, change your password, and sign out all other devices.'

/** @param href of the settings of passkeys. */
export const passkeyLetters = {
  'passkey-added': (href: string): Letter => ({
    subject: 'A passkey was added to your Learnify account',
    before: ['From now on, your Learnify account can be signed in to with a new passkey.', notYou],
    link: { label: 'See your passkeys', href },
    after: ['If it was you, there’s nothing to do.'],
  }),
  'passkey-removed': (href: string): Letter => ({
    subject: 'A passkey of your Learnify account was removed',
    before: ['One of the passkeys of your Learnify account no longer signs in.', notYou],
    link: { label: 'See your passkeys', href },
    after: ['If it was you, there’s nothing to do.'],
  }),
  'sign-in-method-removed': (href: string): Letter => ({
    subject: 'A way to sign in to Learnify was removed',
    before: ['Your password, Google or Facebook no longer signs in to your Learnify account.', notYou],
    link: { label: 'See your ways to sign in', href },
    after: ['If it was you, there’s nothing to do.'],
  }),
}
