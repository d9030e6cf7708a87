export const securityNotices = {
  passwordChanged: 'Your password has been changed.',
  passwordChangedOthersEnded:
    'Your password has been changed, and all other devices are signed out.',
  deviceEnded: 'That device is signed out.',
  othersEnded: 'All other devices are signed out.',
} as const

export const securityTexts = {
  demo: 'The demo account is shared, so its password can’t be changed, and its devices aren’t shown.',
  noPassword: 'Your account has no password. To sign in with one, too,',
  devices:
    'The time of the last use is noted once a day. We don’t store IP addresses, so we can’t show where a device is.',
  events: 'The last 90 days, the newest first. If something wasn’t you, change your password.',
  ways: 'Your password, passkeys, and accounts of other services.',
  twoStepOn: 'On: signing in also takes a code of your authenticator app.',
  twoStepOff: 'Off. Protect your account with a code of an app on your phone, too.',
  noEvents: 'Nothing in the last 90 days.',
} as const

const signInMethodNames: Partial<Record<string, string>> = {
  password: 'your password',
  google: 'Google',
  facebook: 'Facebook',
  passkey: 'a passkey',
}

/** @param method the method of an event; a single sign-on provider is given by its name, not its ID */
export function formatSignInMethod(method: string | null): string {
  if (!method) {
    return 'another way'
  }

  return signInMethodNames[method] ?? method
}

/** The sentences of the security log. Some contain the sign-in method as text. */
export const eventTexts = {
  'signed-in': (method: string) => `Signed in with ${method}`,
  'wrong-password': () => 'A wrong password was entered',
  'password-changed': () => 'Your password was changed',
  'password-reset': () => 'A password was set with an emailed link',
  'password-removed': () => 'A password from before your address was confirmed was removed',
  'session-ended': () => 'A device was signed out',
  'sign-in-method-added': (method: string) => `Sign-in with ${method} was added`,
  'sign-in-method-removed': (method: string) => `Sign-in with ${method} was removed`,
  secured: () => 'The account was locked down by a link in an email',
  'address-changed': () => 'The people who run this site changed your email address',
  'two-factor-on': () => 'Two-step sign-in was turned on',
  'two-factor-off': () => 'Two-step sign-in was turned off',
  'recovery-codes-made': () => 'New recovery codes were made',
  'recovery-code-used': () => 'A recovery code was used',
  'wrong-code': () => 'A wrong code was entered',
  'passkey-added': () => 'A passkey was added',
  'passkey-removed': () => 'A passkey was removed',
} as const
