/**
 * Decides which sign-in methods the owner of an email may use.
 *
 * A school can require its organization's single sign-on, either for the emails of some domains or
 * for everyone (`SSO_..._DOMAINS`, `SSO_..._ONLY_WAY`). Everyone includes people whose email is not
 * known, because their provider did not share it.
 */
import { domainToASCII } from 'node:url'
import type { ProviderConfiguration } from './social-providers.server'

type Provider = Pick<ProviderConfiguration, 'id' | 'name' | 'organization'>
type Organization = NonNullable<ProviderConfiguration['organization']>

/**
 * Returns whether the owner of an email may use a sign-in method.
 *
 * @param email null if it is not known
 * @param signInMethod `password`, `passkey`, or a provider's ID
 */
export function isSignInMethodAllowed(
  providers: readonly Provider[],
  email: string | null,
  signInMethod: string,
): boolean {
  const requiredProviders = listRequiredProviders(providers, email)
  if (requiredProviders.length === 0) {
    return true
  }

  return requiredProviders.some(({ id }) => id === signInMethod)
}

/** Returns the only providers that an email may use, or none if it may use any sign-in method. */
export function listRequiredProviders<P extends Provider>(
  providers: readonly P[],
  email: string | null,
): P[] {
  return providers.filter(
    ({ organization }) => organization?.isOnlySignInMethod && isEmailAccepted(organization, email),
  )
}

/** An organization without domains in its settings accepts every email. */
function isEmailAccepted({ domains }: Organization, email: string | null): boolean {
  if (domains.length === 0) {
    return true
  }

  if (email === null) {
    return false
  }

  // Earlier releases stored international domains without Punycode.
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1))

  return domains.includes(domain)
}

/** Returns whether everyone has to sign in by single sign-on. */
export function isSingleSignOnRequired(providers: readonly Provider[]): boolean {
  return providers.some(
    ({ organization }) => organization?.isOnlySignInMethod && organization.domains.length === 0,
  )
}

/** What a provider says about a person. */
type ProviderClaims = { email?: string | undefined; emailVerified?: boolean | undefined }

/**
 * Decides whether a person may sign in with a provider.
 *
 * @returns null if the person may, otherwise the error
 */
export function checkProviderClaims(
  providers: readonly Provider[],
  providerId: string,
  claims: ProviderClaims,
): 'provider-domain' | 'provider-unverified' | 'use-organization' | null {
  const email = claims.email || null
  if (!isSignInMethodAllowed(providers, email, providerId)) {
    return 'use-organization'
  }

  const organization = providers.find(({ id }) => id === providerId)?.organization
  if (!organization || organization.domains.length === 0) {
    return null
  }

  if (!isEmailAccepted(organization, email)) {
    return 'provider-domain'
  }

  // An unverified email proves nothing: anybody could enter one of the organization's domain.
  return claims.emailVerified ? null : 'provider-unverified'
}
