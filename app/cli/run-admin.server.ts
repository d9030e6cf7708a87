import { db, withDatabase } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { StartError } from '~/server/env.server'
import {
  asksHelp,
  commandText,
  type Option,
  type OptionValues,
  optionLines,
  readArguments,
} from '~/server/operations/operator-command.server'
import { type Result, success } from '~/server/result'
import type { AdminCommand, CommandCall } from './command-definition.server'

const longestName = 100

/**
 * Runs one command line: prints the help, or opens the database for one command and prints its
 * answer.
 *
 * @param operator the operator's name unless `--by` is given.
 * @throws {StartError} with a sentence for the operator.
 */
export async function runAdmin(
  commands: readonly AdminCommand[],
  args: string[],
  operator: () => string,
): Promise<void> {
  const line = readCommandLine(commands, args)
  if ('help' in line) {
    return print(helpText(commands, line.help))
  }

  const operatorName = checkedName(line.by ?? operator())
  const result = await withDatabase(
    () => performCommand({ db, operator: operatorName, tell: printProgress }, line),
    { files: line.command.files },
  )

  if (result.ok) {
    print(result.value)
  } else {
    process.stderr.write(`${result.problem}
`)
    process.exitCode = 1
  }
}

type Dependencies = Pick<CommandCall, 'db' | 'operator' | 'tell'>

/** @returns the output to print */
export async function performCommand(
  { db, operator, tell }: Dependencies,
  { command, given, options, json }: Extract<CommandLine, { command: AdminCommand }>,
): Promise<Result<string>> {
  const now = await databaseTime(db)
  const result = await command.run({
    db,
    operator,
    context: { db, staff: null, actor: operator, now },
    now,
    given,
    options,
    tell,
  })
  if (!result.ok) {
    return result
  }

  const { text, data } = result.value
  return success(json ? JSON.stringify(data ?? null, null, 2) : text)
}

function printProgress(line: string): void {
  process.stderr.write(`${line}
`)
}

function print(text: string): void {
  if (text !== '') {
    process.stdout.write(`${text}\n`)
  }
}

function checkedName(name: string): string {
  const shown = name.trim()
  if (shown === '' || shown.length > longestName || /\p{Cc}/u.test(shown)) {
    throw new StartError(`--by takes a name of 1 to ${longestName} characters.`)
  }

  return shown
}

export type CommandLine =
  /** Help about everything, a group or one command. */
  | { help: string }
  | {
      command: AdminCommand
      given: string[]
      options: OptionValues
      by: string | null
      json: boolean
    }

/** @throws {StartError} with the problem as a sentence. */
export function readCommandLine(
  commands: readonly AdminCommand[],
  [group = '', name = '', ...rest]: string[],
): CommandLine {
  if (group === '' || asksHelp(group)) {
    return { help: '' }
  }

  if (!commands.some((command) => command.name.startsWith(`${group} `))) {
    throw mistake(`There’s no group '${group}'.`)
  }

  if (name === '' || asksHelp(name)) {
    return { help: group }
  }

  const command = commands.find((one) => one.name === `${group} ${name}`)
  if (!command) {
    throw mistake(`There’s no act '${group} ${name}'.`, group)
  }

  const asked = { takes: command.takes, options: optionsOf(command) }
  const { given, values } = readArguments(asked, rest, (sentence) =>
    mistake(sentence, command.name),
  )
  if (values.help) {
    return { help: command.name }
  }

  const { by, json, ...options } = values

  return { command, given, options, by: typeof by === 'string' ? by : null, json: json === true }
}

function mistake(sentence: string, about = ''): StartError {
  return new StartError(
    `${sentence} See: ${commandText('admin', [about, '--help'].filter(Boolean).join(' '))}`,
  )
}

const everywhere: Record<string, Option> = {
  by: {
    value: 'NAME',
    says: 'who is doing this, for the audit; by default the operating system’s user',
  },
  help: { says: 'show this help' },
}
const asJson: Option = { says: 'print JSON instead of a table' }

/** The options of a command, with those that every command has. */
function optionsOf(command: AdminCommand): Record<string, Option> {
  return { ...command.options, ...(command.effect === 'reads' && { json: asJson }), ...everywhere }
}

const groups: Record<string, string> = {
  account: 'one learner’s account: block, unblock',
  'two-step': 'two-step sign-in',
  people: 'many people at once, as CSV',
  orders: 'purchases: check, export',
  coupons: 'codes that lower prices',
  staff: 'who works at the desk, in the browser',
  audit: 'what staff and operators did',
  keys: 'the key that signs certificates',
}

/** Help for the arguments, the same in every command. */
const meanings: Record<string, string> = {
  LEARNER: 'an email address or a uid',
  COURSE: 'the ID of a course, as in its address',
  ORDER: 'the number of an order',
  CODE: 'the code of a coupon; capital letters, spaces and hyphens make no difference',
  COUNT: 'how many codes to make up, at most 10000',
  ROLE: 'owner, manager or teacher',
  FILE: 'a CSV file; - is standard output',
}

/** @param about '' for everything, a group, or the name of a command. */
export function helpText(commands: readonly AdminCommand[], about: string): string {
  const shown = commands.filter(
    ({ name }) => about === '' || name === about || name.startsWith(`${about} `),
  )
  const [only, ...others] = shown
  const more =
    only && others.length === 0
      ? optionLines(optionsOf(only)).join('\n')
      : `'${commandText('admin', 'GROUP ACT --help')}' shows an act’s options. Acts work whether or not Learnify is running.`

  return `Usage: ${commandText('admin', 'GROUP ACT ARGUMENTS')}

${listOf(shown)}

* is recorded in the audit because it changes data or takes learners’ data out.
${meaningsOf(shown)}
${more}`
}

const usageOf = ({ name, takes }: AdminCommand) => [name, ...takes].join(' ')

function listOf(shown: readonly AdminCommand[]): string {
  const width = Math.max(...shown.map((command) => usageOf(command).length))
  const names = [...new Set(shown.map(({ name }) => name.split(' ')[0] ?? ''))]
  const parts = names.map((group) => {
    const own = shown.filter(({ name }) => name.startsWith(`${group} `))
    const lines = own.map((command) => {
      const mark = command.effect === 'reads' ? ' ' : '*'
      return `  ${usageOf(command).padEnd(width)}  ${mark} ${command.says}`
    })
    return `${group}  (${groups[group]})\n${lines.join('\n')}`
  })

  return parts.join('\n\n')
}

function meaningsOf(shown: readonly AdminCommand[]): string {
  const taken = new Set(
    shown.flatMap(({ takes }) => takes.flatMap((name) => name.match(/[A-Z]+/g) ?? [])),
  )
  const known = Object.entries(meanings).filter(([name]) => taken.has(name))
  return known.map(([name, meaning]) => `${name}: ${meaning}.`).join('\n')
}
