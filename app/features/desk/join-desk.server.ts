import { isOwnerLink } from '~/features/staff/owner-link.server'
import { joinAsOwner } from '~/features/staff/staff-actions.server'
import { findSignedInPerson } from '~/features/staff/staff-session.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { errorResponse } from '~/server/http/form-response.server'

/** The page behind the link that makes the first owner. */
export type JoinState =
  | { state: 'expired' }
  /** Has to sign in first. */
  | { state: 'visitor'; from: string }
  /** Has to confirm the email address of the account first. */
  | { state: 'unconfirmed'; email: string }
  | { state: 'ready'; name: string; email: string }

const tokenShape = /^[\w-]{43}$/

/** Changes nothing. @returns null if the address has no token: then there is no such page. */
export async function loadJoin(request: Request, url: URL): Promise<JoinState | null> {
  const token = url.searchParams.get('token') ?? ''
  if (!tokenShape.test(token)) {
    return null
  }

  if (!(await isOwnerLink(db, token, await databaseTime(db)))) {
    return { state: 'expired' }
  }

  const visitor = await findSignedInPerson(request)
  if (!visitor) {
    return { state: 'visitor', from: url.pathname + url.search }
  }

  const { name, email, emailVerified } = visitor.user
  if (!emailVerified) {
    return { state: 'unconfirmed', email }
  }

  return { state: 'ready', name, email }
}

/**
 * Makes the signed-in person an owner.
 *
 * @returns null if there is no such page, true if the person is an owner now, otherwise why not
 */
export async function joinDesk(request: Request, url: URL) {
  const token = url.searchParams.get('token') ?? ''
  const person = tokenShape.test(token) ? await findSignedInPerson(request) : null
  if (!person) {
    return null
  }

  const now = await databaseTime(db)
  const result = await joinAsOwner({ db, now }, person.user, token)
  return result.ok ? true : errorResponse(result.problem)
}
