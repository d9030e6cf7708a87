import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { users } from '~/server/database/schema/index'
import type { AccountServiceCode } from '../account-errors'
import { type SessionUser, sessionUser, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { isSharedDemo } from '../demo-account.server'
import { nameField, profileFields } from '../form/form-schemas'
import { findSignedInUser, type RequestContext } from '../session/session.server'
import { lacksRequiredTwoFactor } from '../two-factor/required-two-factor.server'

const { firstName, phone, location, timezone } = profileFields
const fields = {
  firstName: z.pipe(z.string(), firstName),
  lastName: z.pipe(z.string(), nameField('lastName', true)),
  // A form sends '' for an empty field, a document null.
  phone: z.union([z.null(), z.pipe(z.string(), phone)]),
  location: z.union([z.null(), z.pipe(z.string(), location)]),
  timezone: z.nullable(timezone),
}
/** The fields of the document that a learner may write; the product writes all others. */
export const wholeDocument = z.strictObject(fields)
export const partOfDocument = z.partial(
  z.strictObject({ ...fields, lastLoginAt: z.iso.datetime() }),
)

/** The learner's own document; any other is refused. */
export async function readUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountServiceCode | { user: SessionUser }> {
  const user = await findOwner(service, requestContext, uid)
  return typeof user === 'string' ? user : { user: sessionUser(user) }
}

/**
 * Writes all or some of one's own document; `displayName` follows the names.
 *
 * @returns null, or why not.
 */
export async function writeUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  { lastLoginAt, ...changes }: z.infer<typeof partOfDocument>,
  uid: string,
): Promise<AccountServiceCode | null> {
  const user = await findOwner(service, requestContext, uid)
  if (typeof user === 'string') {
    return user
  }

  if (changes.lastName === '' && user.lastName !== '') {
    return 'invalid-request'
  }

  if (isSharedDemo(uid) && Object.keys(changes).length > 0) {
    return 'demo-account'
  }

  const { firstName, lastName } = { ...user, ...changes }
  const now = new Date()
  // A learner may only report being here now, not in the past or future.
  const set = {
    ...changes,
    ...(lastLoginAt && { lastLoginAt: now }),
    name: `${firstName} ${lastName}`.trim(),
    updatedAt: now,
  }

  await service.db.update(users).set(set).where(eq(users.id, uid))

  return null
}

async function findOwner(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountServiceCode | UserRow> {
  const user = await findSignedInUser(service, requestContext)
  if (!user) {
    return 'not-signed-in'
  }

  return user.id !== uid || (await lacksRequiredTwoFactor(service.db, uid)) ? 'forbidden' : user
}
