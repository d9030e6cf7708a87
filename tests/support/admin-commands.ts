import type { Database } from '~/server/database/client.server'
import { operatorActs } from '~/server/database/schema'
import { adminCommands } from '../../app/cli/admin-commands.server'
import { performCommand, readCommandLine } from '../../app/cli/run-admin.server'

/**
 * Returns a function that runs `npm run admin -- ...` on the test's own database. It returns what
 * the command prints, and throws its error sentence.
 */
export function createAdminCommandRunner(db: Database) {
  return async (...args: string[]): Promise<string> => {
    const line = readCommandLine(adminCommands, args)
    if ('help' in line) {
      throw new Error('This is help, not a command.')
    }

    const result = await performCommand({ db, operator: 'grace', tell: () => {} }, line)
    if (!result.ok) {
      throw new Error(result.problem)
    }

    return result.value
  }
}

/** Returns what a staff action needs when an operator called Grace performs it. */
export function operatorContext(db: Database, now = new Date()) {
  return { db, staff: null, actor: 'grace', now }
}

/** Lists the audit entries of an action, oldest first. */
export async function listAuditEntries(db: Database, action: string) {
  const rows = await db.select().from(operatorActs).orderBy(operatorActs.at)
  return rows.filter((row) => row.act === action)
}
