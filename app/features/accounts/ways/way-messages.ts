import { siteName } from '~/ui/site-name'
import { accountErrorMessage } from '../account-errors'

export const longestPasskeyName = 60

export const wayTexts = {
  title: 'Ways to sign in',
  intro: 'Have more than one, so that you can always get in.',
  passkeys:
    'A passkey is your phone, computer or password manager. You open it with your fingerprint, face or PIN, and it can’t be guessed or stolen by a false page.',
  noPasskeys: 'No passkeys yet.',
  formerHost: (former: string, host: string) =>
    `Made for ${former}, so it doesn’t work at ${host}. Add a new one here, then remove this one.`,
  noScripts: 'Adding a passkey needs JavaScript.',
  needsAddress: 'To add a passkey, confirm your email address first.',
  noPassword: 'Not set.',
  /** @param names the providers' names, joined. */
  onlyWay: (names: string) =>
    `With your email address, you can only sign in with ${names}. Your other ways are kept, but don’t work for now.`,
} as const

export const wayNotices = {
  added: 'The passkey is added.',
  renamed: 'The passkey has its new name.',
  removed: 'It is removed.',
  last: 'This is your only way to sign in. Add another one first.',
} as const

/** What a provider's way back says in the page's address. */
export function linkFailure(code: string): string {
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
