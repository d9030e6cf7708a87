import { statfs } from 'node:fs/promises'
import { env } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import { formatSize } from '~/ui/format-size'
import type { Check } from '../check'

const gigabyte = 1_000_000_000
/** A database that can't write stops everything. */
const leastFree = 2 * gigabyte
const leastShare = 0.05

export async function checkDisk(folder = env.DATA_DIR): Promise<Check | null> {
  const disk = await statfs(folder).catch(() => null)
  return disk && diskProblem(disk.bavail * disk.bsize, disk.blocks * disk.bsize)
}

export function diskProblem(freeBytes: number, bytes: number): Check | null {
  if (freeBytes >= Math.min(leastFree, bytes / 2) && freeBytes >= bytes * leastShare) {
    return null
  }

  return {
    look: 'bad',
    title: `The disk has only ${formatSize(freeBytes)} left`,
    help: `When it is full, nothing can be saved any more. See what takes the room: ${commandText('disk')}`,
  }
}
