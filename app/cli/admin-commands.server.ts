import { accountCommands } from './account-commands.server'
import { auditCommands } from './audit-commands.server'
import type { AdminCommand } from './command-definition.server'
import { keyCommands } from './key-commands.server'
import { orderCommands } from './order-commands.server'
import { peopleCommands } from './people-commands.server'
import { staffCommands } from './staff-commands.server'

/** Every command of `npm run admin`, in the order of its help. */
export const adminCommands: readonly AdminCommand[] = [
  ...staffCommands,
  ...accountCommands,
  ...peopleCommands,
  ...orderCommands,
  ...auditCommands,
  ...keyCommands,
]
