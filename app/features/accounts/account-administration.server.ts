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
import { StartError } from '~/server/env.server'
import { queueMail, queueMails, queueMailWith } from '~/server/mail/outbox.server'
import {
  demoUid,
  endSessions,
  findUser,
  findUserByEmail,
  newId,
  type UserRow,
} from './account-queries.server'
import { type AttemptCounter, attemptLimits } from './attempt-limits.server'
import { canonicalEmail, emailProblem, storedForms } from './email-address/email-address.server'
import { nameField } from './form/form-schemas'
import { revokeOneTimeTokens } from './one-time-tokens.server'
import { listSecurityEvents, recordSecurityEvent } from './security/security-log.server'
import { mailSecurityChange } from './security/security-mails.server'
import { hasSecondStep } from './two-factor/authenticator-app.server'

/**
 * The account that an operator names by email address or uid.
 *
 * @throws {StartError} if there is none.
 */
export async function getAccount(db: Pick<Database, 'select'>, name: string): Promise<UserRow> {
  const wanted = name.trim()
  const byEmail = wanted.includes('@')
  const user = byEmail ? await findUserByEmail(db, wanted) : await findUser(db, wanted)
  if (user) {
    return user
  }

  throw new StartError(
    byEmail
      ? `No account has the email address '${wanted}'.`
      : `No account has the uid '${wanted}'.`,
  )
}

/** Accounts with the text in their email address or name, or with it as uid; the newest first. */
export function findAccounts(db: Database, text: string, limit: number): Promise<UserRow[]> {
  const within = sql`position(lower(${text.trim()}) in lower(${users.email} || ' ' || ${users.name})) > 0`
  return db
    .select()
    .from(users)
    .where(sql`${within} or ${users.id} = ${text.trim()}`)
    .orderBy(desc(users.createdAt), users.id)
    .limit(limit)
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

  return { sessions: open, ways, twoStep: await hasSecondStep(db, uid), mails, counted, events }
}

const uniqueViolation = '23505'
const addressTaken = 'Another account has this email address.'

/**
 * Gives an account another address, which has to be confirmed: a link is mailed to it, and links
 * that were mailed to the former address stop working. A confirmed former address is told. Ways to
 * sign in remain until the new address is proven (`proveOwner`).
 *
 * @throws {StartError} if it is no address, or another account's.
 */
export async function changeEmail(
  transaction: Statements,
  user: UserRow,
  address: string,
): Promise<void> {
  requireOwnAccount(user)
  const email = canonicalEmail(address)
  if (!email) {
    throw new StartError(emailProblem(address) ?? '')
  }

  if (email === user.email) {
    throw new StartError('The account already has this email address.')
  }

  const other = await findUserByEmail(transaction, email)
  if (other && other.id !== user.id) {
    throw new StartError(addressTaken)
  }

  const unconfirmed = { emailVerified: false, emailVerifiedAt: null, updatedAt: new Date() }
  try {
    await transaction
      .update(users)
      .set({ email, ...unconfirmed })
      .where(eq(users.id, user.id))
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== uniqueViolation) {
      throw error
    }

    throw new StartError(addressTaken)
  }

  await transaction.update(identities).set({ proven: false }).where(eq(identities.userId, user.id))
  await revokeOneTimeTokens(transaction, user.id)
  await recordSecurityEvent(transaction, user.id, { kind: 'address-changed', userAgent: null })
  const formerAddress = user.email
  if (user.emailVerified) {
    await queueMailWith(transaction, user.id, 'address-changed', { formerAddress })
  }

  await queueMail(transaction, user.id, 'confirmation')
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

export const resendable = [
  'confirmation',
  'reset',
  'welcome',
  'invitation',
] as const satisfies MailKind[]

/**
 * Queues an email that a learner says never came; limits are for learners.
 *
 * @throws {StartError} if it would be pointless.
 */
export async function resendMail(
  transaction: Statements,
  user: UserRow,
  kind: string,
): Promise<void> {
  const known = resendable.find((one) => one === kind)
  if (!known) {
    throw new StartError(`There’s no email '${kind}'. Choose one of: ${resendable.join(', ')}.`)
  }

  requireOwnAccount(user)
  if (user.banned) {
    throw new StartError('The account is disabled, so no email goes to it.')
  }

  if (user.emailVerified && known !== 'reset') {
    throw new StartError('The email address is already confirmed.')
  }

  await queueMail(transaction, user.id, known)
}

/** @throws {StartError} for the demo account, which is the product's own. */
export function requireOwnAccount({ id }: Pick<UserRow, 'id'>): void {
  if (id === demoUid) {
    throw new StartError(
      'The demo account belongs to Learnify. To turn it off, set DEMO_ACCOUNT=off.',
    )
  }
}

export type NewAccount = { email: string; firstName: string; lastName: string }

const [firstNameField, lastNameField] = [nameField('firstName'), nameField('lastName')]

/**
 * Errors in an account's data, a sentence each. A last name may be missing, as with a sign-in by
 * Google.
 */
export function accountProblems({ email, firstName, lastName }: NewAccount): string[] {
  const first = firstNameField.safeParse(firstName).error?.issues[0]?.message
  const last =
    lastName === '' ? undefined : lastNameField.safeParse(lastName).error?.issues[0]?.message
  const wrongNames = [first && `first_name: ${first}.`, last && `last_name: ${last}.`].filter(
    (one) => one !== undefined,
  )

  return [emailProblem(email), ...wrongNames].filter((one) => one !== null)
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
    emails.flatMap((email) => storedForms(email).map((stored) => [stored, email])),
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
    id: newId(),
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
