/**
 * Runs every staff action, whether staff perform it at the desk (the admin area) or an operator by
 * a command on the server.
 *
 * The permission is checked first. The change and its audit entry are then made in one transaction,
 * so that there is never a change without an entry. If the change fails, nothing is stored. Once
 * the transaction is committed, public pages show the change at once.
 */
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/client.server'
import { failure, type Result } from '~/server/result'
import { type NewAuditEntry, writeAuditEntries } from './audit.server'
import { hasPermission, type Permission } from './permissions'
import type { StaffMember } from './staff-queries.server'

/** Describes a change that staff can make. */
export type StaffActionDefinition = {
  /** The action's name in the audit log: a topic and a verb, such as 'orders refund'. */
  name: string
  permission: Permission
  /**
   * Whether the member must have signed in recently. This is required for actions on money, people
   * and roles.
   */
  needsRecentSignIn: boolean
}

/** Who performs a staff action, on which database, and when. */
export type StaffActionContext = {
  db: Database
  /** The member of staff, or null for an operator at a terminal, who may do everything. */
  staff: StaffMember | null
  /** How the audit log identifies the actor: by the member's `uid` or by the operator's name. */
  actor: string
  /** The time that the change writes into its rows. The audit entry has the database's own time. */
  now: Date
}

/**
 * Performs a staff action. This function does not check whether the member has signed in recently.
 * For an action that requires it, the desk checks it before it calls this function.
 *
 * @param makeChange returns the audit entry, or a failure, which rolls the transaction back. The
 *   entry may have more properties for the caller, which are not stored.
 */
export async function performStaffAction<Entry extends NewAuditEntry>(
  { db, staff, actor }: StaffActionContext,
  { name, permission }: Pick<StaffActionDefinition, 'name' | 'permission'>,
  makeChange: (tx: Transaction) => Promise<Result<Entry>>,
): Promise<Result<Entry>> {
  if (staff !== null && !hasPermission(staff, permission)) {
    return failure('Your role may not do this.')
  }

  return commitOnSuccess(db, async (tx) => {
    const result = await makeChange(tx)
    if (!result.ok) {
      return result
    }

    const auditEntry = result.value
    await writeAuditEntries(tx, { actor, action: name }, [auditEntry])
    await renewPublicPages(tx)

    return result
  })
}
