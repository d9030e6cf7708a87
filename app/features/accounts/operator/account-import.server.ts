import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { outbox, users } from '~/server/database/schema/index'
import { queueMails } from '~/server/mail/outbox.server'
import { newId } from '../account-queries.server'
import { emailProblem, storedForms } from '../email-address/email-address.server'
import { nameField } from '../form/form-schemas'

export type NewAccount = { email: string; firstName: string; lastName: string }

/** Errors in an account's data, a sentence each. A last name may be missing, as with a sign-in by Google. */
export function accountProblems({ email, firstName, lastName }: NewAccount): string[] {
  const first = nameField('firstName').safeParse(firstName).error?.issues[0]?.message
  const last = lastName === '' ? undefined : nameField('lastName').safeParse(lastName).error?.issues[0]?.message
  const wrongNames = [first && `first_name: ${first}.`, last && `last_name: ${last}.`].filter(
    (one) => one !== undefined,
  )
  return [emailProblem(email), ...wrongNames].filter((one) => one !== null)
}

/** Which of the addresses have an account. @param emails in their canonical form, like the keys of the result. */
export async function findAccountsByEmail(
  db: Pick<Database, 'select'>,
  emails: readonly string[],
): Promise<Map<string, { uid: string; disabled: boolean }>> {
  if (emails.length === 0) return new Map()
  const account = { uid: users.id, email: users.email, disabled: users.banned }
  const wanted = new Map(emails.flatMap((email) => storedForms(email).map((stored) => [stored, email])))
  const rows = await db
    .select(account)
    .from(users)
    .where(inArray(users.email, [...wanted.keys()]))
  return new Map(rows.map(({ email, ...found }) => [wanted.get(email) ?? email, found]))
}

/**
 * Makes accounts without a way to sign in: each gets an email with a link to choose a password, one after the other with
 * a pause between them, also after those that wait already.
 *
 * @returns the uid by address; an address that got an account meanwhile is left out.
 */
export async function inviteAccounts(
  transaction: Statements,
  accounts: readonly NewAccount[],
  { now, pauseMs }: { now: Date; pauseMs: number },
): Promise<Map<string, string>> {
  if (accounts.length === 0) return new Map()
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
    .select({ at: sql<number>`coalesce(extract(epoch from max(${outbox.dueAt})) * 1000, 0)::float8` })
    .from(outbox)
    .where(waiting)
  return row?.at ?? 0
}

/** @param uids at most some thousands. */
export async function listAccountNames(db: Pick<Database, 'select'>, uids: readonly string[]) {
  const name = { uid: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName }
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
