/**
 * Carries out the plan of an import: creates accounts for the people who have none, and enrolls
 * learners. The desk and the operator's command use the same functions.
 */
import { sql } from 'drizzle-orm'
import { findAccountsByEmail, inviteAccounts } from '~/features/accounts/account-invitations.server'
import { enrollManyAndReward } from '~/features/certificates/rewards.server'
import { type AuditedAction, writeAuditEntries } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { describeLine, type PlannedLine } from './import-plan.server'

/** The number of lines that are committed together with their audit entries. */
export const linesPerTransaction = 250

/** The times at which the invitations are sent. */
type InvitationPace = {
  now: Date
  /** The time between two invitations. */
  pauseMs: number
}

/** The name of an import in the audit log, at the desk and in the terminal. */
export const importActionName = 'learners import'

/** Imports lines of the plan, and writes an audit entry for each. */
export async function importLines(
  transaction: Transaction,
  auditedAction: AuditedAction,
  lines: readonly PlannedLine[],
  pace: InvitationPace,
): Promise<void> {
  const uids = await findOrInviteAccounts(transaction, lines, pace)

  const enrollments = lines.flatMap((line) =>
    line.newCourseIds.map((courseId) => ({ uid: getUid(uids, line), courseId })),
  )
  await enrollManyAndReward(transaction, enrollments, pace.now)

  const entries = lines.map((line) => ({
    subject: getUid(uids, line),
    arguments: { line: line.lineNumber, courses: line.newCourseIds },
    outcome: `Imported: ${describeLine(line)}.`,
  }))
  await writeAuditEntries(transaction, auditedAction, entries)
}

function getUid(uids: ReadonlyMap<string, string>, { email }: PlannedLine): string {
  const uid = uids.get(email)
  if (uid === undefined) {
    throw new Error('An account was neither found nor created for a line of an import.')
  }

  return uid
}

/** Allows one import at a time, because two could deadlock on the same email addresses. */
export async function lockImports(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('import of learners', 0))`,
  )
}

/**
 * Returns the uid of each email address, and invites the people who have no account. An account
 * that was created since the plan was made is used as it is.
 */
async function findOrInviteAccounts(
  transaction: Transaction,
  lines: readonly PlannedLine[],
  pace: InvitationPace,
): Promise<Map<string, string>> {
  const newPeople = lines
    .filter(({ uid }) => uid === null)
    .map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
  const uids = new Map(await inviteAccounts(transaction, newPeople, pace))

  const takenEmails = newPeople.map(({ email }) => email).filter((email) => !uids.has(email))
  const takenAccounts = await findAccountsByEmail(transaction, takenEmails)
  for (const [email, { uid }] of takenAccounts) {
    uids.set(email, uid)
  }

  for (const { email, uid } of lines) {
    if (uid !== null) {
      uids.set(email, uid)
    }
  }

  return uids
}
