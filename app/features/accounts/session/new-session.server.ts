import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { identities, passkeys, sessions, users } from '~/server/database/schema/index'
import { findPasswordHash } from '../account-queries.server'
import { consumeOneTimeToken, createOneTimeToken } from '../one-time-tokens.server'
import { endSurplusDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailNewDevice } from '../security/security-mails.server'
import { hasSecondStep } from '../two-factor/authenticator-app.server'
import { type SessionRules, sessionEnd } from './session-rules.server'

const daySeconds = 24 * 60 * 60

export type SignIn = {
  uid: string
  /** `password`, or the provider. */
  way: string
  userAgent: string
  /** The token that the browser's cookie held before. */
  formerToken: string | null
  /** A browser that the account doesn't know: its owner gets an email. */
  isNewDevice: boolean
}

/**
 * The password's hash that was checked, or the token of a first step whose second one has just been
 * passed.
 */
export type SignInProof = { hash: string } | { secondStep: string }

/**
 * Writes the session of a sign-in that isn't by a provider, with all that belongs to it, in one
 * transaction. That waits for another one that changes the password or disables the account, as
 * they lock the account first.
 *
 * @returns the session; or the token for the second step if the account has one; or null if the
 * proof is no longer good.
 */
export function createSession(
  db: Database,
  rules: SessionRules,
  { proof, rememberMe, ...signIn }: SignIn & { proof: SignInProof; rememberMe: boolean },
) {
  const { uid, userAgent } = signIn
  return db.transaction(async (tx) => {
    const user = await lockAccount(tx, uid)
    if (!user || user.disabled || !(await isGood(tx, uid, proof))) {
      return null
    }

    if ('hash' in proof && (await hasSecondStep(tx, uid))) {
      return createOneTimeToken(tx, 'second-step', uid)
    }

    const now = new Date()
    const end = rememberMe ? sessionEnd(rules, now) : new Date(now.getTime() + daySeconds * 1000)
    const session = {
      id: randomId(),
      token: randomBytes(32).toString('base64url'),
      userId: uid,
      expiresAt: end,
      createdAt: now,
      updatedAt: now,
      userAgent,
    }

    await tx.insert(sessions).values(session)
    await recordSignIn(tx, rules, signIn)

    return session
  })
}

async function isGood(tx: Transaction, uid: string, proof: SignInProof): Promise<boolean> {
  if ('hash' in proof) {
    return (await findPasswordHash(tx, uid)) === proof.hash
  }

  return (await consumeOneTimeToken(tx, 'second-step', proof.secondStep)) === uid
}

/**
 * The same for a session that better-auth has written, after a sign-in by a provider or a passkey.
 *
 * @throws if meanwhile the account was disabled or lost this way to sign in: the session, which no
 * browser knows yet, ends.
 */
export async function completeSession(
  db: Database,
  rules: SessionRules,
  { token, ...signIn }: SignIn & { token: string },
): Promise<void> {
  const isComplete = await db.transaction(async (tx) => {
    const user = await lockAccount(tx, signIn.uid)
    if (user && !user.disabled && (await hasWay(tx, signIn))) {
      await recordSignIn(tx, rules, signIn)
      return true
    }

    await tx.delete(sessions).where(eq(sessions.token, token))

    return false
  })

  if (!isComplete) {
    throw new Error('The account was disabled, or lost this way to sign in, during the sign-in.')
  }
}

async function hasWay(tx: Transaction, { uid, way }: SignIn): Promise<boolean> {
  if (way === 'passkey') {
    return (await tx.$count(passkeys, eq(passkeys.userId, uid))) > 0
  }

  return (
    (await tx.$count(identities, and(eq(identities.userId, uid), eq(identities.providerId, way)))) >
    0
  )
}

/** One sign-in at a time, so that together they don't exceed the number of devices. */
async function lockAccount(tx: Statements, uid: string) {
  const account = { disabled: users.banned }
  const [user] = await tx.select(account).from(users).where(eq(users.id, uid)).for('no key update')
  return user
}

async function recordSignIn(
  tx: Statements,
  rules: SessionRules,
  { uid, way, userAgent, formerToken, isNewDevice }: SignIn,
): Promise<void> {
  // A browser has one session, so that none is left behind unseen.
  if (formerToken) {
    await tx.delete(sessions).where(eq(sessions.token, formerToken))
  }

  await recordSecurityEvent(tx, uid, { kind: 'signed-in', way, userAgent })
  await endSurplusDevices(tx, uid, rules.mostDevices)
  if (isNewDevice) {
    await mailNewDevice(tx, uid, userAgent)
  }
}
