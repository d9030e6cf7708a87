import { log } from '~/server/operations/log.server'
import { withTimeout } from '~/server/operations/readiness.server'
import type { Auth } from '../session/auth.server'
import type { SocialConfiguration } from './social-providers.server'

const patienceMs = 10_000

/**
 * better-auth reads a provider's configuration once, at its start, and drops the provider if that
 * fails. So every single sign-on provider gets its own instance of better-auth. It is opened at the
 * first use, and again after a failure, so that a provider that is down delays neither the start
 * nor other ways to sign in.
 */
export class ProviderAuths {
  readonly #opened = new Map<string, Promise<Auth | null>>()

  /** @param common handles Google and Facebook, whose configuration is built in. */
  constructor(
    private common: Auth,
    private open: (provider: SocialConfiguration) => Auth,
    private timeoutMs = patienceMs,
  ) {}

  /**
   * @returns null while the provider can't be reached, or if its issuer isn't the one in the
   * settings.
   */
  async get(provider: SocialConfiguration): Promise<Auth | null> {
    if (!provider.organization) {
      return this.common
    }

    const opened = this.#opened.get(provider.id) ?? this.#openOne(provider)
    this.#opened.set(provider.id, opened)
    const auth = await opened
    if (!auth) {
      this.#opened.delete(provider.id)
    }

    return auth
  }

  async #openOne(provider: SocialConfiguration): Promise<Auth | null> {
    const auth = this.open(provider)
    const context = await withTimeout(auth.$context, this.timeoutMs)
    const found = context?.socialProviders.find(({ id }) => id === provider.id)
    if (found && found.issuer === provider.organization?.issuer) {
      return auth
    }

    const problem = found ? `it calls itself ${found.issuer}` : 'its configuration can’t be read'
    log.warn(
      { provider: provider.id, issuer: provider.organization?.issuer, problem },
      'no single sign-on',
    )

    return null
  }
}
