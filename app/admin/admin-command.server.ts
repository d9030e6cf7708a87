import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Database } from '~/server/database/client.server'
import type { FileStore } from '~/server/files/files.server'
import type { CommandForm, OptionValues } from '~/server/operations/operator-command.server'

/** What a command works with. */
export type CommandCall = {
  db: Database
  /** Who does what, for the audit. */
  actor: { by: string; act: string }
  now: Date
  /** In the order of the command's `takes`; one that is missing is ''. What takes several is the rest. */
  given: readonly string[]
  options: Readonly<OptionValues>
  files: Pick<FileStore, 'remove'>
  /** What is counted against accounts. */
  attempts: (db: Database) => Promise<AttemptCounter>
  /** Writes a line beside the answer, for what takes long. */
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
  /** What changes something, or takes learners' data out of the product, is in the audit. */
  effect: 'reads' | 'exports' | 'changes'
  /** It needs `DATA_DIR`, too. */
  files?: true
  run(call: CommandCall): Promise<Answer>
}
