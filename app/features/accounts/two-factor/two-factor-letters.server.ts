import type { Letter } from '~/server/mail/mail-letter.server'

const notYou =
  'Wasn’t that you? Change your password right away and sign out all other devices. If you can’t sign in, contact the people who run this site.'

/** @param href of the settings of the second step. */
export const twoFactorLetters = {
  'two-factor-on': (href: string): Letter => ({
    subject: 'Two-step sign-in is on for Learnify',
    before: [
      'From now on, signing in to your Learnify account takes a code from your authenticator app, too. Keep your recovery codes where you find them without your phone.',
      notYou,
    ],
    link: { label: 'See your settings', href },
    after: ['If it was you, there’s nothing to do.'],
  }),
  'two-factor-off': (href: string): Letter => ({
    subject: 'Two-step sign-in is off for Learnify',
    before: ['Signing in to your Learnify account no longer takes a code from your authenticator app.', notYou],
    link: { label: 'See your settings', href },
    after: ['If it was you, there’s nothing to do.'],
  }),
  'recovery-code-used': (href: string): Letter => ({
    subject: 'A recovery code of your Learnify account was used',
    before: ['One of the recovery codes of your Learnify account has just been used.', notYou],
    link: { label: 'See your settings', href },
    after: ['If it was you, there’s nothing to do. Your settings say how many codes are left, and make new ones.'],
  }),
}
