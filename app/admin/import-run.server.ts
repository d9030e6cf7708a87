import { sql } from 'drizzle-orm'
import { findAccountsByEmail, inviteAccounts } from '~/features/accounts/operator/account-import.server'
import { enrollAndFollowUp } from '~/features/certificates/finished-work.server'
import type { CommandCall } from './admin-command.server'
import { recordAudit, type Transaction } from './audit.server'
import type { PlannedLine } from './import-plan.server'

/** Each part is committed with its audit, so that an import that is repeated continues where it broke off. */
const linesAtOnce = 50

export const changesSomething = ({ uid, enroll }: PlannedLine) => uid === null || enroll.length > 0

/** Does what was planned. @param pauseMs between two invitations. */
export async function runImport(
  { db, actor, now, tell }: Pick<CommandCall, 'db' | 'actor' | 'now' | 'tell'>,
  lines: readonly PlannedLine[],
  pauseMs: number,
): Promise<void> {
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const part = lines.slice(start, start + linesAtOnce)
    await db.transaction(async (transaction) => {
      // Two imports at once would wait for each other's addresses.
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('import of learners', 0))`)
      const uids = await findOrMake(transaction, part, { now, pauseMs })
      const entries = []
      for (const line of part) {
        const uid = uids.get(line.email) ?? ''
        if (line.enroll.length > 0) await enrollAndFollowUp(transaction, uid, line.enroll, now)
        entries.push({
          subject: uid,
          arguments: { line: line.line, courses: line.enroll },
          outcome: `Imported: ${outcomeOf(line)}.`,
        })
      }
      await recordAudit(transaction, actor, entries)
    })
    if ((start / linesAtOnce) % 20 === 19) tell(`${start + part.length} of ${lines.length} lines`)
  }
}

/** Also finds an account that somebody made since the plan. */
async function findOrMake(
  transaction: Transaction,
  part: readonly PlannedLine[],
  pace: { now: Date; pauseMs: number },
): Promise<Map<string, string>> {
  const wanted = part.filter(({ uid }) => uid === null)
  const accounts = wanted.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
  const made = await inviteAccounts(transaction, accounts, pace)
  const taken = wanted.flatMap(({ email }) => (made.has(email) ? [] : [email]))
  const found = await findAccountsByEmail(transaction, taken)
  return new Map([
    ...part.flatMap(({ email, uid }) => (uid === null ? [] : [[email, uid] as const])),
    ...made,
    ...[...found].map(([email, { uid }]) => [email, uid] as const),
  ])
}

/** One sentence, for the plan as for the audit. */
export function outcomeOf({ uid, enroll }: PlannedLine): string {
  const parts = [uid === null && 'new account', enroll.length > 0 && `enroll in ${enroll.join(', ')}`]
  return parts.filter(Boolean).join('; ') || 'nothing to do'
}
