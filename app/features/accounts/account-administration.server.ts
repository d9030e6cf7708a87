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
import { type AttemptCounter, attemptLimits } from './attempt-limits.server'
import {
  canonicalEmail,
  findEmailProblem,
  getStoredForms,
} from './email-address/email-address.server'
import { nameField } from './form/form-schemas'
import { revokeOneTimeTokens } from './one-time-tokens.server'
import { listSecurityEvents, recordSecurityEvent } from './security/security-log.server'
import { mailSecurityChange } from './security/security-mails.server'
import { hasTwoFactor, removeAuthenticatorApp } from './two-factor/authenticator-app.server'

/** Finds the account with an email address or uid. */
export async function findAccount(
  db: Pick<Database, 'select'>,
  emailOrUid: string,
): Promise<Result<UserRow>> {
  const wanted = emailOrUid.trim()
  const isEmail = wanted.includes('@')
  const user = isEmail ? await findUserByEmail(db, wanted) : await findUser(db, wanted)
  if (user) {
    return success(user)
  }

  return failure(
    isEmail
      ? `No account has the email address '${wanted}'.`
      : `No account has the uid '${wanted}'.`,
  )
}

/** The attempts that each limit counts against an account, for operators. */
const countedTexts: Record<string, string> = {
  [attemptLimits.passwordByAccount.name]: 'wrong passwords',
  [attemptLimits.passwordByBrowser.name]: 'wrong passwords from a known browser',
  [attemptLimits.signInByAccount.name]: 'sign-ins from one address',
  [attemptLimits.confirmationByAccount.name]: 'confirmation emails',
  [attemptLimits.signInCodeByAccount.name]: 'wrong codes of the second step',
  [attemptLimits.exportByAccount.name]: 'downloads of own data',
  [attemptLimits.resetByAccount.name]: 'password reset emails',
  [attemptLimits.photoByAccount.name]: 'profile photos',
  [attemptLimits.testMailByAccount.name]: 'test emails of the desk',
  [attemptLimits.deviceMailByAccount.name]: 'emails about new devices',
}

/** The operator's view of an account beyond its row: no token, no hash. */
export async function describeAccount(db: Database, attempts: AttemptCounter, uid: string) {
  const session = {
    since: sessions.createdAt,
    lastUsedAt: sessions.updatedAt,
    expiresAt: sessions.expiresAt,
  }
  const open = await db
    .select({ ...session, browser: sessions.userAgent })
    .from(sessions)
    .where(sql`${eq(sessions.userId, uid)} and ${gt(sessions.expiresAt, sql`now()`)}`)
    .orderBy(desc(sessions.updatedAt))
  const way = {
    provider: identities.providerId,
    since: identities.createdAt,
    proven: identities.proven,
  }
  const identityWays = await db
    .select(way)
    .from(identities)
    .where(eq(identities.userId, uid))
    .orderBy(identities.createdAt)
  const keys = await db
    .select({ since: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
  const ways = [
    ...identityWays,
    ...keys.map(({ since }) => ({ provider: 'passkey', since, proven: true })),
  ]
  const mail = {
    kind: outbox.kind,
    dueAt: outbox.dueAt,
    failedAt: outbox.failedAt,
    reason: outbox.reason,
  }
  const mails = await db.select(mail).from(outbox).where(eq(outbox.uid, uid)).orderBy(outbox.dueAt)
  const counted = (await attempts.list(uid)).map(({ limit, count, endsAt }) => ({
    what: countedTexts[limit.name] ?? limit.name,
    count: Math.min(count, limit.max),
    max: limit.max,
    refused: count >= limit.max,
    endsAt,
  }))
  const events = await listSecurityEvents(db, uid)

  return { sessions: open, ways, twoStep: await hasTwoFactor(db, uid), mails, counted, events }
}

const uniqueViolation = '23505'
const emailIsTaken = 'Another account has this email address.'

/**
 * Gives an account another email address, which has to be confirmed. A link is emailed to it, and
 * links that were emailed to the old address stop working. The old address gets a notice if it was
 * confirmed. The learner can sign in as before until the new address is confirmed (`proveOwner`).
 */
export async function changeEmail(
  tx: Statements,
  user: UserRow,
  submittedEmail: string,
): Promise<Result> {
  if (isDemoAccount(user)) {
    return failure(demoAccountProblem)
  }

  const email = canonicalEmail(submittedEmail)
  if (!email) {
    return failure(findEmailProblem(submittedEmail) ?? 'Invalid email address')
  }

  if (email === user.email) {
    return failure('The account already has this email address.')
  }

  const otherAccount = await findUserByEmail(tx, email)
  if (otherAccount && otherAccount.id !== user.id) {
    return failure(emailIsTaken)
  }

  const unconfirmed = { emailVerified: false, emailVerifiedAt: null, updatedAt: new Date() }
  try {
    await tx
      .update(users)
      .set({ email, ...unconfirmed })
      .where(eq(users.id, user.id))
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== uniqueViolation) {
      throw error
    }

    // Another account got the address since it was looked up.
    return failure(emailIsTaken)
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
 * @returns false if the account doesn't use that provider.
 */
export async function removeIdentity(
  transaction: Statements,
  uid: string,
  provider: string,
): Promise<boolean> {
  const isIt = and(
    eq(identities.userId, uid),
    eq(identities.providerId, provider),
    ne(identities.providerId, 'credential'),
  )

  if ((await transaction.delete(identities).where(isIt).returning()).length === 0) {
    return false
  }

  await endSessions(transaction, uid)
  await recordSecurityEvent(transaction, uid, {
    kind: 'sign-in-method-removed',
    way: provider,
    userAgent: null,
  })

  await mailSecurityChange(transaction, uid, 'way-removed')

  return true
}

const resendableEmails = [
  'confirmation',
  'reset',
  'welcome',
  'invitation',
] as const satisfies MailKind[]

/**
 * Queues an email that a learner says never came. The limits on emails are for learners, so they
 * don't apply.
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

/** Tells whether this is the demo account, which is the product's own. */
export function isDemoAccount({ id }: Pick<UserRow, 'id'>): boolean {
  return id === demoUid
}

export const demoAccountProblem =
  'The demo account belongs to Learnify. To turn it off, set DEMO_ACCOUNT=off.'

export type NewAccount = { email: string; firstName: string; lastName: string }

const [firstNameField, lastNameField] = [nameField('firstName'), nameField('lastName')]

/**
 * Errors in an account's data, a sentence each. A last name may be missing, as with a sign-in by
 * Google.
 */
export function findAccountProblems({ email, firstName, lastName }: NewAccount): string[] {
  const first = firstNameField.safeParse(firstName).error?.issues[0]?.message
  const last =
    lastName === '' ? undefined : lastNameField.safeParse(lastName).error?.issues[0]?.message
  const wrongNames = [first && `first_name: ${first}.`, last && `last_name: ${last}.`].filter(
    (one) => one !== undefined,
  )

  return [findEmailProblem(email), ...wrongNames].filter((one) => one !== null)
}

/**
 * Which of the addresses have an account.
 *
 * @param emails in their canonical form, like the keys of the result.
 */
export async function findAccountsByEmail(
  db: Pick<Database, 'select'>,
  emails: readonly string[],
): Promise<Map<string, { uid: string; disabled: boolean }>> {
  if (emails.length === 0) {
    return new Map()
  }

  const account = { uid: users.id, email: users.email, disabled: users.banned }
  const wanted = new Map(
    emails.flatMap((email) => getStoredForms(email).map((stored) => [stored, email])),
  )
  const rows = await db
    .select(account)
    .from(users)
    .where(inArray(users.email, [...wanted.keys()]))

  return new Map(rows.map(({ email, ...found }) => [wanted.get(email) ?? email, found]))
}

/**
 * Makes accounts without a way to sign in: each gets an email with a link to choose a password, one
 * after the other with a pause between them, also after those that wait already.
 *
 * @returns the uid by address; an address that got an account meanwhile is left out.
 */
export async function inviteAccounts(
  transaction: Statements,
  accounts: readonly NewAccount[],
  { now, pauseMs }: { now: Date; pauseMs: number },
): Promise<Map<string, string>> {
  if (accounts.length === 0) {
    return new Map()
  }

  const rows = accounts.map((account) => ({
    ...account,
    id: generateId(),
    name: `${account.firstName} ${account.lastName}`.trim(),
    lastLoginAt: null,
  }))
  const made = await transaction
    .insert(users)
    .values(rows)
    .onConflictDoNothing({ target: users.email })
    .returning({ uid: users.id, email: users.email })
  const first = Math.max(now.getTime(), (await lastInvitationAt(transaction)) + pauseMs)
  const mails = made.map(({ uid }, index) => ({ uid, dueAt: first + index * pauseMs }))
  await queueMails(transaction, 'invitation', mails, now.getTime())

  return new Map(made.map(({ uid, email }) => [email, uid]))
}

/** In milliseconds since 1970; 0 if none waits. */
export async function lastInvitationAt(db: Pick<Database, 'select'>): Promise<number> {
  const waiting = and(eq(outbox.kind, 'invitation'), eq(outbox.attempts, 0))
  const [row] = await db
    .select({
      at: sql<number>`coalesce(extract(epoch from max(${outbox.dueAt})) * 1000, 0)::float8`,
    })
    .from(outbox)
    .where(waiting)

  return row?.at ?? 0
}

/** @param uids at most some thousands. */
export async function listAccountNames(db: Pick<Database, 'select'>, uids: readonly string[]) {
  const name = {
    uid: users.id,
    email: users.email,
    firstName: users.firstName,
    lastName: users.lastName,
  }
  const rows =
    uids.length === 0
      ? []
      : await db
          .select(name)
          .from(users)
          .where(inArray(users.id, [...uids]))

  return new Map(rows.map((row) => [row.uid, row]))
}

/** Accounts by uid, a part at a time. @param after the last uid of the part before; '' at first. */
export function listAccounts(db: Pick<Database, 'select'>, after: string, limit: number) {
  return db.select().from(users).where(sql`${users.id} > ${after}`).orderBy(users.id).limit(limit)
}

/**
 * For a learner who lost the phone and the recovery codes.
 *
 * @returns false if there was no second step.
 */
export async function turnOffTwoFactorByOperator(db: Statements, uid: string): Promise<boolean> {
  if (!(await removeAuthenticatorApp(db, uid))) {
    return false
  }

  await endSessions(db, uid)
  await recordSecurityEvent(db, uid, { kind: 'two-factor-off', userAgent: null })
  await mailSecurityChange(db, uid, 'factors-reset')

  return true
}
