/** What operators and staff see of an account beyond its record. */
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { identities, outbox, passkeys, sessions } from '~/server/database/schema/index'
import type { AttemptCounter } from './attempt-counter.server'
import { attemptLimits } from './attempt-limits.server'
import { listSecurityEvents } from './security/security-log.server'
import { hasTwoFactor } from './two-factor/authenticator-app.server'

/** Returns the details of an account. They contain no token and no hash. */
export async function getAccountDetails(db: Database, attempts: AttemptCounter, uid: string) {
  return {
    sessions: await listSessions(db, uid),
    signInMethods: await listSignInMethods(db, uid),
    hasTwoFactor: await hasTwoFactor(db, uid),
    queuedEmails: await listQueuedEmails(db, uid),
    attempts: await listAttempts(attempts, uid),
    securityEvents: await listSecurityEvents(db, uid),
  }
}

function listSessions(db: Database, uid: string) {
  return db
    .select({
      since: sessions.createdAt,
      lastUsedAt: sessions.updatedAt,
      expiresAt: sessions.expiresAt,
      browser: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.updatedAt))
}

async function listSignInMethods(db: Database, uid: string) {
  const identityMethods = await db
    .select({
      provider: identities.providerId,
      since: identities.createdAt,
      proven: identities.proven,
    })
    .from(identities)
    .where(eq(identities.userId, uid))
    .orderBy(identities.createdAt)
  const passkeyRows = await db
    .select({ since: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
  const passkeyMethods = passkeyRows.map(({ since }) => ({
    provider: 'passkey',
    since,
    proven: true,
  }))

  return [...identityMethods, ...passkeyMethods]
}

function listQueuedEmails(db: Database, uid: string) {
  return db
    .select({
      kind: outbox.kind,
      dueAt: outbox.dueAt,
      failedAt: outbox.failedAt,
      reason: outbox.reason,
    })
    .from(outbox)
    .where(eq(outbox.uid, uid))
    .orderBy(outbox.dueAt)
}

/** Says what each limit counts, by the limit's name in the database. */
const limitDescriptions: Record<string, string> = {
  [attemptLimits.wrongPasswordByAccount.name]: 'wrong passwords',
  [attemptLimits.wrongPasswordByBrowser.name]: 'wrong passwords from a known browser',
  [attemptLimits.signInByAccountAndClient.name]: 'sign-ins from one address',
  [attemptLimits.confirmationByAccount.name]: 'confirmation emails',
  [attemptLimits.signInCodeByAccount.name]: 'wrong codes of the second step',
  [attemptLimits.exportByAccount.name]: 'downloads of own data',
  [attemptLimits.resetByAccount.name]: 'password reset emails',
  [attemptLimits.photoByAccount.name]: 'profile photos',
  [attemptLimits.testMailByAccount.name]: 'test emails of the desk',
  [attemptLimits.reissueByAccount.name]: 'reissued certificates',
  [attemptLimits.deviceMailByAccount.name]: 'emails about new devices',
}

async function listAttempts(attempts: AttemptCounter, uid: string) {
  const counts = await attempts.list(uid)

  return counts.map(({ limit, count }) => ({
    description: limitDescriptions[limit.name] ?? limit.name,
    count: Math.min(count, limit.max),
    max: limit.max,
  }))
}
