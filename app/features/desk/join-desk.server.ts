/** The page behind a link that makes the signed-in person an owner. */
import { isOwnerLink } from '~/features/staff/owner-link.server'
import { joinAsOwner } from '~/features/staff/role-actions.server'
import { findSignedInPerson } from '~/features/staff/staff-session.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import type { Result } from '~/server/result'

/** What the page asks for next. */
export type JoinStep =
  | { step: 'expired' }
  /** The visitor has to sign in first. */
  | { step: 'sign-in'; from: string }
  /** The person has to confirm the email address of their account first. */
  | { step: 'confirm-email'; email: string }
  | { step: 'ready'; name: string; email: string }

/** Loads the page without using the link. Returns null if the URL has no token. */
export async function loadJoinPage(request: Request, url: URL): Promise<JoinStep | null> {
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
 * @returns null if the URL has no token, or nobody is signed in
 */
export async function joinDesk(request: Request, url: URL): Promise<Result<object> | null> {
  const token = readToken(url)
  if (token === null) {
    return null
  }

  const person = await findSignedInPerson(request)
  if (person === null) {
    return null
  }

  const now = await databaseTime(db)
  return joinAsOwner({ db, now }, person.user, token)
}

const tokenPattern = /^[\w-]{43}$/

function readToken(url: URL): string | null {
  const token = url.searchParams.get('token') ?? ''
  return tokenPattern.test(token) ? token : null
}
