/** The changes that operators and staff make in accounts. */
import { and, eq, ne } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities, type MailKind, users } from '~/server/database/schema/index'
import { queueMail, queueMailWith } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import {
  demoUid,
  endSessions,
  findUser,
  findUserByEmail,
  type UserRow,
} from './account-queries.server'
import { findEmailProblem, toCanonicalEmail } from './email-address/email-address.server'
import { revokeOneTimeTokens } from './one-time-tokens.server'
import { passwordProviderId } from './password/password-queries.server'
import { recordSecurityEvent } from './security/security-log.server'
import { mailSecurityChange } from './security/security-mails.server'
import { removeAuthenticatorApp } from './two-factor/authenticator-app.server'

/**
 * Finds an account by its email or its uid.
 *
 * @returns a failure with a sentence for the operator if there is no such account
 */
export async function findAccount(
  db: Pick<Database, 'select'>,
  emailOrUid: string,
): Promise<Result<UserRow>> {
  const identifier = emailOrUid.trim()
  if (identifier.includes('@')) {
    const user = await findUserByEmail(db, identifier)
    return user ? success(user) : failure(`No account has the email address '${identifier}'.`)
  }

  const user = await findUser(db, identifier)
  return user ? success(user) : failure(`No account has the uid '${identifier}'.`)
}

export function isDemoAccount({ id }: Pick<UserRow, 'id'>): boolean {
  return id === demoUid
}

export const demoAccountProblem =
  'The demo account belongs to Learnify. To turn it off, set DEMO_ACCOUNT=off.'

const emailTakenProblem = 'Another account has this email address.'

/**
 * Gives an account another email, and sends a confirmation link to it. Links that were sent to the
 * previous email stop working. The previous email gets a notice if it was confirmed. The learner
 * can sign in as before until the new email is confirmed (`recordOwnerProof`).
 */
export async function changeEmail(
  tx: Statements,
  user: UserRow,
  submittedEmail: string,
): Promise<Result> {
  if (isDemoAccount(user)) {
    return failure(demoAccountProblem)
  }

  const email = toCanonicalEmail(submittedEmail)
  if (!email) {
    return failure(findEmailProblem(submittedEmail) ?? 'Invalid email address')
  }

  if (email === user.email) {
    return failure('The account already has this email address.')
  }

  const otherAccount = await findUserByEmail(tx, email)
  if (otherAccount && otherAccount.id !== user.id) {
    return failure(emailTakenProblem)
  }

  const isStored = await storeUnconfirmedEmail(tx, user.id, email)
  if (!isStored) {
    return failure(emailTakenProblem)
  }

  await tx.update(identities).set({ proven: false }).where(eq(identities.userId, user.id))
  await revokeOneTimeTokens(tx, user.id)
  await recordSecurityEvent(tx, user.id, { kind: 'address-changed', userAgent: null })
  if (user.emailVerified) {
    await queueMailWith(tx, user.id, 'address-changed', { formerAddress: user.email })
  }

  await queueMail(tx, user.id, 'confirmation')

  return success()
}

/** The error code of PostgreSQL for a value that another row has in a unique column. */
const uniqueViolation = '23505'

/** @returns false if another account got the email since it was looked up */
async function storeUnconfirmedEmail(tx: Statements, uid: string, email: string): Promise<boolean> {
  try {
    await tx
      .update(users)
      .set({ email, emailVerified: false, emailVerifiedAt: null, updatedAt: new Date() })
      .where(eq(users.id, uid))
    return true
  } catch (error) {
    const databaseError = (error as { cause?: { code?: string } }).cause
    if (databaseError?.code !== uniqueViolation) {
      throw error
    }

    return false
  }
}

/**
 * Removes a provider from an account, and signs it out everywhere.
 *
 * @returns false if the account doesn't use that provider
 */
export async function removeIdentity(
  tx: Statements,
  uid: string,
  providerId: string,
): Promise<boolean> {
  // The password is an identity as well, but it does not belong to a provider.
  const isIdentityAtProvider = and(
    eq(identities.userId, uid),
    eq(identities.providerId, providerId),
    ne(identities.providerId, passwordProviderId),
  )
  const deleted = await tx
    .delete(identities)
    .where(isIdentityAtProvider)
    .returning({ id: identities.id })
  if (deleted.length === 0) {
    return false
  }

  await endSessions(tx, uid)
  await recordSecurityEvent(tx, uid, {
    kind: 'sign-in-method-removed',
    signInMethod: providerId,
    userAgent: null,
  })
  await mailSecurityChange(tx, uid, 'way-removed')

  return true
}

/**
 * Turns two-step sign-in off for a learner who lost the phone and the recovery codes.
 *
 * @returns false if the account had no two-step sign-in
 */
export async function turnOffTwoFactorByOperator(tx: Statements, uid: string): Promise<boolean> {
  if (!(await removeAuthenticatorApp(tx, uid))) {
    return false
  }

  await endSessions(tx, uid)
  await recordSecurityEvent(tx, uid, { kind: 'two-factor-off', userAgent: null })
  await mailSecurityChange(tx, uid, 'factors-reset')

  return true
}

const resendableEmails = [
  'confirmation',
  'reset',
  'welcome',
  'invitation',
] as const satisfies MailKind[]

/**
 * Queues an email that a learner says never came. The rate limits of emails don't apply, because
 * they are for learners.
 */
export async function resendEmail(
  tx: Statements,
  user: UserRow,
  submittedKind: string,
): Promise<Result> {
  const kind = resendableEmails.find((resendableKind) => resendableKind === submittedKind)
  if (!kind) {
    return failure(
      `There’s no email '${submittedKind}'. Choose one of: ${resendableEmails.join(', ')}.`,
    )
  }

  if (isDemoAccount(user)) {
    return failure(demoAccountProblem)
  }

  if (user.banned) {
    return failure('The account is disabled, so no email goes to it.')
  }

  if (user.emailVerified && kind !== 'reset') {
    return failure('The email address is already confirmed.')
  }

  await queueMail(tx, user.id, kind)

  return success()
}
