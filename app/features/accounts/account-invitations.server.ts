/** Creates accounts for people whom the school invites, for example by importing a list. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { outbox, users } from '~/server/database/schema/index'
import { queueMails } from '~/server/mail/outbox.server'
import { generateId } from './account-queries.server'
import { findEmailProblem, getStoredForms } from './email-address/email-address.server'
import { nameField } from './form/form-schemas'

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

  const canonicalEmailByStoredForm = new Map<string, string>()
  for (const email of emails) {
    for (const storedForm of getStoredForms(email)) {
      canonicalEmailByStoredForm.set(storedForm, email)
    }
  }

  const accounts = await db
    .select({ uid: users.id, email: users.email, disabled: users.banned })
    .from(users)
    .where(inArray(users.email, [...canonicalEmailByStoredForm.keys()]))

  return new Map(
    accounts.map(({ email, ...account }) => [
      canonicalEmailByStoredForm.get(email) ?? email,
      account,
    ]),
  )
}

/**
 * Creates accounts without a sign-in method, and queues an email for each, with a link to choose a
 * password. The emails are sent with a pause after each, and after the invitations that wait
 * already.
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
 * Returns when the last waiting invitation is due, in milliseconds since 1970, or 0 if no
 * invitation waits.
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
