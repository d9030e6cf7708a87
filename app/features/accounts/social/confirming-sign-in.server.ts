import { getOAuthState } from 'better-auth/api'

/**
 * Whether the sign-in that a provider answers only confirms who is signed in: it began with
 * `confirm` in its address.
 */
export async function isConfirmingSignIn(): Promise<boolean> {
  const end = (await getOAuthState())?.callbackURL ?? ''
  return new URL(end, 'http://own.invalid').searchParams.has('confirm')
}
