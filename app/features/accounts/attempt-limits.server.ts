/**
 * The rate limits of the product, as listed in docs/security.md. `attempt-counter.server.ts` counts
 * the attempts in windows, each of which begins with its first attempt.
 *
 * A client is a network: an IPv4 address or an IPv6 /64. The limits per client leave room for two
 * classes at a school that shares one IP address. Only wrong passwords count there, so that limit
 * can be lower.
 */
const minuteMs = 60_000

export type AttemptLimit = { name: string; max: number; windowMs: number }

/** Each limit has its name in the database, a number of attempts, and a window in minutes. */
export const attemptLimits = {
  wrongPasswordByAccount: limit('password-account', 5, 15),
  wrongPasswordByBrowser: limit('password-browser', 10, 15),
  wrongPasswordByClient: limit('password-client', 30, 15),
  signInByAccountAndClient: limit('sign-in-account', 60, 15),
  registrationByClient: limit('registration-client', 60, 10),
  registrationByClientAndDay: limit('registration-day', 300, 24 * 60),
  welcomeByMailbox: limit('welcome-mailbox', 5, 24 * 60),
  confirmationByAccount: limit('confirmation-account', 5, 60),
  passkeyByClient: limit('passkey-client', 300, 15),
  signInCodeByAccount: limit('sign-in-code', 5, 15),
  exportByAccount: limit('export-account', 20, 60),
  resetByAccount: limit('reset-account', 5, 60),
  resetByClient: limit('reset-client', 60, 10),
  deviceMailByAccount: limit('device-mail', 10, 24 * 60),
  accountRecoveryByClient: limit('not-me-client', 60, 10),
  refundByClient: limit('refund-client', 30, 60),
  refundByOrder: limit('refund-order', 5, 60),
  giftMailByAccount: limit('gift-mail', 5, 60),
  couponCodeByAccount: limit('code-account', 20, 60),
  couponCodeByClient: limit('code-client', 100, 60),
  photoByAccount: limit('photo-account', 10, 60),
  testMailByAccount: limit('test-mail', 10, 60),
  reissueByAccount: limit('reissue-account', 10, 24 * 60),
} as const satisfies Record<string, AttemptLimit>

function limit(name: string, max: number, windowMinutes: number): AttemptLimit {
  return { name, max, windowMs: windowMinutes * minuteMs }
}

/**
 * What an attempt counts against: an account, client, mailbox or order, or one part of an account,
 * like a browser.
 */
export type AttemptSubject = string | readonly [account: string, part: string]

export type Attempt = {
  limit: AttemptLimit
  subject: AttemptSubject
  /** Multiplies the limit, for clients on this machine. */
  limitFactor?: number
}

/**
 * Several people or a test suite may share one machine, so its own clients get ten times the limit.
 */
export const loopbackLimitFactor = 10
