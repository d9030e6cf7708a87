export const maxPasskeyNameLength = 60

export const signInMethodNotices = {
  added: 'The passkey is added.',
  renamed: (name: string) => `The passkey is now called “${name}”.`,
  removed: 'It is removed.',
  lastMethod: 'This is your only way to sign in. Add another one first.',
} as const
