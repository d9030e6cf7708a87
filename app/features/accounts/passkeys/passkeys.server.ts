import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { isAPIError } from 'better-auth/api'
import { and, desc, eq, isNull, ne, or } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { passkeys, users } from '~/server/database/schema/index'
import type { AccountErrorCode } from '../account-errors'
import { demoUid, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { maxPasskeyNameLength } from '../form/form-messages'
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

/** The maximum for an account. Nobody has more devices and password managers. */
const maxPasskeys = 20

type PasskeyServices = Pick<AccountService, 'db' | 'publicUrl'>

/** Returns an account's passkeys, the newest first. Dates are ISO date-times. */
export async function listPasskeys({ db, publicUrl }: PasskeyServices, uid: string) {
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
    /** The host name at which the passkey works; null if that is the site's current host name. */
    previousHost: host === getHost(publicUrl) ? null : host,
  }))
}

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number]

/** Returns whether the account has a passkey that works at the site's host name. */
export async function hasPasskey(
  { db, publicUrl }: PasskeyServices,
  uid: string,
): Promise<boolean> {
  const isUsable = and(eq(passkeys.userId, uid), worksAtHost(publicUrl))
  return (await db.$count(passkeys, isUsable)) > 0
}

/** Returns the condition for passkeys that work at the site's host name. */
export function worksAtHost(publicUrl: string) {
  return or(isNull(passkeys.host), eq(passkeys.host, getHost(publicUrl)))
}

function getHost(publicUrl: string): string {
  return new URL(publicUrl).hostname
}

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
  if (!user || user.id === demoUid) {
    return 'demo-account'
  }

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

/**
 * Names a passkey. If another passkey of the account already has the name, a number is added, so
 * that the learner can tell them apart.
 *
 * @param furtherColumns columns to set together with the name
 * @returns the name that the passkey has now, or null if the account has no such passkey
 */
export function namePasskey(
  db: Database,
  { uid, passkeyId, name }: { uid: string; passkeyId: string; name: string },
  furtherColumns: { host?: string } = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    // The lock keeps two requests at the same time from choosing the same name.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, uid)).for('no key update')
    const freeName = addNumber(name, await listOtherNames(tx, uid, passkeyId))

    const updatedRows = await tx
      .update(passkeys)
      .set({ ...furtherColumns, name: freeName })
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, uid)))
      .returning({ id: passkeys.id })

    return updatedRows.length > 0 ? freeName : null
  })
}

async function listOtherNames(tx: Statements, uid: string, passkeyId: string): Promise<string[]> {
  const rows = await tx
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(and(eq(passkeys.userId, uid), ne(passkeys.id, passkeyId)))

  return rows.flatMap(({ name }) => name ?? [])
}

/** Returns the name, or the name with the lowest number from 2 that makes it unique. */
function addNumber(name: string, otherNames: readonly string[]): string {
  const takenNames = new Set(otherNames.map((otherName) => otherName.toLowerCase()))
  let freeName = name
  for (let number = 2; takenNames.has(freeName.toLowerCase()); number++) {
    const suffix = ` ${number}`
    freeName = name.slice(0, maxPasskeyNameLength - suffix.length).trimEnd() + suffix
  }

  return freeName
}
