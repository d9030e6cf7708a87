import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Database } from '~/server/database/client.server'
import type { CommandForm, OptionValues } from '~/server/operations/operator-command.server'
import type { Result } from '~/server/result'

/** The input of a command, and what it needs to run. */
export type CommandCall = {
  db: Database
  /** The operator's name, for the audit log. */
  operator: string
  /** What a staff action needs. An operator may do everything. */
  context: StaffActionContext
  now: Date
  /** The arguments in the order of the command's `argumentNames`; a missing one is ''. */
  argumentValues: readonly string[]
  options: Readonly<OptionValues>
  /** Prints a line about the progress of a long command, before its output. */
  printLine: (line: string) => void
}

export type CommandOutput = {
  /** The text for a terminal. */
  text: string
  /** The same information for programs. `--json` prints it. */
  data?: unknown
}

/** One command. Its name is a group and an action, such as 'staff give'. */
export type AdminCommand = CommandForm & {
  /** Every change and every export of learners' data is audited. */
  effect: 'reads' | 'exports' | 'changes'
  /** True for a command that also needs the files in `DATA_DIR`. */
  files?: true
  run(call: CommandCall): Promise<Result<CommandOutput>>
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

/** Returns a value as one line, without control characters that could move a terminal's cursor. */
function toSingleLine(value: unknown): string {
  return (
    String(value ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced.
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  )
}
