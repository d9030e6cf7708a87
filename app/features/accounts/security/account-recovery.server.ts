/**
 * Account recovery: emails about a change of the account contain the link 'This wasn't me', which
 * throws an intruder out and gives the account back to the owner of the mailbox.
 *
 * The link works for a limited time and once. It needs no sign-in, because the intruder may have
 * changed the password. It removes what was added to the account since the change that the email is
 * about.
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
import { passwordProviderId } from '../password/password-queries.server'
import { getUserAgent, type RequestContext } from '../session/request-context.server'
import { hasSecurityEventSince, recordSecurityEvent } from './security-log.server'

const dayMs = 24 * 60 * 60_000

/** How long a link works. */
export const recoveryLinkDays = 7

/** A link to a previous email works longer, because that mailbox gets no later email. */
export const previousEmailRecoveryLinkDays = 30

type RecoveryLinkInput = {
  uid: string
  /** The link removes sign-in methods and other changes that were added at this time or later. */
  since: Date
  /** The email that gets the link, and that the account gets back. */
  email: string
  /** How long the link works. */
  days?: number
}

/** Creates a link and returns its secret token. */
export async function createRecoveryLink(
  db: Statements,
  { uid, since, email, days = recoveryLinkDays }: RecoveryLinkInput,
  now = Date.now(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now + days * dayMs)
  await db
    .insert(securityLinks)
    .values({ tokenHash: hashToken(token), uid, since, email, expiresAt })

  return token
}

/**
 * Hashes a link's token. The database stores only the hash, so a copy of it can't recover accounts.
 */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Returns the account and the change behind a link, or null if the link is unknown, used or
 * expired. It changes nothing, because email scanners open links.
 */
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
 * Recovers the account:
 * - removes the password, all sessions and all emailed links, and the other sign-in methods that
 *   were added since the change
 * - gives back the email to which the link was sent
 * - emails a link to set a new password
 *
 * If another account uses that email by now, the account is disabled, and the school's staff
 * decide.
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
    // The row of the account is locked first, in the same order as during a sign-in.
    const [user] = await tx.select().from(users).where(eq(users.id, validLink.uid)).for('update')
    const [usedLink] = await tx
      .delete(securityLinks)
      .where(eq(securityLinks.tokenHash, hashToken(token)))
      .returning()
    if (!user || !usedLink) {
      return 'link-expired'
    }

    const { uid, since, email } = usedLink
    // An intruder may have received the emails after the change, so their links stop working.
    await tx
      .delete(securityLinks)
      .where(and(eq(securityLinks.uid, uid), gte(securityLinks.since, since)))
    await removeAccessAddedSince(tx, uid, since)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent: getUserAgent(requestContext) })

    const now = new Date(service.now())
    const hasEmail = user.email === email || (await restoreEmail(tx, uid, email, now))
    if (!hasEmail) {
      await tx
        .update(users)
        .set({ banned: true, banReason: 'address-taken' })
        .where(eq(users.id, uid))
      return 'disabled'
    }

    // The email has a link to set a new password.
    await queueMail(tx, uid, 'reset')

    return 'secured'
  })

  if (outcome === 'secured') {
    service.wakeEmailSender()
  }

  return outcome
}

/**
 * Removes the password, all sessions and links, and every other sign-in method that was added at a
 * time or later.
 */
async function removeAccessAddedSince(tx: Transaction, uid: string, since: Date): Promise<void> {
  const passwordOrNewIdentity = or(
    eq(identities.providerId, passwordProviderId),
    gte(identities.createdAt, since),
  )
  await tx.delete(identities).where(and(eq(identities.userId, uid), passwordOrNewIdentity))
  await tx.delete(passkeys).where(and(eq(passkeys.userId, uid), gte(passkeys.createdAt, since)))

  // An app counts as new by the time at which it was enabled, because its setup may have begun
  // before the change. An app that the new one has replaced can't be restored.
  const newOrUnfinishedApp = or(isNull(twoFactor.enabledAt), gte(twoFactor.enabledAt, since))
  await tx.delete(twoFactor).where(and(eq(twoFactor.uid, uid), newOrUnfinishedApp))

  // The previous recovery codes are gone, so the learner has only the app until they create new
  // ones.
  const hasNewRecoveryCodes = await hasSecurityEventSince(tx, uid, 'recovery-codes-made', since)
  if (hasNewRecoveryCodes) {
    await tx.update(twoFactor).set({ recoveryHashes: [] }).where(eq(twoFactor.uid, uid))
  }

  await endSessions(tx, uid)
  await revokeOneTimeTokens(tx, uid)
}

/** Returns false if another account uses the email. */
async function restoreEmail(
  tx: Transaction,
  uid: string,
  email: string,
  now: Date,
): Promise<boolean> {
  const accountWithEmail = await findUserByEmail(tx, email)
  if (accountWithEmail && accountWithEmail.id !== uid) {
    return false
  }

  await tx
    .update(users)
    .set({ email, emailVerified: true, emailVerifiedAt: now, updatedAt: now })
    .where(eq(users.id, uid))

  return true
}
