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
  /** Whether the identity would be added to an existing account. */
  isLinking: boolean
  /** The provider's claims about the person. */
  claims: {
    /** The uid of the account, or undefined for a new account. */
    id?: string
    email?: string
    emailVerified?: boolean
  }
}

/**
 * Checks a sign-in by a provider, and records that the provider has verified the email.
 *
 * @returns the error to refuse with, or nothing
 */
export async function checkProviderSignIn(
  { db, providers }: AuthSettings,
  ctx: GenericEndpointContext,
  { providerId, isLinking, claims }: ProviderSignIn,
) {
  if (!(await wasStartedWithProvider(providerId))) {
    log.warn({ provider: providerId }, 'a sign-in ended at another provider than it began with')
    return { error: 'other-provider' }
  }

  const claimsError = checkProviderClaims(providers, providerId, claims)
  if (claimsError) {
    return { error: claimsError }
  }

  const uid = claims.id
  const sessionToken = await readSessionToken(ctx)
  if ((await isConfirmingSignIn()) && !(await isSessionOfAccount(db, uid, sessionToken))) {
    return { error: 'other-account' }
  }

  if (!uid) {
    return
  }

  const isLinkedByOwner = isLinking && (await isRecentSessionOfAccount(db, uid, sessionToken))
  if ((await isLinkRequested()) && !isLinkedByOwner) {
    // The session ended, or was no longer recent, while the provider's page was open.
    return { error: 'confirm-first' }
  }

  const isFirstSignIn = isLinking && !isLinkedByOwner
  // The provider may have given the email to another person since. The account stays with the
  // first one.
  if (isFirstSignIn && (await hasIdentity(db, uid, providerId))) {
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

  return new URL(state.callbackURL, 'http://own.invalid').searchParams.has('confirm')
}

/** Returns whether a signed-in learner began at the page 'Ways to sign in', to add the provider. */
async function isLinkRequested(): Promise<boolean> {
  const state = await getOAuthState()
  return Boolean(state?.link)
}
