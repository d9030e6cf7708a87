import { StartError } from '~/server/env.server'
import { asksHelp, commandText, type Option, type OptionValues, readArguments } from '~/server/operator-command.server'
import type { Act } from './act.server'

export type CommandLine =
  /** Help about everything, a group or one act. */
  { help: string } | { act: Act; given: string[]; options: OptionValues; by: string | null; json: boolean }

const everywhere: Record<string, Option> = {
  by: { value: 'NAME', says: 'who is doing this, for the audit; by default the operating system’s user' },
  help: { says: 'show this help' },
}
const asJson: Option = { says: 'print JSON instead of a table' }

/** The options of an act, with those that every act has. */
export function optionsOf(act: Act): Record<string, Option> {
  return { ...act.options, ...(act.effect === 'reads' && { json: asJson }), ...everywhere }
}

/** @throws {StartError} a sentence about what is wrong with it. */
export function readCommandLine(acts: readonly Act[], [group = '', name = '', ...rest]: string[]): CommandLine {
  if (group === '' || asksHelp(group)) return { help: '' }
  if (!acts.some((act) => act.name.startsWith(`${group} `))) throw mistake(`There’s no group '${group}'.`)
  if (name === '' || asksHelp(name)) return { help: group }
  const act = acts.find((one) => one.name === `${group} ${name}`)
  if (!act) throw mistake(`There’s no act '${group} ${name}'.`, group)
  const asked = { takes: act.takes, options: optionsOf(act) }
  const { given, values } = readArguments(asked, rest, (sentence) => mistake(sentence, act.name))
  if (values.help) return { help: act.name }
  const { by, json, ...options } = values
  return { act, given, options, by: typeof by === 'string' ? by : null, json: json === true }
}

function mistake(sentence: string, about = ''): StartError {
  return new StartError(`${sentence} See: ${commandText('admin', [about, '--help'].filter(Boolean).join(' '))}`)
}
