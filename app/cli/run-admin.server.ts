/** Runs `npm run admin`: reads the command line, and runs one command or prints the help. */
import { db, withDatabase } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { StartError } from '~/server/env.server'
import {
  commandText,
  isHelpRequest,
  type Option,
  type OptionValues,
  optionLines,
  readArguments,
} from '~/server/operations/operator-command.server'
import { type Result, success } from '~/server/result'
import type { AdminCommand, CommandCall } from './command-definition.server'

/**
 * Prints the help, or opens the database for one command and prints what it answers. A command that
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
    return printOutput(helpText(commands, commandLine.help))
  }

  const operator = checkOperatorName(commandLine.by ?? getOperator())
  const result = await withDatabase(
    () => performCommand({ db, operator, printLine: printProgress }, commandLine),
    { files: commandLine.command.files },
  )

  if (!result.ok) {
    process.stderr.write(`${result.problem}\n`)
    process.exitCode = 1
    return
  }

  printOutput(result.value)
}

type Dependencies = Pick<CommandCall, 'db' | 'operator' | 'printLine'>

/** @returns the output to print */
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
  [group = '', name = '', ...rest]: string[],
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

  const form = { argumentNames: command.argumentNames, options: getOptions(command) }
  const { argumentValues, values } = readArguments(form, rest, (sentence) =>
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
  return new StartError(`${sentence} See: ${commandText('admin', helpWords)}`)
}

const commonOptions: Record<string, Option> = {
  by: {
    value: 'NAME',
    description: 'who is doing this, for the audit; by default the operating system’s user',
  },
  help: { description: 'show this help' },
}

const jsonOption: Option = { description: 'print JSON instead of a table' }

/** Returns the command's own options, and those that every command has. */
function getOptions(command: AdminCommand): Record<string, Option> {
  const readOptions: Record<string, Option> = command.effect === 'reads' ? { json: jsonOption } : {}
  return { ...command.options, ...readOptions, ...commonOptions }
}

/** Explains each group in the help. */
const groupTexts: Record<string, string> = {
  account: 'one learner’s account: block, unblock',
  'two-step': 'two-step sign-in',
  people: 'many people at once, as CSV',
  orders: 'purchases: check, export',
  staff: 'who works at the desk, in the browser',
  audit: 'what staff and operators did',
  keys: 'the key that signs certificates',
}

/** Explains the arguments below the help. An argument means the same in every command. */
const argumentTexts: Record<string, string> = {
  LEARNER: 'an email address or a uid',
  ROLE: 'owner, manager or teacher',
  FILE: 'a CSV file; - is standard output',
}

/** @param topic a group, the name of a command, or an empty text for everything */
export function helpText(commands: readonly AdminCommand[], topic: string): string {
  const listedCommands = commands.filter(
    (command) => topic === '' || command.name === topic || getGroup(command) === topic,
  )
  const [firstCommand, ...otherCommands] = listedCommands
  const isOneCommand = firstCommand !== undefined && otherCommands.length === 0
  const lastLines = isOneCommand
    ? optionLines(getOptions(firstCommand)).join('\n')
    : `'${commandText('admin', 'GROUP ACT --help')}' shows an act’s options. Acts work whether or not Learnify is running.`

  return `Usage: ${commandText('admin', 'GROUP ACT ARGUMENTS')}

${formatGroups(listedCommands)}

* is recorded in the audit because it changes data or takes learners’ data out.
${formatArgumentTexts(listedCommands)}
${lastLines}`
}

/** Lists the commands below their groups, in columns. */
function formatGroups(commands: readonly AdminCommand[]): string {
  const width = Math.max(...commands.map((command) => formatUsage(command).length))
  const groups = [...new Set(commands.map(getGroup))]

  const paragraphs = groups.map((group) => {
    const ownCommands = commands.filter((command) => getGroup(command) === group)
    const lines = ownCommands.map((command) => {
      const auditMark = command.effect === 'reads' ? ' ' : '*'
      return `  ${formatUsage(command).padEnd(width)}  ${auditMark} ${command.description}`
    })
    return `${group}  (${groupTexts[group]})\n${lines.join('\n')}`
  })

  return paragraphs.join('\n\n')
}

/** Explains those arguments that the commands take. */
function formatArgumentTexts(commands: readonly AdminCommand[]): string {
  const usedNames = new Set(
    commands.flatMap(({ argumentNames }) =>
      argumentNames.flatMap((argument) => argument.match(/[A-Z]+/g) ?? []),
    ),
  )

  return Object.entries(argumentTexts)
    .filter(([name]) => usedNames.has(name))
    .map(([name, text]) => `${name}: ${text}.`)
    .join('\n')
}

function formatUsage({ name, argumentNames }: AdminCommand): string {
  return [name, ...argumentNames].join(' ')
}

/** Returns the first word of the command's name. */
function getGroup({ name }: AdminCommand): string {
  return name.split(' ')[0] ?? name
}
