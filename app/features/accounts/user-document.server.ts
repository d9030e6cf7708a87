/**
 * The user document of the specification: the fields of an account that its learner reads and
 * writes through the API. A learner has access to their own document only.
 */
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { users } from '~/server/database/schema/index'
import type { AccountErrorCode } from './account-errors'
import type { UserRow } from './account-queries.server'
import type { AccountService } from './account-service.server'
import { isSharedDemo } from './demo-account.server'
import { nameField, profileFields } from './form/form-schemas'
import type { RequestContext } from './session/request-context.server'
import { findSignedInUser } from './session/session.server'
import { type SessionUser, toSessionUser } from './session/session-user.server'
import { shouldSetUpTwoFactor } from './two-factor/required-two-factor.server'

const { firstName, phone, location, timezone } = profileFields
/** The fields that a learner may write. In a document, unlike in a form, an empty field is null. */
const writableFields = {
  firstName: z.pipe(z.string(), firstName),
  lastName: z.pipe(z.string(), nameField('lastName', true)),
  phone: z.union([z.null(), z.pipe(z.string(), phone)]),
  location: z.union([z.null(), z.pipe(z.string(), location)]),
  timezone: z.nullable(timezone),
}
/** A document with all writable fields. */
export const completeDocument = z.strictObject(writableFields)
/** A document with any of the writable fields. */
export const partialDocument = z.partial(
  z.strictObject({ ...writableFields, lastLoginAt: z.iso.datetime() }),
)

/** @returns the document, or an error code if it is not the learner's own */
export async function readUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountErrorCode | { user: SessionUser }> {
  const user = await findDocumentOwner(service, requestContext, uid)
  return typeof user === 'string' ? user : { user: toSessionUser(user) }
}

/**
 * Writes all or some fields of the learner's own document. The display name is derived from the
 * names.
 *
 * @returns null if the document was written, otherwise an error code
 */
export async function writeUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  { lastLoginAt, ...changes }: z.infer<typeof partialDocument>,
  uid: string,
): Promise<AccountErrorCode | null> {
  const user = await findDocumentOwner(service, requestContext, uid)
  if (typeof user === 'string') {
    return user
  }

  const isLastNameRemoved = changes.lastName === '' && user.lastName !== ''
  if (isLastNameRemoved) {
    return 'invalid-request'
  }

  if (isSharedDemo(uid) && Object.keys(changes).length > 0) {
    return 'demo-account'
  }

  const { firstName, lastName } = { ...user, ...changes }
  const now = new Date()
  await service.db
    .update(users)
    .set({
      ...changes,
      // The submitted time is ignored, so that a learner can't report an earlier or later sign-in.
      ...(lastLoginAt && { lastLoginAt: now }),
      name: `${firstName} ${lastName}`.trim(),
      updatedAt: now,
    })
    .where(eq(users.id, uid))

  return null
}

/** @returns the signed-in account, or an error code if the document belongs to another account */
async function findDocumentOwner(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountErrorCode | UserRow> {
  const user = await findSignedInUser(service, requestContext)
  if (!user) {
    return 'not-signed-in'
  }

  if (user.id !== uid || (await shouldSetUpTwoFactor(service.db, uid))) {
    return 'forbidden'
  }

  return user
}
