/** Runs `npm run admin`: reads the command line, and runs one command or prints the help. */
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { withDatabase } from '~/server/database/open-database.server'
import { StartError } from '~/server/env.server'
import {
  formatCommand,
  isHelpRequest,
  type OptionValues,
  readArguments,
} from '~/server/operations/operator-command.server'
import { type Result, success } from '~/server/result'
import { formatAdminHelp, getGroup, listOptions } from './admin-help.server'
import type { AdminCommand, CommandCall } from './command-definition.server'

/**
 * Prints the help, or opens the database for one command and prints its output. A command that
 * fails prints its problem and exits with status 1.
 *
 * @param getOperator returns the operator's name, unless `--by` names somebody else
 * @throws {StartError} if the command line is wrong
 */
export async function runAdmin(
  commands: readonly AdminCommand[],
  args: string[],
  getOperator: () => string,
): Promise<void> {
  const commandLine = readCommandLine(commands, args)
  if ('help' in commandLine) {
    return printOutput(formatAdminHelp(commands, commandLine.help))
  }

  const operator = checkOperatorName(commandLine.by ?? getOperator())
  const result = await withDatabase(
    () => performCommand({ db, operator, printLine: printProgress }, commandLine),
    { needsFiles: commandLine.command.files },
  )

  if (!result.ok) {
    process.stderr.write(`${result.problem}\n`)
    process.exitCode = 1
    return
  }

  printOutput(result.value)
}

type Dependencies = Pick<CommandCall, 'db' | 'operator' | 'printLine'>

/** Runs a command, and returns the output to print. */
export async function performCommand(
  { db, operator, printLine }: Dependencies,
  { command, argumentValues, options, json }: Extract<CommandLine, { command: AdminCommand }>,
): Promise<Result<string>> {
  const now = await databaseTime(db)
  const result = await command.run({
    db,
    operator,
    context: { db, staff: null, actor: operator, now },
    now,
    argumentValues,
    options,
    printLine,
  })
  if (!result.ok) {
    return result
  }

  const { text, data } = result.value
  return success(json ? JSON.stringify(data ?? null, null, 2) : text)
}

/** Prints to standard error, because standard output may be a CSV file. */
function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

function printOutput(text: string): void {
  if (text !== '') {
    process.stdout.write(`${text}\n`)
  }
}

const maxOperatorNameLength = 100

/** @throws {StartError} if the name can't be stored in the audit log */
function checkOperatorName(submittedName: string): string {
  const name = submittedName.trim()
  const isValid = name !== '' && name.length <= maxOperatorNameLength && !/\p{Cc}/u.test(name)
  if (!isValid) {
    throw new StartError(`--by takes a name of 1 to ${maxOperatorNameLength} characters.`)
  }

  return name
}

type CommandLine =
  /** Asks for help about a group or a command, or about everything if the text is empty. */
  | { help: string }
  | {
      command: AdminCommand
      argumentValues: string[]
      options: OptionValues
      by: string | null
      json: boolean
    }

/** @throws {StartError} with a sentence about the mistake */
export function readCommandLine(
  commands: readonly AdminCommand[],
  [group = '', name = '', ...commandArgs]: string[],
): CommandLine {
  if (group === '' || isHelpRequest(group)) {
    return { help: '' }
  }

  const isKnownGroup = commands.some((command) => getGroup(command) === group)
  if (!isKnownGroup) {
    throw createUsageError(`There’s no group '${group}'.`)
  }

  if (name === '' || isHelpRequest(name)) {
    return { help: group }
  }

  const command = commands.find((candidate) => candidate.name === `${group} ${name}`)
  if (!command) {
    throw createUsageError(`There’s no act '${group} ${name}'.`, group)
  }

  const form = { argumentNames: command.argumentNames, options: listOptions(command) }
  const { argumentValues, values } = readArguments(form, commandArgs, (sentence) =>
    createUsageError(sentence, command.name),
  )
  if (values.help) {
    return { help: command.name }
  }

  const { by, json, ...options } = values
  return {
    command,
    argumentValues,
    options,
    by: typeof by === 'string' ? by : null,
    json: json === true,
  }
}

/** @param topic the group or command whose help explains the mistake */
function createUsageError(sentence: string, topic = ''): StartError {
  const helpWords = topic === '' ? '--help' : `${topic} --help`
  return new StartError(`${sentence} See: ${formatCommand('admin', helpWords)}`)
}
