import { log } from '~/server/operations/log.server'
import { withTimeout } from '~/server/operations/readiness.server'
import type { Auth } from '../session/auth.server'
import type { ProviderConfiguration } from './social-providers.server'

const providerTimeoutMs = 10_000

/**
 * Gives each single sign-on provider its own instance of better-auth.
 *
 * With one instance for all, better-auth would break the promise that a provider which is down
 * delays neither the start nor other sign-in methods: it reads the configuration of each provider
 * once, at its own start, and drops the providers that it cannot reach. So an instance is opened at
 * the provider's first use, and opened again after a failure.
 */
export class ProviderAuths {
  readonly #authsByProviderId = new Map<string, Promise<Auth | null>>()

  /**
   * @param commonAuth handles Google and Facebook, whose configuration is built in
   * @param createProviderAuth creates the instance of a single sign-on provider
   */
  constructor(
    private commonAuth: Auth,
    private createProviderAuth: (provider: ProviderConfiguration) => Auth,
    private timeoutMs = providerTimeoutMs,
  ) {}

  /**
   * Returns null if the provider can't be reached, or if its issuer isn't the one in the settings.
   */
  async get(provider: ProviderConfiguration): Promise<Auth | null> {
    if (!provider.organization) {
      return this.commonAuth
    }

    const openingAuth = this.#authsByProviderId.get(provider.id) ?? this.#openProvider(provider)
    this.#authsByProviderId.set(provider.id, openingAuth)

    const auth = await openingAuth
    if (!auth) {
      // The next sign-in tries again.
      this.#authsByProviderId.delete(provider.id)
    }

    return auth
  }

  async #openProvider(provider: ProviderConfiguration): Promise<Auth | null> {
    const auth = this.createProviderAuth(provider)
    const context = await withTimeout(auth.$context, this.timeoutMs)
    const configuration = context?.socialProviders.find(({ id }) => id === provider.id)
    const expectedIssuer = provider.organization?.issuer
    if (configuration && configuration.issuer === expectedIssuer) {
      return auth
    }

    const problem = configuration
      ? `it calls itself ${configuration.issuer}`
      : 'its configuration can’t be read'
    log.warn({ provider: provider.id, issuer: expectedIssuer, problem }, 'no single sign-on')

    return null
  }
}
