import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Database } from '~/server/database/client.server'
import type { FileStore } from '~/server/files.server'

/** What an act works with. */
export type Call = {
  db: Database
  /** Who does what, for the audit. */
  actor: { by: string; act: string }
  now: Date
  /** In the order of the act's `takes`; one that is missing is ''. What takes several is the rest. */
  given: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
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

export type Option = {
  /** What the help calls its value; without it, the option is a switch. */
  value?: string
  says: string
}

/** One row of the table that commands and help are made of. */
export type Act = {
  /** Group and act, like 'learner find'. */
  name: string
  /** What it is given, in order, as the help shows it. `[X]` may be missing; `X...` takes one or more, and comes last. */
  takes: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** One line, without a period. */
  says: string
  /** What changes something, or takes learners' data out of the product, is in the audit. */
  effect: 'reads' | 'exports' | 'changes'
  /** It needs `DATA_DIR`, too. */
  files?: true
  run(call: Call): Promise<Answer>
}
