import * as z from 'zod/mini'

export const secondStepTexts = {
  title: 'Enter your code',
  app: 'Your account has two-step sign-in. Enter the code that your authenticator app shows now.',
  recovery: 'Enter one of the recovery codes that you saved. Each works once.',
  codeRequired: 'Please enter the code',
  useRecovery: 'No access to your app? Use a recovery code',
  useApp: 'Use your authenticator app',
  noCodes:
    'Lost your recovery codes, too? Ask the people who run this site: they can turn two-step sign-in off for you.',
} as const

export const twoFactorTexts = {
  title: 'Two-step sign-in',
  intro:
    'Signing in also takes a code from an app on your phone, so that a stolen password isn’t enough.',
  off: 'Two-step sign-in is off.',
  required: 'This site asks you for two-step sign-in. Set it up to go on.',
  needsConfirmedEmail:
    'Confirm your email address first, so that we can tell you when something changes.',
  begin:
    'You need an authenticator app, for example Google Authenticator, Microsoft Authenticator or 1Password.',
  inUse:
    'Every way to sign in asks for a code of your app, except passkeys: they’re two steps in one.',
  scan: 'Scan this picture with your app:',
  type: 'Or type this key into it:',
  prove: 'Then enter the code that it shows:',
  codes:
    'If you lose your phone, each of these codes signs you in once. Save them where you find them without it. They won’t be shown again.',
  fewCodes: 'You have few recovery codes left. Make new ones before you run out.',
  newCodes: 'The new codes replace all former ones.',
  turnOff: 'Signing in will no longer take a code. Your recovery codes will stop working.',
} as const

const maxCodeLength = 50

/** A code as an app shows it or a recovery code. */
export const codeForm = z.object({
  code: z.pipe(
    z.catch(z.string(), ''),
    z
      .string()
      .check(
        z.trim(),
        z.minLength(1, secondStepTexts.codeRequired),
        z.maxLength(maxCodeLength, secondStepTexts.codeRequired),
      ),
  ),
})
