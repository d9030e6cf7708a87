/** The names of sign-in methods within a sentence. */
const signInMethodNames: Partial<Record<string, string>> = {
  password: 'your password',
  google: 'Google',
  facebook: 'Facebook',
  passkey: 'a passkey',
}

/**
 * @param method the method of an event; a single sign-on provider is given by its name, not its ID
 */
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
