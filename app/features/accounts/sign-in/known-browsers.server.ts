import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'

const day = 24 * 60 * 60

/** How long a browser is known after its last sign-in, and for how many accounts. */
export const knownBrowserSeconds = 180 * day
const mostAccounts = 5

/**
 * Tells a browser that has signed in to an account from strangers, so that their wrong passwords do
 * not lock it out. Its cookie is a list of entries, an account each:
 * `ACCOUNT.BROWSER.SECONDS.SIGNATURE`. Nothing is stored: the signature covers the password's hash,
 * so that a new password, or the end of the account, ends every entry. It is no session.
 */
export class KnownBrowsers {
  constructor(
    private secret: string,
    private now: () => number,
    private formerSecrets: readonly string[] = [],
  ) {}

  /** @returns the browser's random name for counting, or null for a stranger. */
  find(cookie: string | null | undefined, uid: string, hash: string): string | null {
    for (const secret of [this.secret, ...this.formerSecrets]) {
      const browser = this.#findBy(secret, cookie, uid, hash)
      if (browser) {
        return browser
      }
    }

    return null
  }

  #findBy(
    secret: string,
    cookie: string | null | undefined,
    uid: string,
    hash: string,
  ): string | null {
    const entry = this.#entries(cookie).find((one) =>
      one.startsWith(`${this.#account(uid, secret)}.`),
    )
    const [account = '', browser = '', seconds = '', signature = ''] = entry?.split('.') ?? []
    const expected = Buffer.from(this.#sign(secret, 'entry', uid, account, browser, seconds, hash))
    const given = Buffer.from(signature)
    const signed = given.length === expected.length && timingSafeEqual(given, expected)
    const fresh = Number(seconds) + knownBrowserSeconds > this.#seconds()

    return signed && fresh ? browser : null
  }

  /** @returns the cookie that this browser has from now on. */
  remember(cookie: string | null | undefined, uid: string, hash: string): string {
    const account = this.#account(uid, this.secret)
    const browser = this.find(cookie, uid, hash) ?? randomBytes(9).toString('base64url')
    const seconds = String(this.#seconds())
    const mine = [
      account,
      browser,
      seconds,
      this.#sign(this.secret, 'entry', uid, account, browser, seconds, hash),
    ].join('.')
    const others = this.#entries(cookie).filter((entry) => !entry.startsWith(`${account}.`))

    return [mine, ...others].slice(0, mostAccounts).join('~')
  }

  #entries(cookie: string | null | undefined): string[] {
    return (cookie ?? '')
      .split('~')
      .filter((entry) => /^[\w-]{1,22}\.[\w-]{1,22}\.\d{1,12}\.[\w-]{43}$/.test(entry))
  }

  /** Hides the uid from other people who use the browser. */
  #account(uid: string, secret: string): string {
    return this.#sign(secret, 'account', uid).slice(0, 16)
  }

  #sign(secret: string, ...parts: string[]): string {
    return createHmac('sha256', secret)
      .update(JSON.stringify(['known-browser', ...parts]))
      .digest('base64url')
  }

  #seconds(): number {
    return Math.floor(this.now() / 1000)
  }
}

/** The same during a request to better-auth. @param hash '' for an account without a password. */
export function isKnownBrowser(
  known: KnownBrowsers,
  ctx: GenericEndpointContext,
  uid: string,
  hash: string,
): boolean {
  const { name } = ctx.context.createAuthCookie('known_browser')
  return known.find(ctx.getCookie(name), uid, hash) !== null
}

/** After a sign-in by a provider, which no password guards: its browser is no news from now on. */
export function rememberProvidersBrowser(
  known: KnownBrowsers,
  ctx: GenericEndpointContext,
  uid: string,
  hash: string,
): void {
  const { name, attributes } = ctx.context.createAuthCookie('known_browser', {
    maxAge: knownBrowserSeconds,
  })
  ctx.setCookie(name, known.remember(ctx.getCookie(name), uid, hash), attributes)
}
