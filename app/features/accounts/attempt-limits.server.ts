/**
 * The rate limits of the product, as listed in docs/security.md. `attempt-counter.server.ts` counts
 * the attempts in windows, each of which begins with its first attempt.
 *
 * A client is a network: an IPv4 address or an IPv6 /64. The limits per client leave room for two
 * classes at a school that shares one IP address. The limit for passwords can be lower, because
 * only wrong passwords count against a client.
 */

export type AttemptLimit = { name: string; max: number; windowMs: number }

const minuteMs = 60_000

/**
 * The arguments of each limit are its name in the database, the number of attempts, and the window
 * in minutes.
 */
export const attemptLimits = {
  wrongPasswordByAccount: createLimit('password-account', 5, 15),
  wrongPasswordByBrowser: createLimit('password-browser', 10, 15),
  wrongPasswordByClient: createLimit('password-client', 30, 15),
  signInByAccountAndClient: createLimit('sign-in-account', 60, 15),
  registrationByClient: createLimit('registration-client', 60, 10),
  registrationByClientAndDay: createLimit('registration-day', 300, 24 * 60),
  welcomeByMailbox: createLimit('welcome-mailbox', 5, 24 * 60),
  confirmationByAccount: createLimit('confirmation-account', 5, 60),
  passkeyByClient: createLimit('passkey-client', 300, 15),
  signInCodeByAccount: createLimit('sign-in-code', 5, 15),
  exportByAccount: createLimit('export-account', 20, 60),
  resetByAccount: createLimit('reset-account', 5, 60),
  resetByClient: createLimit('reset-client', 60, 10),
  deviceMailByAccount: createLimit('device-mail', 10, 24 * 60),
  accountRecoveryByClient: createLimit('not-me-client', 60, 10),
  refundByClient: createLimit('refund-client', 30, 60),
  refundByOrder: createLimit('refund-order', 5, 60),
  giftMailByAccount: createLimit('gift-mail', 5, 60),
  couponCodeByAccount: createLimit('code-account', 20, 60),
  couponCodeByClient: createLimit('code-client', 100, 60),
  photoByAccount: createLimit('photo-account', 10, 60),
  testMailByAccount: createLimit('test-mail', 10, 60),
  reissueByAccount: createLimit('reissue-account', 10, 24 * 60),
} as const satisfies Record<string, AttemptLimit>

function createLimit(name: string, max: number, windowMinutes: number): AttemptLimit {
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
