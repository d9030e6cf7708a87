import { env, isLoopback } from '~/server/env.server'
import { backupWarning } from '~/server/operations/backup/last-backup.server'
import { commandText } from '~/server/operations/operator-command.server'
import type { Check } from '../check'

/** The same rule as `/readyz` has. */
export function checkBackup(
  last: Date | null,
  now: Date,
  { hours = env.BACKUP_WARN_AFTER_HOURS, isPublic = !isLoopback } = {},
): Check | null {
  const title = backupWarning(last, now, hours, isPublic)
  if (!title) {
    return null
  }

  return {
    look: 'bad',
    title,
    help: `Everything since then would be lost with this machine. Make one: ${commandText('backup')}`,
  }
}
