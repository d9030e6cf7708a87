/** What the account service answers when it refuses; the sentences stand in `features/accounts/account-errors.ts`. */
export const accountServiceCodes = {
  'user-not-found': 404,
  'wrong-password': 401,
  'email-already-in-use': 409,
  'weak-password': 400,
  'invalid-email': 400,
  'user-disabled': 403,
  'too-many-requests': 429,
  /** The body is not what the operation takes: broken JSON, an unknown field, a wrong type, a name that is too long. */
  'invalid-request': 400,
  'not-signed-in': 401,
  /** The account has no password, and its session is not fresh. */
  'sign-in-again': 401,
  /** Somebody else's document. */
  forbidden: 403,
  'not-found': 404,
  /** The link of a message is used, older than it may be, or never was one. */
  'link-expired': 410,
  /** The demo account is everybody's, so that nobody may change it. */
  'demo-account': 403,
  'provider-email-missing': 400,
  /** More passwords than can be checked in good time. */
  busy: 503,
  'internal-error': 500,
} as const

export type AccountServiceCode = keyof typeof accountServiceCodes
/** Also those that only a browser can know. */
export type AccountCode =
  | AccountServiceCode
  | 'network-request-failed'
  | 'popup-closed-by-user'
  | 'cancelled-popup-request'
