import type { ActionContext } from '~/features/staff/staff-action.server'
import type { Database } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import type { CommandForm, OptionValues } from '~/server/operations/operator-command.server'
import type { Result } from '~/server/result'

/** What a command works with. */
export type CommandCall = {
  db: Database
  /** The operator's name, for the audit log. */
  operator: string
  /** What a staff action needs. An operator may do everything. */
  context: ActionContext
  now: Date
  /** The arguments in the order of the command's `takes`; a missing one is ''. */
  given: readonly string[]
  options: Readonly<OptionValues>
  /** Prints a line of progress during long work. */
  tell: (line: string) => void
}

export type Answer = {
  /** The text for a terminal. */
  text: string
  /** The same for programs, which `--json` prints. */
  data?: unknown
}

/** One command. Its name is a group and an action, such as 'staff give'. */
export type AdminCommand = CommandForm & {
  /** Every change and every export of learners' data is audited. */
  effect: 'reads' | 'exports' | 'changes'
  /** Set for a command that also needs the files in `DATA_DIR`. */
  files?: true
  run(call: CommandCall): Promise<Result<Answer>>
}

/** Returns a value as one line, without control characters that could move a terminal's cursor. */
function toSingleLine(value: unknown): string {
  return (
    String(value ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced.
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  )
}

/** Formats rows below the names of their columns, or returns `emptyText` if there are no rows. */
export function formatTable(rows: readonly Record<string, unknown>[], emptyText: string): string {
  const [firstRow] = rows
  if (!firstRow) {
    return emptyText
  }

  const columnNames = Object.keys(firstRow)
  const lines = [
    columnNames,
    ...rows.map((row) => columnNames.map((name) => toSingleLine(row[name]))),
  ]
  const widths = columnNames.map((_, column) =>
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

/** Formats a time like '2026-11-22 14:05 UTC'. */
export function formatInstant(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

type LimitOption = { name: string; defaultLimit: number; maxLimit: number }

/**
 * Reads an option that takes a whole number from 1.
 *
 * @throws {StartError} for anything else
 */
export function readLimit(value: unknown, { name, defaultLimit, maxLimit }: LimitOption): number {
  if (value === undefined) {
    return defaultLimit
  }

  const limit = /^\d{1,9}$/.test(String(value)) ? Number(value) : 0
  if (limit < 1 || limit > maxLimit) {
    throw new StartError(`--${name} takes a number from 1 to ${maxLimit}.`)
  }

  return limit
}
