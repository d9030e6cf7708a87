import type { UserRow } from '~/features/accounts/account-queries.server'
import { findUser } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { findSession, openRequestContext } from '~/features/accounts/session/session.server'
import { db } from '~/server/database/client.server'
import { findStaff, type Staff } from './staff-queries.server'

/** Somebody who is signed in, with their role if they are staff. */
export type Visitor = { user: UserRow; staff: Staff | null; signedInAt: Date }

/** @returns null for a visitor who is not signed in, and for a disabled account. */
export async function findVisitor(request: Request): Promise<Visitor | null> {
  const session = await findSession(accountService, openRequestContext(request))
  if (!session) return null
  const [user, staff] = await Promise.all([findUser(db, session.userId), findStaff(db, session.userId)])
  return user && !user.banned ? { user, staff, signedInAt: new Date(session.createdAt) } : null
}

const recentMinutes = 15

/** Acts on money, people and roles want a recent sign-in, so that a browser that was left open is not enough. */
export function hasRecentSignIn({ signedInAt }: Pick<Visitor, 'signedInAt'>, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() <= recentMinutes * 60_000
}
