import { parseArgs } from 'node:util'
import { isRelease } from './product-folder.server'
import { StartError } from './settings/settings.server'

export type Option = {
  /** The name of its value in the help; without it, the option is a switch. */
  value?: string
  says: string
}
type Options = Readonly<Record<string, Option>>
export type OptionValues = Partial<Record<string, string | boolean>>

/** One thing that a command does. */
export type CommandForm = {
  /** The subcommand, like 'list'; '' for the command's name alone. */
  name: string
  /**
   * The arguments in order, as the help shows them. `[X]` is optional. A last `X...` takes one or
   * more, `[X...]` any number.
   */
  takes: readonly string[]
  options?: Options
  /** One line, without a period. */
  says: string
}
type Runs = { run(given: readonly string[], values: OptionValues): Promise<void> | void }

type Command = {
  /** Of `package.json`, and of a release's `learnify`. */
  name: string
  forms: readonly (CommandForm & Runs)[]
  /** Whole sentences below the forms. */
  note?: string
}

/**
 * Runs one of the operator's commands, or prints its help.
 *
 * @throws {StartError} with the problem as a sentence, which `scripts/load.mjs` shows; the status
 * is 1 then.
 */
export async function runCommand(command: Command, args = process.argv.slice(2)): Promise<void> {
  const help = commandHelp(command)
  const refuse = (sentence: string) => new StartError(`${sentence}\n${help}`)
  const form =
    command.forms.find(({ name }) => name === args[0]) ??
    command.forms.find(({ name }) => name === '')
  if (asksHelp(args[0])) {
    process.stdout.write(`${help}\n`)
  } else if (!form) {
    throw refuse(args[0] ? `There’s no '${command.name} ${args[0]}'.` : 'Say what to do.')
  } else {
    const { given, values } = readArguments(form, form.name === '' ? args : args.slice(1), refuse)
    if (values.help) {
      process.stdout.write(`${help}\n`)
    } else {
      await form.run(given, values)
    }
  }
}

export function asksHelp(word: string | undefined): boolean {
  return word === '--help' || word === 'help' || word === '-h'
}

/**
 * How an operator types a command here: `npm run mail -- list` in a checkout, `learnify mail list`
 * in a release.
 */
export function commandText(name: string, words = '', release = isRelease): string {
  if (release) {
    return ['learnify', name, words].filter(Boolean).join(' ')
  }

  return ['npm run', name, words && '--', words].filter(Boolean).join(' ')
}

/**
 * @param refuse makes an error from a sentence.
 * @returns one argument for each that the form takes, '' for a missing one, then the rest of a
 * repeatable one.
 */
export function readArguments(
  form: Pick<CommandForm, 'takes' | 'options'>,
  args: string[],
  refuse: (sentence: string) => Error,
): { given: string[]; values: OptionValues } {
  const { values, positionals } = parse(
    { ...form.options, help: { says: 'show this' } },
    args,
    refuse,
  )

  return { given: values.help ? [] : checked(form.takes, positionals, refuse), values }
}

function parse(options: Options, args: string[], refuse: (sentence: string) => Error) {
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
    // Node.js adds advice that is about Node.js.
    throw refuse(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`)
  }
}

function checked(
  takes: readonly string[],
  given: string[],
  refuse: (sentence: string) => Error,
): string[] {
  const needed = takes.filter((name) => !name.startsWith('['))
  const missing = needed[given.length]
  if (missing) {
    throw refuse(`${missing.replace('...', '')} is missing.`)
  }

  const unwanted = /\.\.\.\]?$/.test(takes.at(-1) ?? '') ? undefined : given[takes.length]
  if (unwanted !== undefined) {
    throw refuse(`'${unwanted}' is one argument too many.`)
  }

  const empty = given.findIndex((value) => value.trim() === '')
  if (empty !== -1) {
    throw refuse(`${takes[Math.min(empty, takes.length - 1)]} is empty.`)
  }

  return takes.map((_, index) => given[index] ?? '').concat(given.slice(takes.length))
}

function commandHelp({ name, forms, note }: Command): string {
  const rows = forms.map((form) => [commandText(name, wordsOf(form)), form.says] as const)
  const lines = alignedRows(rows).map(
    (line, index) => `${index === 0 ? 'Usage: ' : '       '}${line}`,
  )
  const options = optionLines(Object.assign({}, ...forms.map((form) => form.options)))

  return [...lines, ...options, ...(note ? ['', note] : [])].join('\n')
}

function wordsOf({ name, takes, options = {} }: CommandForm): string {
  const optional = Object.entries(options).map(
    ([option, { value }]) => `[--${option}${value ? ` ${value}` : ''}]`,
  )
  return [name, ...takes, ...optional].filter(Boolean).join(' ')
}

/** A line for each option and its meaning. */
export function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(
    ([name, { value, says }]) => [`--${name}${value ? ` ${value}` : ''}`, says] as const,
  )
  return alignedRows(rows).map((line) => `  ${line}`)
}

function alignedRows(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`)
}
