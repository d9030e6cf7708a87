import { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import { type Database, db, withDatabase } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env, StartError } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { asksHelp, commandText, type OptionValues, readArguments } from '~/server/operations/operator-command.server'
import { authSecret } from '~/server/operations/secrets.server'
import type { AdminCommand, CommandCall } from './admin-command.server'
import { helpText, optionsOf } from './help.server'

const longestName = 100

/**
 * Runs one command line: says the help, or opens the database for one command and prints its answer.
 *
 * @param operator who it is where `--by` does not say.
 * @throws {StartError} with a sentence for the operator.
 */
export async function runAdmin(
  commands: readonly AdminCommand[],
  args: string[],
  operator: () => string,
): Promise<void> {
  const line = readCommandLine(commands, args)
  if ('help' in line) return print(helpText(commands, line.help))
  const by = checkedName(line.by ?? operator())
  print(await withDatabase(() => performCommand({ ...productParts(db), by }, line), { files: line.command.files }))
}

type Parts = Pick<CommandCall, 'db' | 'files' | 'attempts' | 'tell'> & { by: string }

/** @returns what to print. @throws {StartError} */
export async function performCommand(
  { by, ...parts }: Parts,
  { command, given, options, json }: Extract<CommandLine, { command: AdminCommand }>,
): Promise<string> {
  const now = await databaseTime(parts.db)
  const { text, data } = await command.run({ ...parts, actor: { by, act: command.name }, now, given, options })
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

export type CommandLine =
  /** Help about everything, a group or one command. */
  { help: string } | { command: AdminCommand; given: string[]; options: OptionValues; by: string | null; json: boolean }

/** @throws {StartError} a sentence about what is wrong with it. */
export function readCommandLine(
  commands: readonly AdminCommand[],
  [group = '', name = '', ...rest]: string[],
): CommandLine {
  if (group === '' || asksHelp(group)) return { help: '' }
  if (!commands.some((command) => command.name.startsWith(`${group} `))) throw mistake(`There’s no group '${group}'.`)
  if (name === '' || asksHelp(name)) return { help: group }
  const command = commands.find((one) => one.name === `${group} ${name}`)
  if (!command) throw mistake(`There’s no act '${group} ${name}'.`, group)
  const asked = { takes: command.takes, options: optionsOf(command) }
  const { given, values } = readArguments(asked, rest, (sentence) => mistake(sentence, command.name))
  if (values.help) return { help: command.name }
  const { by, json, ...options } = values
  return { command, given, options, by: typeof by === 'string' ? by : null, json: json === true }
}

function mistake(sentence: string, about = ''): StartError {
  return new StartError(`${sentence} See: ${commandText('admin', [about, '--help'].filter(Boolean).join(' '))}`)
}
