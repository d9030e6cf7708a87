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
 * The browser has a cookie with one entry per account: `ACCOUNT.BROWSER.SIGNED_IN_AT.SIGNATURE`.
 * The server stores nothing. The signature covers the password's hash, so a new password or the end
 * of the account makes every entry invalid. The cookie is not a session.
 *
 * better-auth's trusted devices are no replacement: they let a browser skip the second step, exist
 * only for accounts with a second step, and do not influence rate limits.
 */
export class KnownBrowsers {
  /** @param previousSecrets secrets from before the last rotations, whose entries stay valid */
  constructor(
    private secret: string,
    private now: () => number,
    private previousSecrets: readonly string[] = [],
  ) {}

  /**
   * Returns the browser's random ID, by which wrong passwords are counted; null for a browser that
   * the account doesn't know.
   *
   * @param passwordHash null for an account without a password
   */
  find(cookie: string | null | undefined, uid: string, passwordHash: string | null): string | null {
    for (const secret of [this.secret, ...this.previousSecrets]) {
      const browserId = this.#findBySecret(secret, cookie, uid, passwordHash)
      if (browserId) {
        return browserId
      }
    }

    return null
  }

  #findBySecret(
    secret: string,
    cookie: string | null | undefined,
    uid: string,
    passwordHash: string | null,
  ): string | null {
    const accountHash = hashAccount(secret, uid)
    const entry = parseEntries(cookie).find((each) => each.accountHash === accountHash)
    if (!entry) {
      return null
    }

    const isValidSignature = isEqualInConstantTime(
      entry.signature,
      signEntry(secret, entry, uid, passwordHash),
    )
    const isExpired = Number(entry.signedInAtSeconds) + knownBrowserSeconds <= this.#nowSeconds()

    return isValidSignature && !isExpired ? entry.browserId : null
  }

  /** Returns the cookie's new value, with a new entry for the account. */
  remember(cookie: string | null | undefined, uid: string, passwordHash: string | null): string {
    const unsignedEntry = {
      accountHash: hashAccount(this.secret, uid),
      browserId: this.find(cookie, uid, passwordHash) ?? randomBytes(9).toString('base64url'),
      signedInAtSeconds: String(this.#nowSeconds()),
    }
    const signature = signEntry(this.secret, unsignedEntry, uid, passwordHash)
    const newEntry = { ...unsignedEntry, signature }
    const otherEntries = parseEntries(cookie).filter(
      ({ accountHash }) => accountHash !== newEntry.accountHash,
    )

    return [newEntry, ...otherEntries].slice(0, maxAccountsPerBrowser).map(formatEntry).join('~')
  }

  #nowSeconds(): number {
    return Math.floor(this.now() / 1000)
  }
}

/** One entry of the cookie. */
type Entry = {
  /** A hash of the uid, because other people may use the browser and read its cookies. */
  accountHash: string
  browserId: string
  /** The time of the last sign-in, in seconds since 1970. */
  signedInAtSeconds: string
  signature: string
}

/** The limits of the first three parts only keep a text short. The signature decides. */
const entryPattern =
  /^(?<accountHash>[\w-]{1,22})\.(?<browserId>[\w-]{1,22})\.(?<signedInAtSeconds>\d{1,12})\.(?<signature>[\w-]{43})$/

/**
 * Returns the entries of a cookie. Everything else is left out, because a browser may send
 * anything.
 */
function parseEntries(cookie: string | null | undefined): Entry[] {
  const texts = cookie?.split('~') ?? []
  return texts.flatMap((text) => (entryPattern.exec(text)?.groups as Entry | undefined) ?? [])
}

function formatEntry({ accountHash, browserId, signedInAtSeconds, signature }: Entry): string {
  return [accountHash, browserId, signedInAtSeconds, signature].join('.')
}

function hashAccount(secret: string, uid: string): string {
  return sign(secret, 'account', uid).slice(0, 16)
}

function signEntry(
  secret: string,
  { accountHash, browserId, signedInAtSeconds }: Omit<Entry, 'signature'>,
  uid: string,
  passwordHash: string | null,
): string {
  const passwordPart = passwordHash ?? ''
  return sign(secret, 'entry', uid, accountHash, browserId, signedInAtSeconds, passwordPart)
}

function sign(secret: string, ...values: string[]): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['known-browser', ...values]))
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
  passwordHash: string | null,
): boolean {
  const { name } = ctx.context.createAuthCookie(knownBrowserCookieName)
  return knownBrowsers.find(ctx.getCookie(name), uid, passwordHash) !== null
}

/**
 * Remembers the browser of a sign-in by a provider or a passkey, so that its next sign-in is not
 * reported. `browser-cookie.server.ts` remembers the browser of a sign-in by password.
 */
export function rememberBrowserOfProviderSignIn(
  knownBrowsers: KnownBrowsers,
  ctx: GenericEndpointContext,
  uid: string,
  passwordHash: string | null,
): void {
  const { name, attributes } = ctx.context.createAuthCookie(knownBrowserCookieName, {
    maxAge: knownBrowserSeconds,
  })
  ctx.setCookie(name, knownBrowsers.remember(ctx.getCookie(name), uid, passwordHash), attributes)
}
