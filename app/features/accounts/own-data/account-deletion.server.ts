import { eq, sql } from 'drizzle-orm'
import { redirect } from 'react-router'
import * as z from 'zod/mini'
import type { Database, Statements } from '~/server/database/client.server'
import {
  identities,
  importRows,
  reviews,
  reviewVotes,
  users,
  verifications,
} from '~/server/database/schema/index'
import { type FileStore, fileNameOf } from '~/server/files/files.server'
import { isSubmittedWithoutScript, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'
import type { AccountErrorCode } from '../account-errors'
import { demoUid } from '../account-queries.server'
import { passwordLength } from '../account-rules'
import { accountErrorResponse, accountService } from '../account-service.server'
import { checkForm } from '../form/form-result'
import { confirmOwner } from '../password/passwords.server'
import { createRequestContext, signOut } from '../session/session.server'
import { type ProviderName, toProviderName } from '../social/social-providers.server'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'

/** Called in the same transaction when courses lose ratings. */
export type RatingsChange = (
  transaction: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
) => Promise<void>

/**
 * Deletes an account and all of its data except the tables in `keptAfterDeletion`, in the caller's
 * transaction.
 *
 * @returns the photo's file, to be removed after the commit; null if the account doesn't exist.
 */
export async function deleteAccount(
  transaction: Statements,
  ratingsChange: RatingsChange,
  uid: string,
): Promise<{ photo: string | null } | null> {
  // Orders first, as everything does that happens to them: a receipt that is being written loses
  // its person, too.
  await transaction.execute(sql`select from orders where uid = ${uid} for update`)
  const [user] = await transaction.select().from(users).where(eq(users.id, uid)).for('update')
  if (!user) {
    return null
  }

  // Other people's votes on this learner's reviews. No foreign key can cover them, because reviews
  // from the content get votes, too.
  const courses = await listReviewedCourses(transaction, uid)
  await transaction.execute(sql`
    delete from review_votes v using reviews r where r.uid = ${uid} and v.course_id = r.course_id and v.review_id = r.id`)
  await transaction.delete(verifications).where(eq(verifications.value, uid))
  await forgetBuyer(transaction, uid)
  await transaction.delete(importRows).where(eq(importRows.address, user.email))
  await transaction.delete(users).where(eq(users.id, uid))
  if (!user.banned) {
    await queueMailWith(transaction, null, 'account-deleted', { formerAddress: user.email })
  }

  if (courses.length > 0) {
    await ratingsChange(transaction, courses)
  }

  return { photo: fileNameOf(user.image) }
}

/**
 * Orders and receipts stay, because the law wants them, without the person. A company's name and
 * tax number stay, too, and a gift that was paid can be redeemed.
 */
async function forgetBuyer(transaction: Statements, uid: string): Promise<void> {
  await transaction.execute(sql`
    update receipts set document = jsonb_set(document, '{buyer}', (document -> 'buyer') - 'name' - 'email' - 'address')
    where order_id in (select id from orders where uid = ${uid})`)
  await transaction.execute(sql`
    delete from receipt_files f using receipts r join orders o on o.id = r.order_id where f.number = r.number and o.uid = ${uid}`)
  await transaction.execute(
    sql`update gifts set recipient_email = null, sender_name = '', message = '' where uid = ${uid}`,
  )
  await transaction.execute(
    sql`update orders set buyer = buyer - 'name' - 'email' - 'address' where uid = ${uid}`,
  )
}

/** Courses whose pages show something by the learner: a review or a vote. */
async function listReviewedCourses(db: Pick<Database, 'select'>, uid: string): Promise<string[]> {
  const own = db.select({ id: reviews.courseId }).from(reviews).where(eq(reviews.uid, uid))
  const votes = db
    .select({ id: reviewVotes.courseId })
    .from(reviewVotes)
    .where(eq(reviewVotes.uid, uid))
  return (await own.union(votes)).map(({ id }) => id)
}

type Parts = {
  db: Database
  files: Pick<FileStore, 'remove'>
  ratingsChange: RatingsChange
  /** Asked in the same transaction, before anything is locked: such an account isn't deleted. */
  isOnlyOwner(transaction: Pick<Statements, 'execute'>, uid: string): Promise<boolean>
}

/** Tells the settings page which proof to ask for. */
export type Ownership = {
  password: boolean
  providers: ProviderName[]
  twoStep: boolean
  demo: boolean
}

export async function getOwnership(db: Database, uid: string): Promise<Ownership> {
  const rows = await db
    .select({ provider: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const has = (id: string) => rows.some(({ provider }) => provider === id)
  const providers = accountService.providers.filter(({ id }) => has(id)).map(toProviderName)
  const twoStep = await hasTwoFactor(db, uid)

  return { password: has('credential'), providers, twoStep, demo: uid === demoUid }
}

/**
 * `uid` is whose page the form stood on: a session that changed meanwhile deletes no one. Accounts
 * without a password send none.
 */
const deletionForm = z.strictObject({
  uid: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z._default(z.string().check(z.maxLength(passwordLength.max)), ''),
})

/**
 * The action of 'Delete my account'. Without scripts it leads to the login page, or back with the
 * reason in the address. The session's cookies are removed with the account.
 */
export async function answerDeletion(parts: Parts, request: Request) {
  const { data: wanted } = checkForm(deletionForm, await readForm(request))
  const requestContext = createRequestContext(request)
  const code = wanted
    ? await confirmOwner(accountService, requestContext, wanted)
    : 'invalid-request'
  if (code || !wanted) {
    return refuseDeletion(code ?? 'invalid-request')
  }

  if ((await deleteOwnAccount(parts, wanted.uid)) === 'only-owner') {
    return refuseDeletion('only-owner')
  }

  accountService.wakeEmailSender()
  await signOut(accountService, requestContext)

  return successResponse(
    {},
    { headers: requestContext.responseCookies, page: '/Login?notice=account-deleted' },
  )
}

function refuseDeletion(code: AccountErrorCode) {
  if (isSubmittedWithoutScript()) {
    throw redirect(`/Profile/settings?${new URLSearchParams({ refused: code })}#own-data`, 303)
  }

  return accountErrorResponse(code)
}

/**
 * Deletes an account, and the file of its photo.
 *
 * @returns null, or why not.
 */
export async function deleteOwnAccount(
  { db, files, ratingsChange, isOnlyOwner }: Parts,
  uid: string,
): Promise<'only-owner' | 'user-not-found' | null> {
  const removed = await db.transaction(async (transaction) =>
    (await isOnlyOwner(transaction, uid))
      ? 'only-owner'
      : deleteAccount(transaction, ratingsChange, uid),
  )

  if (removed === 'only-owner') {
    return removed
  }

  if (!removed) {
    return 'user-not-found'
  }

  // The account is deleted either way, and the address of a photo that remains can't be guessed.
  if (removed.photo) {
    await files.remove(removed.photo).catch((error) => reportError(error))
  }

  return null
}
