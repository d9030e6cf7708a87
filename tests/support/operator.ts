import { eq } from 'drizzle-orm'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Database } from '~/server/database/client.server'
import { operatorActs } from '~/server/database/schema'

/** Returns the context of a staff action that an operator called Grace performs. */
export function operatorContext(db: Database, now = new Date()): StaffActionContext {
  return { db, staff: null, actor: 'grace', now }
}

/** Lists the audit entries of an action, oldest first. */
export function listAuditEntries(db: Database, action: string) {
  return db.select().from(operatorActs).where(eq(operatorActs.act, action)).orderBy(operatorActs.at)
}
