/**
 * Decides which sign-in methods an email may use. A school can require its organization's single
 * sign-on for some domains or for everyone (`SSO_..._DOMAINS`, `SSO_..._ONLY_WAY`).
 */
import { domainToASCII } from 'node:url'
import type { SocialConfiguration } from './social-providers.server'

type Provider = Pick<SocialConfiguration, 'id' | 'organization'>

/** @param signInMethod `password`, `passkey`, or a provider's ID */
export function isSignInMethodAllowed(
  providers: readonly Provider[],
  email: string,
  signInMethod: string,
): boolean {
  const requiredProviders = providers.filter(
    (provider) =>
      provider.organization?.isOnlySignInMethod && belongsToOrganization(provider, email),
  )
  if (requiredProviders.length === 0) {
    return true
  }

  return requiredProviders.some(({ id }) => id === signInMethod)
}

/** An organization without domains in its settings accepts every email. */
function belongsToOrganization({ organization }: Provider, email: string): boolean {
  if (!organization) {
    return false
  }

  const { domains } = organization
  if (domains.length === 0) {
    return true
  }

  // Earlier releases stored international domains without Punycode.
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1))

  return domains.includes(domain)
}

/** Returns whether every learner has to sign in by single sign-on. */
export function isSingleSignOnRequired(providers: readonly Provider[]): boolean {
  return providers.some(
    ({ organization }) => organization?.isOnlySignInMethod && organization.domains.length === 0,
  )
}

type ProviderIdentity = { email?: string | undefined; emailVerified?: boolean | undefined }

/** @returns null if the person may sign in with the provider, otherwise the error */
export function checkProviderIdentity(
  providers: readonly Provider[],
  providerId: string,
  { email, emailVerified: isVerified }: ProviderIdentity,
): 'provider-domain' | 'provider-unverified' | 'use-organization' | null {
  if (email && !isSignInMethodAllowed(providers, email, providerId)) {
    return 'use-organization'
  }

  const provider = providers.find(({ id }) => id === providerId)
  if (!provider?.organization || provider.organization.domains.length === 0) {
    return null
  }

  if (!email || !belongsToOrganization(provider, email)) {
    return 'provider-domain'
  }

  // An unverified email proves nothing: anybody could enter one of the organization's domain.
  return isVerified ? null : 'provider-unverified'
}
