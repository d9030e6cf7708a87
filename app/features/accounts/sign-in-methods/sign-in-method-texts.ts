import { siteName } from '~/ui/site-name'
import { accountErrorMessage } from '../account-errors'

export const signInMethodTexts = {
  title: 'Ways to sign in',
  intro: 'Have more than one, so that you can always get in.',
  passkeys:
    'A passkey is your phone, computer or password manager. You open it with your fingerprint, face or PIN, and it can’t be guessed or stolen by a false page.',
  noPasskeys: 'No passkeys yet.',
  previousHost: (previousHost: string, host: string) =>
    `Made for ${previousHost}, so it doesn’t work at ${host}. Add a new one here, then remove this one.`,
  noScripts: 'Adding a passkey needs JavaScript.',
  needsConfirmedEmail: 'To add a passkey, confirm your email address first.',
  noPassword: 'Not set.',
  /** @param names the names of the required providers, joined by commas and 'or' */
  requiredProviders: (names: string) =>
    `With your email address, you can only sign in with ${names}. Your other ways are kept, but don’t work for now.`,
} as const

/** Returns the message for an error code that the provider's callback put into the page's URL. */
export function getProviderLinkError(code: string): string {
  if (code === 'provider-domain' || code === 'provider-unverified' || code === 'provider-away') {
    return accountErrorMessage(code)
  }

  if (code === 'account_already_linked_to_different_user') {
    return `It is already used for another ${siteName()} account.`
  }

  if (code === 'access_denied') {
    return 'Nothing was added.'
  }

  return 'That didn’t work. Please try again.'
}
