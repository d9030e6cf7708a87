import { parseArgs } from 'node:util'
import { isRelease } from './product-folder.server'
import { StartError } from './settings/settings.server'

export type Option = {
  /** The name of the option's value in the help. An option without it is a switch. */
  value?: string
  description: string
}
type Options = Readonly<Record<string, Option>>
export type OptionValues = Partial<Record<string, string | boolean>>

/** One usage of a command, such as `mail list`. */
export type CommandForm = {
  /** The subcommand, for example 'list', or '' for the command's name alone. */
  name: string
  /**
   * The names of the arguments in order, as the help shows them. `[X]` is optional. `X...` at the
   * end takes one or more arguments, and `[X...]` takes any number.
   */
  argumentNames: readonly string[]
  options?: Options
  /** The description in the help, in one line without a period. */
  description: string
}

type RunnableForm = CommandForm & {
  run(argumentValues: readonly string[], values: OptionValues): Promise<void> | void
}

type Command = {
  /** The name of the command in `package.json`, and behind `learnify` in a release. */
  name: string
  forms: readonly RunnableForm[]
  /** Whole sentences that the help shows below the forms. */
  note?: string
}

/**
 * Runs one of the operator's commands, or prints its help.
 *
 * @throws {StartError} with the problem as a sentence. `scripts/load.mjs` prints the sentence and
 * ends the process with status 1.
 */
export async function runCommand(command: Command, args = process.argv.slice(2)): Promise<void> {
  const help = formatHelp(command)
  const createError: CreateError = (sentence) => new StartError(`${sentence}\n${help}`)
  if (isHelpRequest(args[0])) {
    process.stdout.write(`${help}\n`)
    return
  }

  const form = findForm(command, args[0])
  if (!form) {
    throw createError(args[0] ? `There’s no '${command.name} ${args[0]}'.` : 'Say what to do.')
  }

  const formArgs = form.name === '' ? args : args.slice(1)
  const { argumentValues, values } = readArguments(form, formArgs, createError)
  if (values.help) {
    process.stdout.write(`${help}\n`)
    return
  }

  await form.run(argumentValues, values)
}

/** Returns the form of a subcommand, or the form without a subcommand, if there is one. */
function findForm({ forms }: Command, subcommand: string | undefined): RunnableForm | undefined {
  return forms.find(({ name }) => name === subcommand) ?? forms.find(({ name }) => name === '')
}

export function isHelpRequest(word: string | undefined): boolean {
  return word === '--help' || word === 'help' || word === '-h'
}

/**
 * Returns what an operator types to run a command: `npm run mail -- list` in a checkout, and
 * `learnify mail list` in a release.
 */
export function formatCommand(name: string, args = '', release = isRelease): string {
  if (release) {
    return ['learnify', name, args].filter(Boolean).join(' ')
  }

  return ['npm run', name, args && '--', args].filter(Boolean).join(' ')
}

type CreateError = (sentence: string) => Error

/**
 * Reads the arguments and options of a form.
 *
 * @param createError creates the error that is thrown, from a sentence about the problem
 * @returns `argumentValues` with one argument for each name in `argumentNames`, or '' for a missing
 * one. The further arguments of a repeatable one follow.
 */
export function readArguments(
  form: Pick<CommandForm, 'argumentNames' | 'options'>,
  args: string[],
  createError: CreateError,
): { argumentValues: string[]; values: OptionValues } {
  const options = { ...form.options, help: { description: 'show this' } }
  const { values, positionals } = parseOptions(options, args, createError)
  if (values.help) {
    return { argumentValues: [], values }
  }

  const argumentValues = checkArguments(form.argumentNames, positionals, createError)
  return { argumentValues, values }
}

function parseOptions(options: Options, args: string[], createError: CreateError) {
  const types = Object.entries(options).map(([name, { value }]) => [
    name,
    {
      type: value ? ('string' as const) : ('boolean' as const),
      ...(name === 'help' && { short: 'h' }),
    },
  ])

  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(types),
      allowPositionals: true,
    })

    // Options can't be repeated, so no value is a list.
    return { values: values as OptionValues, positionals }
  } catch (error) {
    // The first sentence names the problem. The others are advice about Node's own command line.
    const [problem] = (error as Error).message.split(/\. |\n/)
    throw createError(`${problem?.replace(/\.$/, '')}.`)
  }
}

/** Returns the values of all arguments, or throws an error about the first problem. */
function checkArguments(
  argumentNames: readonly string[],
  argumentValues: string[],
  createError: CreateError,
): string[] {
  const requiredNames = argumentNames.filter((name) => !name.startsWith('['))
  const missingName = requiredNames[argumentValues.length]
  if (missingName) {
    throw createError(`${missingName.replace('...', '')} is missing.`)
  }

  const isLastRepeatable = /\.\.\.\]?$/.test(argumentNames.at(-1) ?? '')
  const surplusArgument = isLastRepeatable ? undefined : argumentValues[argumentNames.length]
  if (surplusArgument !== undefined) {
    throw createError(`'${surplusArgument}' is one argument too many.`)
  }

  const emptyIndex = argumentValues.findIndex((value) => value.trim() === '')
  if (emptyIndex !== -1) {
    throw createError(`${argumentNames[Math.min(emptyIndex, argumentNames.length - 1)]} is empty.`)
  }

  const namedValues = argumentNames.map((_, index) => argumentValues[index] ?? '')
  const furtherValues = argumentValues.slice(argumentNames.length)
  return [...namedValues, ...furtherValues]
}

function formatHelp({ name, forms, note }: Command): string {
  const usageRows = forms.map(
    (form) => [formatCommand(name, formatUsage(form)), form.description] as const,
  )
  const usageLines = alignRows(usageRows).map(
    (line, index) => `${index === 0 ? 'Usage: ' : '       '}${line}`,
  )

  const allOptions: Options = Object.assign({}, ...forms.map((form) => form.options))
  const noteLines = note ? ['', note] : []

  return [...usageLines, ...formatOptionLines(allOptions), ...noteLines].join('\n')
}

function formatUsage({ name, argumentNames, options = {} }: CommandForm): string {
  const optionUsages = Object.entries(options).map(
    ([option, { value }]) => `[--${option}${value ? ` ${value}` : ''}]`,
  )
  return [name, ...argumentNames, ...optionUsages].filter(Boolean).join(' ')
}

/** Returns a line of the help for each option. */
export function formatOptionLines(options: Options): string[] {
  const rows = Object.entries(options).map(
    ([name, { value, description }]) =>
      [`--${name}${value ? ` ${value}` : ''}`, description] as const,
  )
  return alignRows(rows).map((line) => `  ${line}`)
}

function alignRows(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`)
}
