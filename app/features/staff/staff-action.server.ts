/**
 * The frame of every staff action, for the desk and for the operator's commands.
 *
 * A staff action checks the permission, makes its change and writes the audit entry in one
 * transaction, so that there is never a change without an entry. If the change fails, nothing is
 * stored. After a success, public pages show the change at once.
 */
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/commit-on-success.server'
import { failure, type Result } from '~/server/result'
import { type NewAuditEntry, writeAuditEntries } from './audit.server'
import { hasPermission, type StaffActionDefinition } from './permissions'
import type { StaffMember } from './staff-queries.server'

/** Who performs a staff action, on which database, and when. */
export type StaffActionContext = {
  db: Database
  /** Null for an operator at a terminal, who may do everything. */
  staff: StaffMember | null
  /** The name in the audit log: the `uid` of a member of staff, or the operator's name. */
  actor: string
  now: Date
}

/** @param change returns the audit entry, or a failure, which rolls the transaction back */
export async function performStaffAction<Entry extends NewAuditEntry>(
  { db, staff, actor }: StaffActionContext,
  { name, permission }: Pick<StaffActionDefinition, 'name' | 'permission'>,
  change: (tx: Transaction) => Promise<Result<Entry>>,
): Promise<Result<Entry>> {
  if (staff !== null && !hasPermission(staff, permission)) {
    return failure('Your role may not do this.')
  }

  return commitOnSuccess(db, async (tx) => {
    const result = await change(tx)
    if (result.ok) {
      await writeAuditEntries(tx, { actor, action: name }, [result.value])
      await renewPublicPages(tx)
    }

    return result
  })
}
