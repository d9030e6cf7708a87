import { isOwnerLink } from '~/features/staff/owner-link.server'
import { joinAsOwner } from '~/features/staff/role-actions.server'
import { findSignedInPerson } from '~/features/staff/staff-session.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { errorResponse } from '~/server/http/form-response.server'

/** What the page behind the link for the first owner shows. */
export type JoinStep =
  | { step: 'expired' }
  /** The visitor has to sign in first. */
  | { step: 'sign-in'; from: string }
  /** The person has to confirm the email address of their account first. */
  | { step: 'confirm-email'; email: string }
  | { step: 'ready'; name: string; email: string }

/** Loads the page without changing anything. Returns null if the URL has no token. */
export async function loadJoin(request: Request, url: URL): Promise<JoinStep | null> {
  const token = readToken(url)
  if (token === null) {
    return null
  }

  const isValid = await isOwnerLink(db, token, await databaseTime(db))
  if (!isValid) {
    return { step: 'expired' }
  }

  const person = await findSignedInPerson(request)
  if (!person) {
    return { step: 'sign-in', from: url.pathname + url.search }
  }

  const { name, email, emailVerified } = person.user
  if (!emailVerified) {
    return { step: 'confirm-email', email }
  }

  return { step: 'ready', name, email }
}

/**
 * Makes the signed-in person an owner.
 *
 * @returns true if the person is an owner now, null if the URL has no token or nobody is signed in,
 *   or else the response that says why the link was refused
 */
export async function joinDesk(request: Request, url: URL) {
  const token = readToken(url)
  const person = token === null ? null : await findSignedInPerson(request)
  if (token === null || !person) {
    return null
  }

  const now = await databaseTime(db)
  const result = await joinAsOwner({ db, now }, person.user, token)
  return result.ok ? true : errorResponse(result.problem)
}

const tokenShape = /^[\w-]{43}$/

function readToken(url: URL): string | null {
  const token = url.searchParams.get('token') ?? ''
  return tokenShape.test(token) ? token : null
}
