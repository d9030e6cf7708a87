/**
 * Decides whether a person whom a provider has identified may sign in.
 *
 * better-auth calls this check after it has verified the provider's response, and before it creates
 * an account, adds an identity or writes a session. If the check returns an error, nothing is
 * written, and the sign-in ends with that error.
 */
import type { GenericEndpointContext } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { log } from '~/server/operations/log.server'
import { hasIdentity } from '../account-queries.server'
import { acceptProviderClaims } from '../email-address/owner-proof.server'
import type { AuthSettings } from '../session/auth-settings.server'
import { readSessionToken } from '../session/session-token.server'
import { isRecentSessionOfAccount, isSessionOfAccount } from '../step-up/step-up.server'
import { checkProviderClaims } from './allowed-sign-in-methods'

type ProviderSignIn = {
  providerId: string
  /** Whether the person's identity at the provider would be added to an existing account. */
  addsIdentity: boolean
  /** The uid of the account, or undefined for a new account. */
  uid: string | undefined
  /** What the provider says about the person. */
  claims: { email?: string; emailVerified?: boolean }
}

/**
 * Checks a sign-in by a provider. For an existing account, records that the provider has verified
 * the email.
 *
 * @returns the error to refuse with, or nothing
 */
export async function checkProviderSignIn(
  { db, providers }: AuthSettings,
  ctx: GenericEndpointContext,
  { providerId, addsIdentity, uid, claims }: ProviderSignIn,
) {
  if (!(await wasStartedWithProvider(providerId))) {
    log.warn({ provider: providerId }, 'a sign-in ended at another provider than it began with')
    return { error: 'other-provider' }
  }

  const claimsError = checkProviderClaims(providers, providerId, claims)
  if (claimsError) {
    return { error: claimsError }
  }

  const sessionToken = await readSessionToken(ctx)
  if ((await isConfirmingSignIn()) && !(await isSessionOfAccount(db, uid, sessionToken))) {
    return { error: 'other-account' }
  }

  if (!uid) {
    // There is no account yet, so there is nothing to protect.
    return
  }

  const isAddedByOwner = addsIdentity && (await isRecentSessionOfAccount(db, uid, sessionToken))
  if ((await hasStartedAsLink()) && !isAddedByOwner) {
    // The session ended, or was no longer recent, while the provider's page was open.
    return { error: 'confirm-first' }
  }

  // The account has the person's email, but has never been used with this identity.
  const isFirstSignIn = addsIdentity && !isAddedByOwner
  if (isFirstSignIn && (await hasIdentity(db, uid, providerId))) {
    // The account has another identity of the same provider. The provider may have given the email
    // to another person since. The account stays with the first one.
    return { error: 'provider-changed' }
  }

  await acceptProviderClaims(db, uid, { ...claims, isFirstSignIn })
}

/**
 * Returns whether the sign-in began with this provider. The OAuth state of the sign-in contains the
 * provider's ID, as `additionalData` of the request that began it.
 *
 * Without this check, a malicious provider could lead the browser to another provider with the
 * state of its own sign-in, and so add an identity of the other provider to the learner's account:
 * the mix-up attack of RFC 9700.
 */
async function wasStartedWithProvider(providerId: string): Promise<boolean> {
  const state = await getOAuthState()
  return state?.providerId === providerId
}

/** Returns whether the sign-in at the provider only confirms who is signed in. */
async function isConfirmingSignIn(): Promise<boolean> {
  const state = await getOAuthState()
  if (!state?.callbackURL) {
    return false
  }

  // The base is not used. It only lets a path be parsed as a URL.
  const url = new URL(state.callbackURL, 'http://own.invalid')
  return url.searchParams.has('confirm')
}

/** Returns whether a signed-in learner began at the page 'Ways to sign in', to add the provider. */
async function hasStartedAsLink(): Promise<boolean> {
  const state = await getOAuthState()
  return Boolean(state?.link)
}
