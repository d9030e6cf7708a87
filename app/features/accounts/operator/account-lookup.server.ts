import { desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { identities, outbox, sessions, users } from '~/server/database/schema/index'
import { StartError } from '~/server/env.server'
import type { UserRow } from '../account-queries.server'
import { type AttemptCounter, attemptLimits } from '../attempt-limits.server'
import { storedForms } from '../email-address/email-address.server'

/**
 * The account that an operator names by email address or uid.
 *
 * @throws {StartError} if there is none.
 */
export async function getAccount(db: Pick<Database, 'select'>, name: string): Promise<UserRow> {
  const wanted = name.trim()
  const byEmail = wanted.includes('@')
  const which = byEmail ? inArray(users.email, storedForms(wanted)) : eq(users.id, wanted)
  const [user] = await db.select().from(users).where(which)
  if (!user)
    throw new StartError(
      byEmail ? `No account has the email address '${wanted}'.` : `No account has the uid '${wanted}'.`,
    )
  return user
}

/** Accounts with the text in their email address or name, or with it as uid; the newest first. */
export function findAccounts(db: Database, text: string, limit: number): Promise<UserRow[]> {
  const within = sql`position(lower(${text.trim()}) in lower(${users.email} || ' ' || ${users.name})) > 0`
  return db
    .select()
    .from(users)
    .where(sql`${within} or ${users.id} = ${text.trim()}`)
    .orderBy(desc(users.createdAt), users.id)
    .limit(limit)
}

/** What each limit counts against an account, for operators. */
const countedTexts: Record<string, string> = {
  [attemptLimits.passwordByAccount.name]: 'wrong passwords',
  [attemptLimits.passwordByBrowser.name]: 'wrong passwords from a known browser',
  [attemptLimits.signInByAccount.name]: 'sign-ins from one address',
  [attemptLimits.confirmationByAccount.name]: 'confirmation emails',
  [attemptLimits.exportByAccount.name]: 'downloads of own data',
  [attemptLimits.resetByAccount.name]: 'password reset emails',
  [attemptLimits.photoByAccount.name]: 'profile photos',
}

/** What an operator may see of an account beyond its row: no token, no hash. */
export async function describeAccount(db: Database, attempts: AttemptCounter, uid: string) {
  const session = { since: sessions.createdAt, lastUsedAt: sessions.updatedAt, expiresAt: sessions.expiresAt }
  const open = await db
    .select({ ...session, browser: sessions.userAgent })
    .from(sessions)
    .where(sql`${eq(sessions.userId, uid)} and ${gt(sessions.expiresAt, sql`now()`)}`)
    .orderBy(desc(sessions.updatedAt))
  const way = { provider: identities.providerId, since: identities.createdAt, proven: identities.proven }
  const ways = await db.select(way).from(identities).where(eq(identities.userId, uid)).orderBy(identities.createdAt)
  const mail = { kind: outbox.kind, dueAt: outbox.dueAt, failedAt: outbox.failedAt, reason: outbox.reason }
  const mails = await db.select(mail).from(outbox).where(eq(outbox.uid, uid)).orderBy(outbox.dueAt)
  const counted = (await attempts.list(uid)).map(({ limit, count, endsAt }) => ({
    what: countedTexts[limit.name] ?? limit.name,
    count: Math.min(count, limit.max),
    max: limit.max,
    refused: count >= limit.max,
    endsAt,
  }))
  return { sessions: open, ways, mails, counted }
}
