import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'

export const knownBrowserCookieName = 'known_browser'

const daySeconds = 24 * 60 * 60

/** How long a browser stays known after its last sign-in. */
export const knownBrowserSeconds = 180 * daySeconds

const maxAccountsPerBrowser = 5

/**
 * Tells browsers that have signed in to an account from strangers, so that wrong passwords of
 * strangers don't lock the account's owner out, and so that a sign-in from a new browser is
 * reported.
 *
 * The browser has a cookie with one entry per account: `ACCOUNT.BROWSER.SECONDS.SIGNATURE`. The
 * server stores nothing. The signature covers the password's hash, so a new password or the end of
 * the account makes every entry invalid. The cookie is not a session.
 *
 * better-auth's trusted devices break this promise: they let a browser skip the second step, exist
 * only for accounts with one, and do not influence rate limits.
 */
export class KnownBrowsers {
  constructor(
    private secret: string,
    private now: () => number,
    private previousSecrets: readonly string[] = [],
  ) {}

  /**
   * Returns the browser's random name, by which attempts are counted, or null for a stranger.
   *
   * @param passwordHash an empty text for an account without a password
   */
  find(cookie: string | null | undefined, uid: string, passwordHash: string): string | null {
    for (const secret of [this.secret, ...this.previousSecrets]) {
      const browser = this.#findBySecret(secret, cookie, uid, passwordHash)
      if (browser) {
        return browser
      }
    }

    return null
  }

  #findBySecret(
    secret: string,
    cookie: string | null | undefined,
    uid: string,
    passwordHash: string,
  ): string | null {
    const accountPrefix = `${this.#hideAccount(uid, secret)}.`
    const entry = parseEntries(cookie).find((one) => one.startsWith(accountPrefix))
    if (!entry) {
      return null
    }

    const [account = '', browser = '', seconds = '', signature = ''] = entry.split('.')
    const expected = sign(secret, 'entry', uid, account, browser, seconds, passwordHash)
    const isSigned = isEqualInConstantTime(signature, expected)
    const isExpired = Number(seconds) + knownBrowserSeconds <= this.#nowSeconds()

    return isSigned && !isExpired ? browser : null
  }

  /** Returns the value of the cookie that this browser has from now on. */
  remember(cookie: string | null | undefined, uid: string, passwordHash: string): string {
    const account = this.#hideAccount(uid, this.secret)
    const browser = this.find(cookie, uid, passwordHash) ?? randomBytes(9).toString('base64url')
    const seconds = String(this.#nowSeconds())
    const signature = sign(this.secret, 'entry', uid, account, browser, seconds, passwordHash)
    const newEntry = [account, browser, seconds, signature].join('.')
    const otherEntries = parseEntries(cookie).filter((entry) => !entry.startsWith(`${account}.`))

    return [newEntry, ...otherEntries].slice(0, maxAccountsPerBrowser).join('~')
  }

  /** Returns a name for the account that hides its uid from other people who use the browser. */
  #hideAccount(uid: string, secret: string): string {
    return sign(secret, 'account', uid).slice(0, 16)
  }

  #nowSeconds(): number {
    return Math.floor(this.now() / 1000)
  }
}

function parseEntries(cookie: string | null | undefined): string[] {
  return (cookie ?? '')
    .split('~')
    .filter((entry) => /^[\w-]{1,22}\.[\w-]{1,22}\.\d{1,12}\.[\w-]{43}$/.test(entry))
}

function sign(secret: string, ...parts: string[]): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['known-browser', ...parts]))
    .digest('base64url')
}

function isEqualInConstantTime(submitted: string, expected: string): boolean {
  const submittedBytes = Buffer.from(submitted)
  const expectedBytes = Buffer.from(expected)
  return (
    submittedBytes.length === expectedBytes.length && timingSafeEqual(submittedBytes, expectedBytes)
  )
}

/** Returns whether the browser of a request to better-auth is known to the account. */
export function isKnownBrowser(
  knownBrowsers: KnownBrowsers,
  ctx: GenericEndpointContext,
  uid: string,
  passwordHash: string,
): boolean {
  const { name } = ctx.context.createAuthCookie(knownBrowserCookieName)
  return knownBrowsers.find(ctx.getCookie(name), uid, passwordHash) !== null
}

/** Remembers the browser of a sign-in by a provider, so that its next sign-in is not reported. */
export function rememberBrowserOfProviderSignIn(
  knownBrowsers: KnownBrowsers,
  ctx: GenericEndpointContext,
  uid: string,
  passwordHash: string,
): void {
  const { name, attributes } = ctx.context.createAuthCookie(knownBrowserCookieName, {
    maxAge: knownBrowserSeconds,
  })
  ctx.setCookie(name, knownBrowsers.remember(ctx.getCookie(name), uid, passwordHash), attributes)
}
