/** What operators and staff see of accounts, and how they create and change them. */
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import {
  identities,
  type MailKind,
  outbox,
  passkeys,
  sessions,
  users,
} from '~/server/database/schema/index'
import { queueMail, queueMails, queueMailWith } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import {
  demoUid,
  endSessions,
  findUser,
  findUserByEmail,
  generateId,
  type UserRow,
} from './account-queries.server'
import type { AttemptCounter } from './attempt-counter.server'
import { attemptLimits } from './attempt-limits.server'
import {
  findEmailProblem,
  getStoredForms,
  toCanonicalEmail,
} from './email-address/email-address.server'
import { nameField } from './form/form-schemas'
import { revokeOneTimeTokens } from './one-time-tokens.server'
import { listSecurityEvents, recordSecurityEvent } from './security/security-log.server'
import { mailSecurityChange } from './security/security-mails.server'
import { hasTwoFactor, removeAuthenticatorApp } from './two-factor/authenticator-app.server'

/** @returns a failure with a sentence for the operator if there is no such account */
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

/** What each limit counts, by the name of the limit, as operators read it. */
const limitDescriptions: Record<string, string> = {
  [attemptLimits.wrongPasswordByAccount.name]: 'wrong passwords',
  [attemptLimits.wrongPasswordByBrowser.name]: 'wrong passwords from a known browser',
  [attemptLimits.signInByAccountAndClient.name]: 'sign-ins from one address',
  [attemptLimits.confirmationByAccount.name]: 'confirmation emails',
  [attemptLimits.signInCodeByAccount.name]: 'wrong codes of the second step',
  [attemptLimits.exportByAccount.name]: 'downloads of own data',
  [attemptLimits.resetByAccount.name]: 'password reset emails',
  [attemptLimits.photoByAccount.name]: 'profile photos',
  [attemptLimits.testMailByAccount.name]: 'test emails of the desk',
  [attemptLimits.reissueByAccount.name]: 'reissued certificates',
  [attemptLimits.deviceMailByAccount.name]: 'emails about new devices',
}

/** Returns what operators see of an account beyond its record. It has no token and no hash. */
export async function describeAccount(db: Database, attempts: AttemptCounter, uid: string) {
  return {
    sessions: await listSessions(db, uid),
    ways: await listSignInMethods(db, uid),
    twoStep: await hasTwoFactor(db, uid),
    mails: await listQueuedEmails(db, uid),
    counted: await listAttempts(attempts, uid),
    events: await listSecurityEvents(db, uid),
  }
}

function listSessions(db: Database, uid: string) {
  return db
    .select({
      since: sessions.createdAt,
      lastUsedAt: sessions.updatedAt,
      expiresAt: sessions.expiresAt,
      browser: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.updatedAt))
}

async function listSignInMethods(db: Database, uid: string) {
  const identityMethods = await db
    .select({
      provider: identities.providerId,
      since: identities.createdAt,
      proven: identities.proven,
    })
    .from(identities)
    .where(eq(identities.userId, uid))
    .orderBy(identities.createdAt)
  const passkeyRows = await db
    .select({ since: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
  const passkeyMethods = passkeyRows.map(({ since }) => ({
    provider: 'passkey',
    since,
    proven: true,
  }))

  return [...identityMethods, ...passkeyMethods]
}

function listQueuedEmails(db: Database, uid: string) {
  return db
    .select({
      kind: outbox.kind,
      dueAt: outbox.dueAt,
      failedAt: outbox.failedAt,
      reason: outbox.reason,
    })
    .from(outbox)
    .where(eq(outbox.uid, uid))
    .orderBy(outbox.dueAt)
}

async function listAttempts(attempts: AttemptCounter, uid: string) {
  const counts = await attempts.list(uid)

  return counts.map(({ limit, count, endsAt }) => ({
    what: limitDescriptions[limit.name] ?? limit.name,
    count: Math.min(count, limit.max),
    max: limit.max,
    refused: count >= limit.max,
    endsAt,
  }))
}

/** The error code of PostgreSQL for a value that another row has in a unique column. */
const uniqueViolation = '23505'
const emailTakenProblem = 'Another account has this email address.'

/**
 * Gives an account another email, and sends a confirmation link to it. Links that were sent to the
 * previous email stop working. The previous email gets a notice if it was confirmed. The learner can
 * sign in as before until the new email is confirmed (`recordOwnerProof`).
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

  try {
    await tx
      .update(users)
      .set({ email, emailVerified: false, emailVerifiedAt: null, updatedAt: new Date() })
      .where(eq(users.id, user.id))
  } catch (error) {
    const databaseError = (error as { cause?: { code?: string } }).cause
    if (databaseError?.code !== uniqueViolation) {
      throw error
    }

    // Another account got the email since it was looked up.
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
  // The password is an identity as well, but not one of a provider.
  const isOfProvider = and(
    eq(identities.userId, uid),
    eq(identities.providerId, providerId),
    ne(identities.providerId, 'credential'),
  )
  const deleted = await tx.delete(identities).where(isOfProvider).returning({ id: identities.id })
  if (deleted.length === 0) {
    return false
  }

  await endSessions(tx, uid)
  await recordSecurityEvent(tx, uid, {
    kind: 'sign-in-method-removed',
    way: providerId,
    userAgent: null,
  })
  await mailSecurityChange(tx, uid, 'way-removed')

  return true
}

const resendableEmails = [
  'confirmation',
  'reset',
  'welcome',
  'invitation',
] as const satisfies MailKind[]

/**
 * Queues an email that a learner says never came. The rate limits of emails don't apply, because they
 * are for learners.
 */
export async function resendEmail(
  tx: Statements,
  user: UserRow,
  submittedKind: string,
): Promise<Result> {
  const kind = resendableEmails.find((each) => each === submittedKind)
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

export function isDemoAccount({ id }: Pick<UserRow, 'id'>): boolean {
  return id === demoUid
}

export const demoAccountProblem =
  'The demo account belongs to Learnify. To turn it off, set DEMO_ACCOUNT=off.'

type NewAccount = { email: string; firstName: string; lastName: string }

const firstNameField = nameField('firstName')
const lastNameField = nameField('lastName')

/**
 * Returns a sentence for each error in the data of a new account. The last name may be empty, as in
 * accounts that Google created.
 */
export function findAccountProblems({ email, firstName, lastName }: NewAccount): string[] {
  const problems: string[] = []
  const emailProblem = findEmailProblem(email)
  if (emailProblem) {
    problems.push(emailProblem)
  }

  const firstNameIssue = firstNameField.safeParse(firstName).error?.issues[0]
  if (firstNameIssue) {
    problems.push(`first_name: ${firstNameIssue.message}.`)
  }

  const lastNameIssue = lastNameField.safeParse(lastName).error?.issues[0]
  if (lastName !== '' && lastNameIssue) {
    problems.push(`last_name: ${lastNameIssue.message}.`)
  }

  return problems
}

/**
 * Returns the existing accounts by their email.
 *
 * @param emails in their canonical form, like the keys of the result
 */
export async function findAccountsByEmail(
  db: Pick<Database, 'select'>,
  emails: readonly string[],
): Promise<Map<string, { uid: string; disabled: boolean }>> {
  if (emails.length === 0) {
    return new Map()
  }

  const canonicalByStoredForm = new Map(
    emails.flatMap((email) => getStoredForms(email).map((storedForm) => [storedForm, email])),
  )
  const accounts = await db
    .select({ uid: users.id, email: users.email, disabled: users.banned })
    .from(users)
    .where(inArray(users.email, [...canonicalByStoredForm.keys()]))

  return new Map(
    accounts.map(({ email, ...account }) => [canonicalByStoredForm.get(email) ?? email, account]),
  )
}

/**
 * Creates accounts without a sign-in method, and queues an email for each, with a link to choose a
 * password. The emails are sent with a pause after each, and after the invitations that wait already.
 *
 * @returns the uids by email. An email that got an account meanwhile is left out.
 */
export async function inviteAccounts(
  tx: Statements,
  accounts: readonly NewAccount[],
  { now, pauseMs }: { now: Date; pauseMs: number },
): Promise<Map<string, string>> {
  if (accounts.length === 0) {
    return new Map()
  }

  const newUsers = accounts.map((account) => ({
    ...account,
    id: generateId(),
    name: `${account.firstName} ${account.lastName}`.trim(),
    lastLoginAt: null,
  }))
  const createdUsers = await tx
    .insert(users)
    .values(newUsers)
    .onConflictDoNothing({ target: users.email })
    .returning({ uid: users.id, email: users.email })

  const nextInvitationMs = (await findLastInvitationMs(tx)) + pauseMs
  const firstEmailMs = Math.max(now.getTime(), nextInvitationMs)
  const emails = createdUsers.map(({ uid }, index) => ({
    uid,
    dueAt: firstEmailMs + index * pauseMs,
  }))
  await queueMails(tx, 'invitation', emails, now.getTime())

  return new Map(createdUsers.map(({ uid, email }) => [email, uid]))
}

/**
 * Returns when the last waiting invitation is due, in milliseconds since 1970, or 0 if no invitation
 * waits.
 */
export async function findLastInvitationMs(db: Pick<Database, 'select'>): Promise<number> {
  const isWaitingInvitation = and(eq(outbox.kind, 'invitation'), eq(outbox.attempts, 0))
  const [row] = await db
    .select({
      dueMs: sql<number>`coalesce(extract(epoch from max(${outbox.dueAt})) * 1000, 0)::float8`,
    })
    .from(outbox)
    .where(isWaitingInvitation)

  return row?.dueMs ?? 0
}

/**
 * Returns the names and emails of accounts by their uid.
 *
 * @param uids at most some thousands
 */
export async function listAccountNames(db: Pick<Database, 'select'>, uids: readonly string[]) {
  const accounts = await db
    .select({
      uid: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(users)
    .where(inArray(users.id, [...uids]))

  return new Map(accounts.map((account) => [account.uid, account]))
}

/**
 * Returns a batch of accounts in the order of their uids.
 *
 * @param previousUid the last uid of the previous batch; an empty text for the first batch
 */
export function listAccounts(db: Pick<Database, 'select'>, previousUid: string, limit: number) {
  return db.select().from(users).where(gt(users.id, previousUid)).orderBy(users.id).limit(limit)
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
