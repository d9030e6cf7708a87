/**
 * The hooks that run when better-auth writes an account, a session or an identity, after a sign-in
 * by a provider or a passkey. `session-endpoints.server.ts` writes all other sessions.
 *
 * A session is never used without its entry in the security log: if a check or the log fails, the
 * hook throws an error, and the browser gets no cookie.
 */
import type { GenericEndpointContext, Session } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Database } from '~/server/database/client.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { findUser, tryToRecordLoginTime } from '../account-queries.server'
import { markIdentityIfProven, recordEmailVerified } from '../email-address/owner-proof.server'
import { passkeySignInPath } from '../passkeys/passkey-plugin.server'
import { findPasswordHash } from '../password/password-queries.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { isNewAccount, mailSecurityChange } from '../security/security-mails.server'
import { rememberBrowserOfProviderSignIn } from '../sign-in/known-browsers.server'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'
import type { AuthSettings } from './auth-settings.server'
import { shouldEmailAboutNewDevice } from './new-device.server'
import { completeSession } from './new-session.server'
import { getSessionEnd } from './session-rules.server'
import { readSessionToken } from './session-token.server'

/** The provider's tokens are not stored, because the provider is only asked during the sign-in. */
const noTokens = { accessToken: null, refreshToken: null, idToken: null }

type NewSession = { userId: string; token: string; userAgent?: string | null }
type NewIdentity = { id: string; userId: string; providerId: string }

/** Returns the hooks by better-auth's names of the tables. An identity is its `account`. */
export function createDatabaseHooks(settings: AuthSettings) {
  const { db, sessionRules } = settings
  return {
    user: {
      create: {
        async after({ id, emailVerified }: { id: string; emailVerified: boolean }) {
          countEvent('signUps')
          if (emailVerified) {
            await recordEmailVerified(db, id)
          }
        },
      },
    },
    session: {
      create: {
        before: ({ userId }: { userId: string }, ctx: GenericEndpointContext | null) =>
          requireAllowedSignIn(settings, userId, ctx),
        async after(session: NewSession, ctx: GenericEndpointContext | null) {
          if (ctx) {
            await recordNewSession(settings, session, ctx)
          }
        },
      },
      update: {
        // better-auth extends a session by its idle time, without the maximum of the session rules.
        async before(changes: Partial<Session>, ctx: GenericEndpointContext | null) {
          const createdAt = ctx?.context.session?.session.createdAt
          if (changes.expiresAt && createdAt) {
            return { data: { ...changes, expiresAt: getSessionEnd(sessionRules, createdAt) } }
          }
        },
      },
    },
    account: {
      create: {
        before: async () => ({ data: noTokens }),
        after: (identity: NewIdentity, ctx: GenericEndpointContext | null) =>
          recordNewIdentity(db, identity, ctx),
      },
      // Linking a provider again updates its row.
      update: { before: async () => ({ data: noTokens }) },
    },
  }
}

/** The code of the error that stops a sign-in whose second step has not been passed. */
export const secondStepRequired = 'SECOND_STEP'

/**
 * Keeps better-auth from writing a session that the account's rules forbid.
 *
 * @throws {APIError} if the school requires another sign-in method for this email, or if the second
 *   step is missing. In the second case, the message is the account's uid.
 */
async function requireAllowedSignIn(
  { db, providers }: AuthSettings,
  uid: string,
  ctx: GenericEndpointContext | null,
): Promise<void> {
  const user = await findUser(db, uid)
  if (!isSignInMethodAllowed(providers, user?.email ?? null, getSignInMethod(ctx))) {
    throw new APIError('FORBIDDEN', { code: 'use-organization' })
  }

  // A passkey is two factors in one: the device, and the lock that the learner opened it with.
  const isPasskey = ctx?.path === passkeySignInPath
  if (!isPasskey && (await hasTwoFactor(db, uid))) {
    throw new APIError('FORBIDDEN', { code: secondStepRequired, message: uid })
  }
}

/**
 * Adds everything that belongs to a session which better-auth has just written.
 *
 * @throws if that fails, which leaves the browser without the session's cookie
 */
async function recordNewSession(
  settings: AuthSettings,
  { userId: uid, userAgent, token }: NewSession,
  ctx: GenericEndpointContext,
): Promise<void> {
  const { db, sessionRules, knownBrowsers } = settings
  const passwordHash = await findPasswordHash(db, uid)

  await completeSession(db, sessionRules, {
    uid,
    token,
    signInMethod: getSignInMethod(ctx),
    userAgent: userAgent ?? '',
    previousToken: await readSessionToken(ctx),
    isNewDevice: await shouldEmailAboutNewDevice(settings, ctx, uid, passwordHash),
  })
  await tryToRecordLoginTime(db, uid)
  rememberBrowserOfProviderSignIn(knownBrowsers, ctx, uid, passwordHash)
}

/** Returns `passkey`, or the ID of the provider that the learner signs in with. */
function getSignInMethod(ctx: GenericEndpointContext | null): string {
  if (ctx?.path === passkeySignInPath) {
    return 'passkey'
  }

  return ctx?.params?.id ?? ctx?.params?.providerId ?? 'unknown'
}

/** Records that an account can be signed in to by a provider, and tells its owner. */
async function recordNewIdentity(
  db: Database,
  { id, userId, providerId }: NewIdentity,
  ctx: GenericEndpointContext | null,
): Promise<void> {
  const userAgent = ctx?.headers?.get('user-agent') ?? ''
  await db.transaction(async (tx) => {
    await markIdentityIfProven(tx, id)
    await recordSecurityEvent(tx, userId, {
      kind: 'sign-in-method-added',
      signInMethod: providerId,
      userAgent,
    })

    const user = await findUser(tx, userId)
    if (user && !isNewAccount(user.createdAt)) {
      await mailSecurityChange(tx, userId, getProviderAddedEmail(providerId))
    }
  })
}

function getProviderAddedEmail(providerId: string) {
  if (providerId === 'google' || providerId === 'facebook') {
    return `${providerId}-added` as const
  }

  return 'way-added'
}
