import { domainToASCII } from 'node:url'
import type { SocialConfiguration } from './social-providers.server'

type Provider = Pick<SocialConfiguration, 'id' | 'organization'>

/** Whether an address belongs to the organization behind a provider. To one without domains, every address does. */
function isOfOrganization({ organization }: Provider, email: string): boolean {
  if (!organization) return false
  const { domains } = organization
  // Former releases stored a domain in its own letters.
  return domains.length === 0 || domains.includes(domainToASCII(email.slice(email.lastIndexOf('@') + 1)))
}

/** The IDs of the providers that alone may sign this address in; null if every way is open. */
function onlyWays(providers: readonly Provider[], email: string): string[] | null {
  const only = providers.filter((one) => one.organization?.isOnlyWay && isOfOrganization(one, email))
  return only.length > 0 ? only.map(({ id }) => id) : null
}

/** @param way `password`, `passkey`, or a provider's ID. */
export function isWayOpen(providers: readonly Provider[], email: string, way: string): boolean {
  return onlyWays(providers, email)?.includes(way) ?? true
}

/** Whether no address may sign in otherwise than by a provider of single sign-on. */
export function isOnlyWayForAll(providers: readonly Provider[]): boolean {
  return providers.some(({ organization }) => organization?.isOnlyWay && organization.domains.length === 0)
}

/** Why a provider's word about a person isn't taken, or null. */
export function refusalOfPerson(
  providers: readonly Provider[],
  providerId: string,
  { email, emailVerified }: { email?: string | undefined; emailVerified?: boolean | undefined },
): 'provider-domain' | 'provider-unverified' | 'use-organization' | null {
  const provider = providers.find(({ id }) => id === providerId)
  if (email && !isWayOpen(providers, email, providerId)) return 'use-organization'
  if (!provider?.organization || provider.organization.domains.length === 0) return null
  if (!email || !isOfOrganization(provider, email)) return 'provider-domain'
  // Without this, everyone could name an address of a domain that is let in.
  return emailVerified ? null : 'provider-unverified'
}
