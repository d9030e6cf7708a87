import { domainToASCII } from 'node:url'
import type { SocialConfiguration } from './social-providers.server'

type Provider = Pick<SocialConfiguration, 'id' | 'organization'>

/**
 * Whether an address belongs to a provider's organization. Without domains in the settings, every
 * address does.
 */
function isOfOrganization({ organization }: Provider, email: string): boolean {
  if (!organization) {
    return false
  }

  const { domains } = organization

  // Earlier releases stored international domains without Punycode.
  return (
    domains.length === 0 || domains.includes(domainToASCII(email.slice(email.lastIndexOf('@') + 1)))
  )
}

/** The IDs of the only providers that may sign this address in, or null if any way may. */
function onlyWays(providers: readonly Provider[], email: string): string[] | null {
  const only = providers.filter(
    (one) => one.organization?.isOnlyWay && isOfOrganization(one, email),
  )
  return only.length > 0 ? only.map(({ id }) => id) : null
}

/** @param way `password`, `passkey`, or a provider's ID. */
export function isWayOpen(providers: readonly Provider[], email: string, way: string): boolean {
  return onlyWays(providers, email)?.includes(way) ?? true
}

/** Whether single sign-on is the only way in for every address. */
export function isOnlyWayForAll(providers: readonly Provider[]): boolean {
  return providers.some(
    ({ organization }) => organization?.isOnlyWay && organization.domains.length === 0,
  )
}

/** @returns why this person can't sign in with the provider, or null. */
export function refusalOfPerson(
  providers: readonly Provider[],
  providerId: string,
  { email, emailVerified }: { email?: string | undefined; emailVerified?: boolean | undefined },
): 'provider-domain' | 'provider-unverified' | 'use-organization' | null {
  const provider = providers.find(({ id }) => id === providerId)
  if (email && !isWayOpen(providers, email, providerId)) {
    return 'use-organization'
  }

  if (!provider?.organization || provider.organization.domains.length === 0) {
    return null
  }

  if (!email || !isOfOrganization(provider, email)) {
    return 'provider-domain'
  }

  // An unverified address proves nothing: anybody could enter one of an accepted domain.
  return emailVerified ? null : 'provider-unverified'
}
