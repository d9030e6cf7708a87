import { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Database } from '~/server/database/client.server'
import { operatorActs } from '~/server/database/schema'
import { adminCommands } from '../../app/cli/admin-commands.server'
import { performCommand, readCommandLine } from '../../app/cli/run-admin.server'

/** The counter of attempts that the command sees. */
export const countedAttempts = (db: Database) =>
  new AttemptCounter(db, 'a secret of the tests, 32 letters', Date.now)

/** `npm run admin -- ...` on the test's own database. @returns its output or its error sentence. */
export function adminOf(db: Database, removed: string[] = []) {
  const parts = {
    db,
    by: 'grace',
    files: { remove: async (name: string) => void removed.push(name) },
    attempts: async (used: Database) => countedAttempts(used),
    tell: () => {},
  }

  return async (...args: string[]): Promise<string> => {
    const line = readCommandLine(adminCommands, args)
    if ('help' in line) {
      throw new Error('This is help, not a command.')
    }

    return performCommand(parts, line)
  }
}

/** The audit entries of a command, oldest first. */
export async function auditOf(db: Database, act: string) {
  const rows = await db.select().from(operatorActs).orderBy(operatorActs.at)
  return rows.filter((row) => row.act === act)
}
