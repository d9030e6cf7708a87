/** Codes the account service returns when it refuses; the messages are in `features/accounts/account-errors.ts`. */
export const accountServiceCodes = {
  'user-not-found': 404,
  'wrong-password': 401,
  'email-already-in-use': 409,
  'weak-password': 400,
  'invalid-email': 400,
  'user-disabled': 403,
  'too-many-requests': 429,
  /** The body doesn't fit the operation: broken JSON, an unknown field, a wrong type, a name that is too long. */
  'invalid-request': 400,
  'not-signed-in': 401,
  /** The account has no password, and its session is not fresh. */
  'sign-in-again': 401,
  /** Someone else's document. */
  forbidden: 403,
  'not-found': 404,
  /** The emailed link was used, has expired or never existed. */
  'link-expired': 410,
  /** Everyone shares the demo account, so no one may change it. */
  'demo-account': 403,
  'provider-email-missing': 400,
  /** Too many passwords to check in reasonable time. */
  busy: 503,
  /** An operator maintains the product. */
  maintenance: 503,
  'internal-error': 500,
} as const

export type AccountServiceCode = keyof typeof accountServiceCodes
/** Includes codes that only the browser knows. */
export type AccountCode =
  | AccountServiceCode
  | 'network-request-failed'
  | 'popup-closed-by-user'
  | 'cancelled-popup-request'
