/**
 * Signs in with passkeys, and adds them to accounts. better-auth verifies what the browser sends.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { isAPIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { passkeys } from '~/server/database/schema/index'
import type { AccountErrorCode } from '../account-errors'
import { demoUid, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { describeDevice } from '../security/device-name.server'
import {
  consumeClientAttempts,
  copyCookies,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { checkRecentSignIn } from '../step-up/require-recent-sign-in.server'
import { shouldSetUpTwoFactor } from '../two-factor/required-two-factor.server'
import { getHost, namePasskey } from './passkey-queries.server'

/** The maximum for an account. Nobody has more devices and password managers. */
const maxPasskeys = 20

/** @returns the options with which the browser asks for a passkey, or the error */
export async function startPasskeySignIn(service: AccountService, requestContext: RequestContext) {
  // Every start leaves a row in the database, so the starts are limited.
  if (!(await consumeClientAttempts(service, requestContext, attemptLimits.passkeyByClient))) {
    return 'too-many-requests'
  }

  const { headers, response } = await service.auth.api.generatePasskeyAuthenticationOptions({
    headers: requestContext.headers,
    returnHeaders: true,
  })
  copyCookies(headers, requestContext.responseCookies)

  return { options: { ...response, userVerification: 'required' } }
}

/**
 * Signs the browser in with a passkey.
 *
 * @returns null, or why the sign-in is refused
 */
export async function signInByPasskey(
  service: AccountService,
  requestContext: RequestContext,
  { response }: { response: AuthenticationResponseJSON },
): Promise<AccountErrorCode | null> {
  if (!(await consumeClientAttempts(service, requestContext, attemptLimits.passkeyByClient))) {
    return 'too-many-requests'
  }

  try {
    const { headers } = await service.auth.api.verifyPasskeyAuthentication({
      body: { response },
      headers: requestContext.headers,
      returnHeaders: true,
    })
    copyCookies(headers, requestContext.responseCookies)

    return null
  } catch (error) {
    return toErrorCode(error)
  }
}

/** @returns the options with which the browser creates a passkey, or the error */
export async function startPasskeyRegistration(
  service: AccountService,
  requestContext: RequestContext,
) {
  const accountError = await checkCanAddPasskey(service, requestContext)
  if (accountError) {
    return accountError
  }

  const { headers, response } = await service.auth.api.generatePasskeyRegistrationOptions({
    headers: requestContext.headers,
    query: {},
    returnHeaders: true,
  })
  copyCookies(headers, requestContext.responseCookies)

  return { options: response }
}

/**
 * Adds a passkey to the signed-in account.
 *
 * @returns null, or why the passkey is refused
 */
export async function addPasskey(
  service: AccountService,
  requestContext: RequestContext,
  { response }: { response: RegistrationResponseJSON },
): Promise<AccountErrorCode | null> {
  const accountError = await checkCanAddPasskey(service, requestContext)
  if (accountError) {
    return accountError
  }

  const { name } = describeDevice(getUserAgent(requestContext))
  try {
    const { id, userId } = await service.auth.api.verifyPasskeyRegistration({
      body: { response, name },
      headers: requestContext.headers,
    })
    const host = getHost(service.publicUrl)
    await namePasskey(service.db, { uid: userId, passkeyId: id, name }, { host })
    // `passkey-plugin.server.ts` has queued an email about the new passkey.
    service.wakeEmailSender()

    return null
  } catch (error) {
    return toErrorCode(error)
  }
}

/** @returns null if a passkey may be added to the signed-in account, otherwise the error */
async function checkCanAddPasskey(
  service: AccountService,
  requestContext: RequestContext,
): Promise<AccountErrorCode | null> {
  const sessionError = await checkRecentSignIn(service, requestContext)
  if (sessionError) {
    return sessionError
  }

  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  const user = await findUser(service.db, session.userId)
  if (!user) {
    return 'not-signed-in'
  }

  if (user.id === demoUid) {
    return 'demo-account'
  }

  // Two-step sign-in comes first if the school requires it and it is not set up yet.
  if (await shouldSetUpTwoFactor(service.db, user.id)) {
    return 'forbidden'
  }

  // Otherwise a stranger who registered with somebody's email could keep a passkey that its owner
  // does not know about.
  if (!user.emailVerified) {
    return 'confirm-address'
  }

  const passkeyCount = await service.db.$count(passkeys, eq(passkeys.userId, user.id))

  return passkeyCount < maxPasskeys ? null : 'too-many-passkeys'
}

/**
 * Returns the code of an error that better-auth is expected to throw.
 *
 * @throws any other error again
 */
function toErrorCode(error: unknown): AccountErrorCode {
  if (!isAPIError(error)) {
    throw error
  }

  const code = error.body?.code
  // better-auth reports an invalid response of the browser as an error of the server.
  const isServerError = Number(error.statusCode) >= 500
  if (isServerError && code !== 'FAILED_TO_VERIFY_REGISTRATION') {
    throw error
  }

  switch (code) {
    case 'BANNED_USER':
      return 'user-disabled'
    case 'use-organization':
      return 'use-organization'
    case 'PASSKEY_NOT_FOUND':
      return 'passkey-unknown'
    default:
      return 'passkey-failed'
  }
}
