import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Database } from '~/server/database/client.server'
import type { FileStore } from '~/server/files/files.server'
import type { CommandForm, OptionValues } from '~/server/operations/operator-command.server'

/** A command's arguments and dependencies. */
export type CommandCall = {
  db: Database
  /** The operator and the command, for the audit. */
  actor: { by: string; act: string }
  now: Date
  /** In the order of the command's `takes`; a missing one is ''. A repeatable argument takes the rest. */
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

/** One row of the table that commands and help are made of. Its name is a group and an act, like 'learner find'. */
export type AdminCommand = CommandForm & {
  /** Every change and every export of learners' data is audited. */
  effect: 'reads' | 'exports' | 'changes'
  /** It needs `DATA_DIR`, too. */
  files?: true
  run(call: CommandCall): Promise<Answer>
}
