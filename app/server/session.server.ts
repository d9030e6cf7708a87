import { redirect } from 'react-router'
import type { SessionUser } from './auth/account-codes'
import { accountService } from './auth.server'

/** Who is signed in, or null. */
export function findLearner(request: Request): Promise<SessionUser | null> {
  return accountService.findLearner(request)
}

/** The session's token by the signed cookie alone: the caller's own statement has to check that the session stands. */
export function findSessionToken(request: Request): Promise<string | null> {
  return accountService.findSessionToken(request)
}

/** Guards pages and actions of signed-in learners. @throws a redirect to /Login, which leads back afterwards. */
export async function requireLearner(request: Request): Promise<SessionUser> {
  const learner = await findLearner(request)
  if (learner) return learner
  const { pathname, search } = new URL(request.url)
  // /Profile is where signing in leads anyway.
  throw redirect(pathname === '/Profile' ? '/Login' : `/Login?${new URLSearchParams({ from: pathname + search })}`)
}
