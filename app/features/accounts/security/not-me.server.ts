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
import { type RequestContext, userAgentOf } from '../session/session.server'
import { happenedSince, recordSecurityEvent } from './security-log.server'

const dayMs = 24 * 60 * 60_000

/** How long 'This wasn't me' works. */
export const notMeDays = 7
/** The former address gets no other email that could wake its reader. */
export const notMeDaysOfFormerAddress = 30

/** Only a hash is stored, so that a copy of the database locks no account. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

type NotMeLink = { uid: string; since: Date; email: string; days?: number }

/** @returns the secret of a link for an email that tells of something. */
export async function createNotMeLink(
  db: Statements,
  { uid, since, email, days = notMeDays }: NotMeLink,
  now = Date.now(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now + days * dayMs)
  await db.insert(securityLinks).values({ tokenHash: hashOf(token), uid, since, email, expiresAt })

  return token
}

/** What a link is for while it works. Changes nothing, because mail scanners open links, too. */
export async function findNotMeLink(db: Pick<Database, 'select'>, token: string, now = Date.now()) {
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
      and(eq(securityLinks.tokenHash, hashOf(token)), gt(securityLinks.expiresAt, new Date(now))),
    )

  return link ?? null
}

export type NotMeOutcome = 'secured' | 'disabled' | 'link-expired'

/**
 * The reader of an email says that they didn't do what it tells of: removes what came since, the
 * password, every session and every mailed link, and mails a link to set a new password. The
 * account gets the address back that the email was sent to. If another account has it by now, the
 * account is disabled, for its operator to decide.
 */
export async function undoWhatWasNotMe(
  service: AccountService,
  requestContext: RequestContext,
  token: string,
): Promise<NotMeOutcome> {
  const { db } = service
  const found = await findNotMeLink(db, token, service.now())
  if (!found) {
    return 'link-expired'
  }

  const outcome = await db.transaction(async (tx): Promise<NotMeOutcome> => {
    // Locks the account first, like a sign-in that is under way.
    const [user] = await tx.select().from(users).where(eq(users.id, found.uid)).for('update')
    const [link] = await tx
      .delete(securityLinks)
      .where(eq(securityLinks.tokenHash, hashOf(token)))
      .returning()
    if (!user || !link) {
      return 'link-expired'
    }

    const { uid, since, email } = link
    // Links of later emails may be in the hands of who did it; those of earlier ones are the
    // owner's.
    await tx
      .delete(securityLinks)
      .where(and(eq(securityLinks.uid, uid), gte(securityLinks.since, since)))
    await removeWhatCameSince(tx, uid, since)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent: userAgentOf(requestContext) })
    if (user.email !== email && !(await restoreAddress(tx, uid, email))) {
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
    service.mailQueued()
  }

  return outcome
}

async function removeWhatCameSince(tx: Transaction, uid: string, since: Date): Promise<void> {
  const isPasswordOrNew = or(
    eq(identities.providerId, 'credential'),
    gte(identities.createdAt, since),
  )
  await tx.delete(identities).where(and(eq(identities.userId, uid), isPasswordOrNew))
  await tx.delete(passkeys).where(and(eq(passkeys.userId, uid), gte(passkeys.createdAt, since)))
  // Setting it up may have begun earlier. One that was replaced since, by turning it off and on,
  // can't be brought back.
  const isNewApp = or(isNull(twoFactor.enabledAt), gte(twoFactor.enabledAt, since))
  await tx.delete(twoFactor).where(and(eq(twoFactor.uid, uid), isNewApp))
  // The former ones were replaced: until new ones are made, there is the app alone.
  if (await happenedSince(tx, uid, 'recovery-codes-made', since)) {
    await tx.update(twoFactor).set({ recoveryHashes: [] }).where(eq(twoFactor.uid, uid))
  }

  await endSessions(tx, uid)
  await revokeOneTimeTokens(tx, uid)
}

/** @returns false if another account has it. */
async function restoreAddress(tx: Statements, uid: string, email: string): Promise<boolean> {
  const other = await findUserByEmail(tx, email)
  if (other && other.id !== uid) {
    return false
  }

  const confirmed = { emailVerified: true, emailVerifiedAt: new Date(), updatedAt: new Date() }
  await tx
    .update(users)
    .set({ email, ...confirmed })
    .where(eq(users.id, uid))

  return true
}
