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

const wayNames: Partial<Record<string, string>> = {
  password: 'your password',
  google: 'Google',
  facebook: 'Facebook',
  passkey: 'a passkey',
}

/** @param way from an event, with the name of a single sign-on provider in place of its ID. */
export function wayText(way: string | null): string {
  return (way && (wayNames[way] ?? way)) || 'another way'
}

/** @param way as in `wayText`. */
export const eventTexts = {
  'signed-in': (way: string) => `Signed in with ${way}`,
  'wrong-password': () => 'A wrong password was entered',
  'password-changed': () => 'Your password was changed',
  'password-reset': () => 'A password was set with an emailed link',
  'password-removed': () => 'A password from before your address was confirmed was removed',
  'session-ended': () => 'A device was signed out',
  'sign-in-method-added': (way: string) => `Sign-in with ${way} was added`,
  'sign-in-method-removed': (way: string) => `Sign-in with ${way} was removed`,
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
