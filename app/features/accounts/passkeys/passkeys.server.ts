import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { isAPIError } from 'better-auth/api'
import { and, desc, eq, isNull, or } from 'drizzle-orm'
import { passkeys } from '~/server/database/schema/index'
import type { AccountServiceCode } from '../account-errors'
import { demoUid, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { describeDevice } from '../security/device-name.server'
import {
  countClientAttempt,
  findSession,
  passCookies,
  type RequestContext,
  userAgentOf,
} from '../session/session.server'
import { refuseUnconfirmed } from '../step-up/require-confirmation.server'
import { lacksRequiredTwoFactor } from '../two-factor/required-two-factor.server'

/** More than anyone has devices and password managers. */
const mostPasskeys = 20

/** The newest first; dates are ISO date-times. */
export async function listPasskeys({ db, publicUrl }: Place, uid: string) {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
    .orderBy(desc(passkeys.createdAt))

  return rows.map(({ id, name, createdAt, lastUsedAt, backedUp, host }) => ({
    id,
    name: name || 'Passkey',
    addedAt: createdAt.toISOString(),
    usedAt: lastUsedAt?.toISOString() ?? null,
    isSynced: backedUp,
    /** The host name that it was made for, if the site has moved since. It works only there. */
    formerHost: host === hostOf(publicUrl) ? null : host,
  }))
}

type Place = Pick<AccountService, 'db' | 'publicUrl'>

const hostOf = (publicUrl: string) => new URL(publicUrl).hostname

/** Selects passkeys that browsers offer at this address. */
export const worksHere = (publicUrl: string) =>
  or(isNull(passkeys.host), eq(passkeys.host, hostOf(publicUrl)))

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number]

/** What the browser needs to ask for a passkey; or why not. */
export async function offerPasskeys(service: AccountService, requestContext: RequestContext) {
  // Each offer is a row.
  if (!(await countClientAttempt(service, requestContext, attemptLimits.passkeyByClient))) {
    return 'too-many-requests'
  }

  const { headers, response } = await service.auth.api.generatePasskeyAuthenticationOptions({
    headers: requestContext.headers,
    returnHeaders: true,
  })
  passCookies(headers, requestContext.cookies)

  return { options: { ...response, userVerification: 'required' } }
}

/** Signs the browser in. @param response as the browser gives it. @returns null, or why not. */
export async function signInByPasskey(
  service: AccountService,
  requestContext: RequestContext,
  { response }: { response: AuthenticationResponseJSON },
): Promise<AccountServiceCode | null> {
  if (!(await countClientAttempt(service, requestContext, attemptLimits.passkeyByClient))) {
    return 'too-many-requests'
  }

  try {
    const { headers } = await service.auth.api.verifyPasskeyAuthentication({
      body: { response },
      headers: requestContext.headers,
      returnHeaders: true,
    })

    passCookies(headers, requestContext.cookies)
    return null
  } catch (error) {
    return refusalOfPasskey(error)
  }
}

/** What the browser needs to make a passkey for the signed-in account; or why not. */
export async function beginPasskey(service: AccountService, requestContext: RequestContext) {
  const refused = await refuseNewPasskey(service, requestContext)
  if (refused) {
    return refused
  }

  const { headers, response } = await service.auth.api.generatePasskeyRegistrationOptions({
    headers: requestContext.headers,
    query: {},
    returnHeaders: true,
  })

  passCookies(headers, requestContext.cookies)

  return { options: response }
}

/**
 * Adds a passkey to the signed-in account.
 *
 * @param response as the browser gives it.
 * @returns null, or why not.
 */
export async function addPasskey(
  service: AccountService,
  requestContext: RequestContext,
  { response }: { response: RegistrationResponseJSON },
): Promise<AccountServiceCode | null> {
  const refused = await refuseNewPasskey(service, requestContext)
  if (refused) {
    return refused
  }

  const { name } = describeDevice(userAgentOf(requestContext))
  try {
    const { id } = await service.auth.api.verifyPasskeyRegistration({
      body: { response, name },
      headers: requestContext.headers,
    })
    await service.db
      .update(passkeys)
      .set({ host: hostOf(service.publicUrl) })
      .where(eq(passkeys.id, id))
    service.mailQueued()

    return null
  } catch (error) {
    return refusalOfPasskey(error)
  }
}

async function refuseNewPasskey(
  service: AccountService,
  requestContext: RequestContext,
): Promise<AccountServiceCode | null> {
  const refused = await refuseUnconfirmed(service, requestContext)
  const session = await findSession(service, requestContext)
  if (refused || !session) {
    return refused ?? 'not-signed-in'
  }

  const user = await findUser(service.db, session.userId)
  if (!user || user.id === demoUid) {
    return 'demo-account'
  }

  if (await lacksRequiredTwoFactor(service.db, user.id)) {
    return 'forbidden'
  }

  // A stranger who registered with someone's address would have a way in that its owner doesn't
  // know.
  if (!user.emailVerified) {
    return 'confirm-address'
  }

  const had = await service.db.$count(passkeys, eq(passkeys.userId, user.id))

  return had < mostPasskeys ? null : 'too-many-passkeys'
}

/** @throws errors that aren't better-auth's. */
function refusalOfPasskey(error: unknown): AccountServiceCode {
  if (!isAPIError(error)) {
    throw error
  }

  // better-auth calls an answer that doesn't fit an error of the server.
  if (Number(error.statusCode) >= 500 && error.body?.code !== 'FAILED_TO_VERIFY_REGISTRATION') {
    throw error
  }

  if (error.body?.code === 'BANNED_USER') {
    return 'user-disabled'
  }

  if (error.body?.code === 'use-organization') {
    return 'use-organization'
  }

  return error.body?.code === 'PASSKEY_NOT_FOUND' ? 'passkey-unknown' : 'passkey-failed'
}

/** Whether the account has a passkey that works at this address. */
export async function hasPasskey({ db, publicUrl }: Place, uid: string): Promise<boolean> {
  return (await db.$count(passkeys, and(eq(passkeys.userId, uid), worksHere(publicUrl)))) > 0
}
