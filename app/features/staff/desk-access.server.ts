import type { UserRow } from '~/features/accounts/account-queries.server'
import { findUser } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { findSession, openRequestContext } from '~/features/accounts/session/session.server'
import { isConfirmed } from '~/features/accounts/step-up/step-up.server'
import { db } from '~/server/database/client.server'
import { findStaff, type Staff } from './staff-queries.server'

/** Somebody who is signed in, with their role if they are staff. */
export type Visitor = {
  user: UserRow
  staff: Staff | null
  session: { id: string; userId: string }
}

/** @returns null for a visitor who is not signed in, and for a disabled account. */
export async function findVisitor(request: Request): Promise<Visitor | null> {
  const session = await findSession(accountService, openRequestContext(request))
  if (!session) {
    return null
  }

  const [user, staff] = await Promise.all([
    findUser(db, session.userId),
    findStaff(db, session.userId),
  ])

  return user && !user.banned ? { user, staff, session } : null
}

/**
 * Acts on money, people and roles want a proof of the last 15 minutes that it is still them, so
 * that a browser that was left open is not enough.
 */
export function isStillThem({ session }: Pick<Visitor, 'session'>): Promise<boolean> {
  return isConfirmed(accountService, session)
}
