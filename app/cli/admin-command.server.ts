import { userInfo } from 'node:os'
import { adminCommands } from './admin-commands.server'
import { runAdmin } from './run-admin.server'

/**
 * `npm run admin`: operators' commands on learners, reviews and certificates, with the product
 * running or stopped.
 */
await runAdmin(adminCommands, process.argv.slice(2), operator)

/** The person behind `sudo -u learnify`, rather than the account that the product runs as. */
function operator(): string {
  if (process.env.SUDO_USER) {
    return process.env.SUDO_USER
  }

  try {
    return userInfo().username
  } catch {
    // A container's user may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
