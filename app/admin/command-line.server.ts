import { parseArgs } from 'node:util'
import { StartError } from '~/server/env.server'
import type { Act, Option } from './act.server'

export type CommandLine =
  /** Help about everything, a group or one act. */
  { help: string } | { act: Act; given: string[]; options: Values; by: string | null; json: boolean }

const everywhere: Record<string, Option> = {
  by: { value: 'NAME', says: 'who does it, for the audit; by default the operating system’s user' },
  help: { says: 'show this' },
}
const asJson: Option = { says: 'print JSON instead of a table' }

type Values = Partial<Record<string, string | boolean>>

/** The options of an act, with those that every act has. */
export function optionsOf(act: Act): Record<string, Option> {
  return { ...act.options, ...(act.effect === 'reads' && { json: asJson }), ...everywhere }
}

/** @throws {StartError} a sentence about what is wrong with it. */
export function readCommandLine(acts: readonly Act[], [group = '', name = '', ...rest]: string[]): CommandLine {
  const asksHelp = (word: string) => word === '--help' || word === 'help' || word === '-h'
  if (group === '' || asksHelp(group)) return { help: '' }
  if (!acts.some((act) => act.name.startsWith(`${group} `))) throw mistake(`There’s no group '${group}'.`)
  if (name === '' || asksHelp(name)) return { help: group }
  const act = acts.find((one) => one.name === `${group} ${name}`)
  if (!act) throw mistake(`There’s no act '${group} ${name}'.`, group)
  const { values, positionals } = parse(act, rest)
  if (values.help) return { help: act.name }
  const { by, json, ...options } = values
  return { act, given: checked(act, positionals), options, by: typeof by === 'string' ? by : null, json: json === true }
}

function parse(act: Act, args: string[]): { values: Values; positionals: string[] } {
  const types = Object.entries(optionsOf(act)).map(([name, { value }]) => [
    name,
    { type: value ? ('string' as const) : ('boolean' as const) },
  ])
  try {
    const { values, positionals } = parseArgs({ args, options: Object.fromEntries(types), allowPositionals: true })
    // No option may stand several times, so that none has a list.
    return { values: values as Values, positionals }
  } catch (error) {
    // Node.js adds advice that is about Node.js.
    throw mistake(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`, act.name)
  }
}

/** As many as the act takes. */
function checked(act: Act, given: string[]): string[] {
  const needed = act.takes.filter((name) => !name.startsWith('['))
  const missing = needed[given.length]
  if (missing) throw mistake(`${missing.replace('...', '')} is missing.`, act.name)
  const unwanted = act.takes.at(-1)?.endsWith('...') ? undefined : given[act.takes.length]
  if (unwanted !== undefined) throw mistake(`'${unwanted}' is one argument too many.`, act.name)
  const empty = given.findIndex((value) => value.trim() === '')
  if (empty !== -1) throw mistake(`${act.takes[Math.min(empty, act.takes.length - 1)]} is empty.`, act.name)
  return act.takes.map((_, index) => given[index] ?? '').concat(given.slice(act.takes.length))
}

function mistake(sentence: string, about = ''): StartError {
  const command = ['npm run admin --', about, '--help'].filter(Boolean).join(' ')
  return new StartError(`${sentence} See: ${command}`)
}
