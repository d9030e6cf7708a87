import { findUser, type UserRow } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { findSession } from '~/features/accounts/session/session.server'
import { isSessionRecentlyConfirmed } from '~/features/accounts/step-up/step-up.server'
import { db } from '~/server/database/client.server'
import { findStaff, type StaffMember } from './staff-queries.server'

/** Someone who is signed in. `staff` is null for a learner without a role at the desk. */
export type SignedInPerson = {
  user: UserRow
  staff: StaffMember | null
  session: { id: string; userId: string }
}

/** Returns the person who is signed in, or null for a visitor or a disabled account. */
export async function findSignedInPerson(request: Request): Promise<SignedInPerson | null> {
  const session = await findSession(accountService, createRequestContext(request))
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
 * Returns whether the person proved their identity within the last 15 minutes. Actions on money,
 * people and roles require it, because someone else may use a browser in which a member of staff is
 * signed in.
 */
export function hasRecentSignIn({ session }: Pick<SignedInPerson, 'session'>): Promise<boolean> {
  return isSessionRecentlyConfirmed(accountService, session)
}
