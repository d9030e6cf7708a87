import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { failure, type Result } from '~/server/result'
import { type AuditRecord, recordAudit } from './audit.server'
import { hasPermission, type StaffActionDefinition } from './permissions'
import type { StaffMember } from './staff-queries.server'

/** Who performs an action, and where. */
export type ActionContext = {
  db: Database
  /** Null for an operator at a terminal, who may do everything. */
  staff: StaffMember | null
  /** The name in the audit log: the `uid` of a member of staff, or the operator's name. */
  actor: string
  now: Date
}

/**
 * Performs an action of a member of staff: checks the permission, makes the change and writes its
 * audit entry in the same transaction. Public pages show the change at once.
 *
 * @param change returns the audit entry, or a failure, which rolls the transaction back
 */
export async function performAction<Outcome extends AuditRecord>(
  context: ActionContext,
  { name, permission }: Pick<StaffActionDefinition, 'name' | 'permission'>,
  change: (tx: Transaction) => Promise<Result<Outcome>>,
): Promise<Result<Outcome>> {
  if (context.staff !== null && !hasPermission(context.staff, permission)) {
    return failure('Your role may not do this.')
  }

  return transactionWithResult(context.db, async (tx) => {
    const result = await change(tx)
    if (result.ok) {
      await recordAudit(tx, { by: context.actor, act: name }, [result.value])
      await renewPublicPages(tx)
    }

    return result
  })
}

/**
 * Runs work in a transaction that is committed if the result is a success, and rolled back if it is
 * a failure.
 */
async function transactionWithResult<Value>(
  db: Database,
  work: (tx: Transaction) => Promise<Result<Value>>,
  settings?: Parameters<Database['transaction']>[1],
): Promise<Result<Value>> {
  let failedResult: Result<Value> | null = null

  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      if (!result.ok) {
        failedResult = result
        tx.rollback()
      }

      return result
    }, settings)
  } catch (error) {
    // Drizzle rolls a transaction back by an exception.
    if (failedResult !== null) {
      return failedResult
    }

    throw error
  }
}
