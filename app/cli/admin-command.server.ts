/** `npm run admin`: the operator's commands. They work whether or not the server is running. */
import { userInfo } from 'node:os'
import { adminCommands } from './admin-commands.server'
import { runAdmin } from './run-admin.server'

await runAdmin(adminCommands, process.argv.slice(2), getOperatorName)

/** Returns the person who used `sudo`, or else the account that the command runs as. */
function getOperatorName(): string {
  if (process.env.SUDO_USER) {
    return process.env.SUDO_USER
  }

  try {
    return userInfo().username
  } catch {
    // The user of a container may have a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
