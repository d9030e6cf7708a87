import { StartError } from '~/server/env.server'
import type { Option, OptionValues } from '~/server/operator-command.server'
import type { Answer } from './act.server'
import { tableText } from './plain-text'

/** `--limit` of an act that lists. */
export const limitOption = (usual: number, most: number): Option => ({
  value: 'N',
  says: `how many at most, up to ${most}; ${usual} by default`,
})

/** @throws {StartError} */
export function limitOf(given: unknown, usual: number, most: number, option = 'limit'): number {
  if (given === undefined) return usual
  const limit = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0
  if (limit < 1 || limit > most) throw new StartError(`--${option} takes a number from 1 to ${most}.`)
  return limit
}

type List<Row> = {
  options: OptionValues
  /** Of `--limit`. */
  usual: number
  most: number
  /** Finds the first of them. */
  find(limit: number): Promise<Row[]>
  /** By the names of the columns. */
  shown(row: Row): Record<string, unknown>
  /** What is said instead of an empty table. */
  none: string
  /** How to see the others. */
  more?: string
}

/** The answer of an act that lists: a table of what was found, and a sentence if there is more than the limit. */
export async function listed<Row>({
  options,
  usual,
  most,
  find,
  shown,
  none,
  more = 'Give a higher --limit.',
}: List<Row>): Promise<Answer> {
  const limit = limitOf(options.limit, usual, most)
  const found = await find(limit + 1)
  const data = found.slice(0, limit)
  const table = tableText(data.map(shown), none)
  if (found.length <= limit) return { data, text: table }
  return { data, text: `${table}\n\nThese are the first ${limit}. ${more}` }
}
