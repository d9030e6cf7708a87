import { StartError } from '~/server/env.server'
import type { Option } from '~/server/operator-command.server'

/** `--limit` of an act that lists. */
export const limitOption = (usual: number, most: number): Option => ({
  value: 'N',
  says: `how many at most, up to ${most}; ${usual} by default`,
})

/** `found` has one more than the limit if there is more than that. @returns a sentence about it, or nothing. */
export function moreText(found: readonly unknown[], limit: number): string {
  return found.length > limit ? `\n\nThese are the first ${limit}. Give more of the text, or a higher --limit.` : ''
}

/** @throws {StartError} */
export function limitOf(given: unknown, usual: number, most: number, option = 'limit'): number {
  if (given === undefined) return usual
  const limit = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0
  if (limit < 1 || limit > most) throw new StartError(`--${option} takes a number from 1 to ${most}.`)
  return limit
}
