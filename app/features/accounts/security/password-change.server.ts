import { and, eq } from 'drizzle-orm'
import { identities, users } from '~/server/database/schema/index'
import type { AccountServiceCode } from '../account-errors'
import { demoUid, findPasswordHash, getUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { newPasswordRefusal } from '../password/new-password.server'
import {
  checkPassword,
  countedForOwner,
  hashPassword,
  passwordsAreFull,
} from '../password/passwords.server'
import { findSession, type RequestContext, userAgentOf } from '../session/session.server'
import { rememberBrowser } from '../sign-in/browser-cookie.server'
import { recordConfirmation } from '../step-up/step-up.server'
import { endOtherDevices } from './devices.server'
import { recordSecurityEvent } from './security-log.server'
import { mailPasswordChanged } from './security-mails.server'

type PasswordChange = { currentPassword: string; password: string; endOthers: boolean }

/**
 * Replaces the password of the signed-in account, and says so by email. Links to reset the former
 * one stop working.
 *
 * @returns null, or why not.
 */
export async function changePassword(
  service: AccountService,
  requestContext: RequestContext,
  { currentPassword, password, endOthers }: PasswordChange,
): Promise<AccountServiceCode | null> {
  const { db } = service
  if (passwordsAreFull()) {
    return 'busy'
  }

  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  const uid = session.userId
  if (uid === demoUid) {
    return 'demo-account'
  }

  const former = await findPasswordHash(db, uid)
  if (!former) {
    return 'invalid-request'
  }

  // Each change sends an email, so they are limited like the emails with a link.
  const right = [{ limit: attemptLimits.resetByAccount, subject: [uid, 'change'] as const }]
  const counted = { ...countedForOwner(uid), right }
  const refused = await checkPassword(
    service,
    requestContext,
    { uid, hash: former },
    currentPassword,
    counted,
  )

  if (refused) {
    return refused
  }

  const user = await getUser(db, uid)
  const weak = await newPasswordRefusal(password, user)
  if (weak) {
    return weak
  }

  const hash = await hashPassword(password)
  if (!hash) {
    return 'busy'
  }

  const changed = await db.transaction(async (tx) => {
    // Locks the account first, like a sign-in that is under way.
    await tx.select({ uid: users.id }).from(users).where(eq(users.id, uid)).for('update')
    // `proven` stays as it is: knowing the password doesn't prove the address.
    const replaced = await tx
      .update(identities)
      .set({ password: hash, updatedAt: new Date() })
      .where(
        and(
          eq(identities.userId, uid),
          eq(identities.providerId, 'credential'),
          eq(identities.password, former),
        ),
      )
      .returning({ id: identities.id })

    if (replaced.length === 0) {
      return false
    }

    await revokeOneTimeTokens(tx, uid, 'reset-password')
    await revokeOneTimeTokens(tx, uid, 'second-step')
    await recordConfirmation(tx, session, service.now())
    if (endOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    await recordSecurityEvent(tx, uid, {
      kind: 'password-changed',
      userAgent: userAgentOf(requestContext),
    })
    await mailPasswordChanged(tx, uid)

    return true
  })

  if (!changed) {
    return 'wrong-password'
  }

  service.mailQueued()
  await rememberBrowser(service, requestContext, uid, hash)

  return null
}
