import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Database } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import type { FileStore } from '~/server/files/files.server'
import type { CommandForm, Option, OptionValues } from '~/server/operations/operator-command.server'

/** A command's arguments and dependencies. */
export type CommandCall = {
  db: Database
  /** The operator and the command, for the audit. */
  actor: { by: string; act: string }
  now: Date
  /**
   * In the order of the command's `takes`; a missing one is ''. A repeatable argument takes the
   * rest.
   */
  given: readonly string[]
  options: Readonly<OptionValues>
  files: Pick<FileStore, 'remove'>
  /** The attempt limits of accounts. */
  attempts: (db: Database) => Promise<AttemptCounter>
  /** Prints a line of progress during long work. */
  tell: (line: string) => void
}

export type Answer = {
  /** For people. */
  text: string
  /** For programs: `--json` prints it. */
  data?: unknown
}

/**
 * One row of the table that commands and help are made of. Its name is a group and an act, like
 * 'learner find'.
 */
export type AdminCommand = CommandForm & {
  /** Every change and every export of learners' data is audited. */
  effect: 'reads' | 'exports' | 'changes'
  /** It needs `DATA_DIR`, too. */
  files?: true
  run(call: CommandCall): Promise<Answer>
}

/** Text for a terminal, without control characters that could move its cursor. */
function oneLine(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are replaced.
  return String(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

/** Rows below the names of their columns; a sentence if there are no rows. */
export function formatTable(rows: readonly Record<string, unknown>[], none: string): string {
  const [first] = rows
  if (!first) {
    return none
  }

  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => oneLine(row[name])))]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )

  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values of one thing, a line each; those without a value are left out. */
export function formatFacts(facts: Record<string, unknown>): string {
  const shown = Object.entries(facts).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`).join('\n')
}

/** Like '2026-11-22 14:05 UTC'. */
export function formatInstant(time: Date): string

export function formatInstant(time: Date | null): string | null

export function formatInstant(time: Date | null): string | null {
  return time && `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `--limit` of a command that lists. */
export const limitOption = (usual: number, most: number): Option => ({
  value: 'N',
  says: `how many at most, up to ${most}; ${usual} by default`,
})

/** @throws {StartError} */
export function limitOf(given: unknown, usual: number, most: number, option = 'limit'): number {
  if (given === undefined) {
    return usual
  }

  const limit = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0
  if (limit < 1 || limit > most) {
    throw new StartError(`--${option} takes a number from 1 to ${most}.`)
  }

  return limit
}

type List<Row> = {
  options: OptionValues
  /** Of `--limit`. */
  usual: number
  most: number
  /** Finds the first rows. */
  find(limit: number): Promise<Row[]>
  /** By the names of the columns. */
  shown(row: Row): Record<string, unknown>
  /** The sentence for an empty table. */
  none: string
  /** How to see the others. */
  more?: string
}

/** The output of a list command: a table, and a sentence if there are more rows than the limit. */
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
  const table = formatTable(data.map(shown), none)
  if (found.length <= limit) {
    return { data, text: table }
  }

  return { data, text: `${table}\n\nThese are the first ${limit}. ${more}` }
}
