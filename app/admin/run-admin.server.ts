import { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import { type Database, db, withDatabase } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env, StartError } from '~/server/env.server'
import { fileStore } from '~/server/files.server'
import { authSecret } from '~/server/secrets.server'
import type { Act, Call } from './act.server'
import { type CommandLine, readCommandLine } from './command-line.server'
import { helpText } from './help.server'

const longestName = 100

/**
 * Runs one command line: says the help, or opens the database for one act and prints its answer.
 *
 * @param operator who it is where `--by` does not say.
 * @throws {StartError} with a sentence for the operator.
 */
export async function runAdmin(acts: readonly Act[], args: string[], operator: () => string): Promise<void> {
  const line = readCommandLine(acts, args)
  if ('help' in line) return print(helpText(acts, line.help))
  const by = checkedName(line.by ?? operator())
  print(await withDatabase(() => performAct({ ...productParts(db), by }, line), { files: line.act.files }))
}

type Parts = Pick<Call, 'db' | 'files' | 'attempts' | 'tell'> & { by: string }

/** @returns what to print. @throws {StartError} */
export async function performAct(
  { by, ...parts }: Parts,
  { act, given, options, json }: Extract<CommandLine, { act: Act }>,
): Promise<string> {
  const now = await databaseTime(parts.db)
  const { text, data } = await act.run({ ...parts, actor: { by, act: act.name }, now, given, options })
  return json ? JSON.stringify(data ?? null, null, 2) : text
}

function productParts(database: Database): Omit<Parts, 'by'> {
  return {
    db: database,
    files: fileStore,
    attempts: async (used) => new AttemptCounter(used, await authSecret(env.DATA_DIR, env.AUTH_SECRET), Date.now),
    tell: (text) => process.stderr.write(`${text}\n`),
  }
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`)
}

function checkedName(name: string): string {
  const shown = name.trim()
  if (shown === '' || shown.length > longestName || /\p{Cc}/u.test(shown))
    throw new StartError(`--by takes a name of 1 to ${longestName} characters.`)
  return shown
}
