/**
 * 'This wasn't me': emails about a change of the account contain a link that locks the account down.
 *
 * The link works for a limited time and once. It needs no sign-in, because someone else may have
 * changed the password. It removes what was changed at or after the time that the email is about.
 */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, gte, isNull, or } from 'drizzle-orm'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import {
  identities,
  passkeys,
  securityLinks,
  twoFactor,
  users,
} from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { endSessions, findUserByEmail } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { getUserAgent, type RequestContext } from '../session/request-context.server'
import { hasSecurityEventSince, recordSecurityEvent } from './security-log.server'

const dayMs = 24 * 60 * 60_000

/** How long a link works. */
export const recoveryLinkDays = 7

/** A link to a previous email works longer, because that mailbox gets no later email. */
export const previousEmailRecoveryLinkDays = 30

type RecoveryLink = { uid: string; since: Date; email: string; days?: number }

/** Creates a link for an email and returns its secret token. */
export async function createRecoveryLink(
  db: Statements,
  { uid, since, email, days = recoveryLinkDays }: RecoveryLink,
  now = Date.now(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now + days * dayMs)
  await db
    .insert(securityLinks)
    .values({ tokenHash: hashToken(token), uid, since, email, expiresAt })

  return token
}

/** Only the hash is stored, so that nobody can lock accounts with a copy of the database. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Returns null for an unknown, used or expired link. Changes nothing, because email scanners open links. */
export async function findRecoveryLink(
  db: Pick<Database, 'select'>,
  token: string,
  now = Date.now(),
) {
  const [link] = await db
    .select({
      uid: securityLinks.uid,
      since: securityLinks.since,
      email: securityLinks.email,
      timeZone: users.displayTimezone,
    })
    .from(securityLinks)
    .innerJoin(users, eq(users.id, securityLinks.uid))
    .where(
      and(
        eq(securityLinks.tokenHash, hashToken(token)),
        gt(securityLinks.expiresAt, new Date(now)),
      ),
    )

  return link ?? null
}

type RecoveryOutcome = 'secured' | 'disabled' | 'link-expired'

/**
 * Locks the account down: removes the sign-in methods that were added since the email, the password,
 * every session and every emailed link, and emails a link to set a new password.
 *
 * The account gets back the email to which the link was sent. If another account uses that email by
 * now, the account is disabled, and the school's staff decide.
 */
export async function revertAccountChanges(
  service: AccountService,
  requestContext: RequestContext,
  token: string,
): Promise<RecoveryOutcome> {
  const { db } = service
  const validLink = await findRecoveryLink(db, token, service.now())
  if (!validLink) {
    return 'link-expired'
  }

  const outcome = await db.transaction(async (tx): Promise<RecoveryOutcome> => {
    // The account is locked first, in the same order as during a sign-in.
    const [user] = await tx.select().from(users).where(eq(users.id, validLink.uid)).for('update')
    const [usedLink] = await tx
      .delete(securityLinks)
      .where(eq(securityLinks.tokenHash, hashToken(token)))
      .returning()
    if (!user || !usedLink) {
      return 'link-expired'
    }

    const { uid, since, email } = usedLink
    // An intruder may have the links in later emails. Earlier emails reached the owner only.
    await tx
      .delete(securityLinks)
      .where(and(eq(securityLinks.uid, uid), gte(securityLinks.since, since)))
    await removeAccessAddedSince(tx, uid, since)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent: getUserAgent(requestContext) })

    const hasEmail = user.email === email || (await restoreEmail(tx, uid, email))
    if (!hasEmail) {
      await tx
        .update(users)
        .set({ banned: true, banReason: 'address-taken' })
        .where(eq(users.id, uid))
      return 'disabled'
    }

    await queueMail(tx, uid, 'reset')

    return 'secured'
  })

  if (outcome === 'secured') {
    service.wakeEmailSender()
  }

  return outcome
}

async function removeAccessAddedSince(tx: Transaction, uid: string, since: Date): Promise<void> {
  const isPasswordOrNewIdentity = or(
    eq(identities.providerId, 'credential'),
    gte(identities.createdAt, since),
  )
  await tx.delete(identities).where(and(eq(identities.userId, uid), isPasswordOrNewIdentity))
  await tx.delete(passkeys).where(and(eq(passkeys.userId, uid), gte(passkeys.createdAt, since)))

  // What counts is when the authenticator app was enabled, as its setup may have started earlier. An
  // app that was replaced since then can't be restored.
  const isNewAuthenticatorApp = or(isNull(twoFactor.enabledAt), gte(twoFactor.enabledAt, since))
  await tx.delete(twoFactor).where(and(eq(twoFactor.uid, uid), isNewAuthenticatorApp))

  // The previous recovery codes are gone, so the learner has only the app until they create new ones.
  const hasNewRecoveryCodes = await hasSecurityEventSince(tx, uid, 'recovery-codes-made', since)
  if (hasNewRecoveryCodes) {
    await tx.update(twoFactor).set({ recoveryHashes: [] }).where(eq(twoFactor.uid, uid))
  }

  await endSessions(tx, uid)
  await revokeOneTimeTokens(tx, uid)
}

/** Returns false if another account uses the email. */
async function restoreEmail(tx: Statements, uid: string, email: string): Promise<boolean> {
  const accountWithEmail = await findUserByEmail(tx, email)
  if (accountWithEmail && accountWithEmail.id !== uid) {
    return false
  }

  const now = new Date()
  await tx
    .update(users)
    .set({ email, emailVerified: true, emailVerifiedAt: now, updatedAt: now })
    .where(eq(users.id, uid))

  return true
}
