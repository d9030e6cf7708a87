import type { Database } from '~/server/database/client.server'
import { adminCommands } from '../../app/cli/admin-commands.server'
import { performCommand, readCommandLine } from '../../app/cli/run-admin.server'

/**
 * Returns a function that runs `npm run admin -- ...` on the test's own database. The function
 * returns what the command prints, and throws the command's error message.
 */
export function createAdminCommandRunner(db: Database) {
  return async (...args: string[]): Promise<string> => {
    const commandLine = readCommandLine(adminCommands, args)
    if ('help' in commandLine) {
      throw new Error('These arguments ask for help and run no command.')
    }

    const result = await performCommand({ db, operator: 'grace', printLine: () => {} }, commandLine)
    if (!result.ok) {
      throw new Error(result.problem)
    }

    return result.value
  }
}
