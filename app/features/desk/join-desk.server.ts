import { audited } from '~/features/staff/audit.server'
import { becomeOwner, isOwnerLink } from '~/features/staff/owner-link.server'
import { findSignedInPerson } from '~/features/staff/staff-session.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { StartError } from '~/server/env.server'
import { errorResponse } from '~/server/http/form-response.server'

/** The page behind the link that makes the first owner. */
export type JoinState =
  | { state: 'expired' }
  /** Has to sign in first. */
  | { state: 'visitor'; from: string }
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

  const { name, email } = visitor.user

  return { state: 'ready', name, email }
}

/**
 * @returns null if there is no such page; true if the visitor is an owner now; otherwise why not.
 */
export async function joinDesk(request: Request, url: URL) {
  const token = url.searchParams.get('token') ?? ''
  const visitor = tokenShape.test(token) ? await findSignedInPerson(request) : null
  if (!visitor) {
    return null
  }

  const now = await databaseTime(db)
  try {
    await audited(db, { by: visitor.user.id, act: 'staff join' }, async (transaction) => {
      if (!(await becomeOwner(transaction, visitor.user, token, now))) {
        throw new StartError(usedLink)
      }

      return {
        subject: visitor.user.id,
        arguments: { role: 'owner' },
        outcome: 'The account is an owner, by a link.',
      }
    })

    return true
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error
    }

    return errorResponse(error.message)
  }
}

const usedLink = 'This link was used already, or it is too old.'
