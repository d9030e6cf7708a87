/**
 * Writes sessions.
 *
 * The session, its entry in the security log, the end of the browser's previous session and of
 * surplus devices, and the email about a new device are written in one transaction. The transaction
 * locks the account first, so it runs before or after a change of the password, never in between.
 * better-auth's own sessions break this promise: it writes each row in a statement of its own, so a
 * sign-in that is under way survives a password reset, and a crash leaves a session that the log
 * does not know.
 */
import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { identities, passkeys, sessions, users } from '~/server/database/schema/index'
import { consumeOneTimeToken, createOneTimeToken } from '../one-time-tokens.server'
import { findPasswordHash } from '../password/password-queries.server'
import { endSurplusDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailNewDevice } from '../security/security-mails.server'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'
import { getSessionEnd, type SessionRules } from './session-rules.server'

const dayMs = 24 * 60 * 60_000

type SignIn = {
  uid: string
  /** `password`, `passkey`, or the provider's ID. */
  signInMethod: string
  userAgent: string
  /** The session token that the browser's cookie held before this sign-in. */
  previousToken: string | null
  /** Whether the account does not know the browser, so that its owner gets an email. */
  isNewDevice: boolean
}

/**
 * What was verified: the hash of the password, or the token of a first step whose second step was
 * just passed.
 */
export type SignInProof = { passwordHash: string } | { secondStepToken: string }

type CreatedSession = Pick<
  typeof sessions.$inferSelect,
  'id' | 'token' | 'userId' | 'expiresAt' | 'createdAt' | 'updatedAt' | 'userAgent'
>

type NewSessionResult =
  | { status: 'created'; session: CreatedSession }
  /** The account requires a second step, which the browser starts with the token. */
  | { status: 'second-step-required'; secondStepToken: string }
  /** The password was changed, or the second step was used or has expired. */
  | { status: 'proof-invalid' }

/** Writes the session of a sign-in by password or second step. */
export function createSession(
  db: Database,
  rules: SessionRules,
  { proof, rememberMe, ...signIn }: SignIn & { proof: SignInProof; rememberMe: boolean },
): Promise<NewSessionResult> {
  const { uid, userAgent } = signIn
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, uid)
    if (!account || account.isDisabled || !(await isProofValid(tx, uid, proof))) {
      return { status: 'proof-invalid' }
    }

    if ('passwordHash' in proof && (await hasTwoFactor(tx, uid))) {
      const secondStepToken = await createOneTimeToken(tx, 'second-step', uid)
      return { status: 'second-step-required', secondStepToken }
    }

    const now = new Date()
    const session = {
      id: randomId(),
      token: randomBytes(32).toString('base64url'),
      userId: uid,
      expiresAt: rememberMe ? getSessionEnd(rules, now) : new Date(now.getTime() + dayMs),
      createdAt: now,
      updatedAt: now,
      userAgent,
    }

    await tx.insert(sessions).values(session)
    await recordSignIn(tx, rules, signIn)

    return { status: 'created', session }
  })
}

async function isProofValid(tx: Transaction, uid: string, proof: SignInProof): Promise<boolean> {
  if ('passwordHash' in proof) {
    return (await findPasswordHash(tx, uid)) === proof.passwordHash
  }

  return (await consumeOneTimeToken(tx, 'second-step', proof.secondStepToken)) === uid
}

/**
 * Completes a session that better-auth has just written after a sign-in by a provider or a passkey.
 *
 * @throws if the account was disabled or lost this sign-in method meanwhile. The session, whose
 *   token no browser has yet, is deleted.
 */
export async function completeSession(
  db: Database,
  rules: SessionRules,
  { token, ...signIn }: SignIn & { token: string },
): Promise<void> {
  const isComplete = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, signIn.uid)
    if (account && !account.isDisabled && (await hasSignInMethod(tx, signIn))) {
      await recordSignIn(tx, rules, signIn)
      return true
    }

    await tx.delete(sessions).where(eq(sessions.token, token))

    return false
  })

  if (!isComplete) {
    throw new Error('The account was disabled, or lost this sign-in method, during the sign-in.')
  }
}

async function hasSignInMethod(
  tx: Transaction,
  { uid, signInMethod }: Pick<SignIn, 'uid' | 'signInMethod'>,
): Promise<boolean> {
  if (signInMethod === 'passkey') {
    return (await tx.$count(passkeys, eq(passkeys.userId, uid))) > 0
  }

  const isIdentityAtProvider = and(
    eq(identities.userId, uid),
    eq(identities.providerId, signInMethod),
  )

  return (await tx.$count(identities, isIdentityAtProvider)) > 0
}

/** Locks the account, so that parallel sign-ins together do not exceed the number of devices. */
async function lockAccount(tx: Statements, uid: string) {
  const [account] = await tx
    .select({ isDisabled: users.banned })
    .from(users)
    .where(eq(users.id, uid))
    .for('no key update')
  return account
}

async function recordSignIn(
  tx: Statements,
  rules: SessionRules,
  { uid, signInMethod, userAgent, previousToken, isNewDevice }: SignIn,
): Promise<void> {
  // A browser has one session. An earlier one would stay open without anyone seeing it.
  if (previousToken) {
    await tx.delete(sessions).where(eq(sessions.token, previousToken))
  }

  await recordSecurityEvent(tx, uid, { kind: 'signed-in', signInMethod, userAgent })
  await endSurplusDevices(tx, uid, rules.maxDevices)
  if (isNewDevice) {
    await mailNewDevice(tx, uid, userAgent)
  }
}
