import { isAPIError } from 'better-auth/api'
import { findUser, sessionUser, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { handOnCookies } from './session-cookies.server'
import type { SessionUser } from './session-user'
import type { Visit } from './visit.server'

/**
 * The session of a request, or null.
 *
 * @param refresh lets a session that is in use go on for another 30 days.
 * @throws while the database fails, so no one is told they are signed out.
 */
export async function findSession(service: AccountService, visit: Visit, refresh = false) {
  if (!visit.headers.has('cookie')) return null
  const query = { disableRefresh: !refresh }
  try {
    const found = await service.auth.api.getSession({ headers: visit.headers, query, returnHeaders: true })
    await handOnCookies(service, found.headers, visit.cookies)
    return found.response?.session ?? null
  } catch (error) {
    // It ended while its time was being written.
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') return null
    throw error
  }
}

/** Who is signed in; null for nobody, and for an account that is disabled. */
export async function findSignedInUser(
  service: AccountService,
  visit: Visit,
  refresh = false,
): Promise<UserRow | null> {
  const session = await findSession(service, visit, refresh)
  const user = session && (await findUser(service.db, session.userId))
  return user && !user.banned ? user : null
}

/** The current user, as a browser asks for it. */
export async function readSession(service: AccountService, visit: Visit): Promise<{ user: SessionUser | null }> {
  const user = await findSignedInUser(service, visit, true)
  return { user: user && sessionUser(user) }
}

/** Ends this browser's session; again is harmless. */
export async function signOut(service: AccountService, visit: Visit): Promise<null> {
  const { headers } = await service.auth.api.endSession({ headers: visit.headers, returnHeaders: true })
  await handOnCookies(service, headers, visit.cookies)
  return null
}
