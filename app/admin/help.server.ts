import { commandText, type Option, optionLines } from '~/server/operations/operator-command.server'
import type { AdminCommand } from './admin-command.server'

const everywhere: Record<string, Option> = {
  by: { value: 'NAME', says: 'who is doing this, for the audit; by default the operating system’s user' },
  help: { says: 'show this help' },
}
const asJson: Option = { says: 'print JSON instead of a table' }

/** The options of a command, with those that every command has. */
export function optionsOf(command: AdminCommand): Record<string, Option> {
  return { ...command.options, ...(command.effect === 'reads' && { json: asJson }), ...everywhere }
}

const groups: Record<string, string> = {
  learner: 'one learner: look up, explain, help, block',
  learners: 'many learners at once, as CSV',
  course: 'courses and their learners',
  review: 'learners’ reviews',
  certificate: 'certificates and the key that signs them',
  audit: 'what operators did',
}

/** @param about '' for everything, a group, or the name of a command. */
export function helpText(commands: readonly AdminCommand[], about: string): string {
  const command = commands.find(({ name }) => name === about)
  return command ? helpOf(command) : listOf(commands, about)
}

/** What arguments mean wherever they are taken. */
const meanings: Record<string, string> = {
  LEARNER: 'an email address or a uid',
  COURSE: 'the ID of a course, as in its address',
  ID: 'of a review: its ID or its author’s uid; of a certificate: its number or the address of its page',
  FILE: 'a CSV file; - is standard output',
}

const usageOf = ({ name, takes }: AdminCommand) => [name, ...takes].join(' ')

function listOf(commands: readonly AdminCommand[], group: string): string {
  const shown = commands.filter(({ name }) => group === '' || name.startsWith(`${group} `))
  const width = Math.max(...shown.map((command) => usageOf(command).length))
  const names = [...new Set(shown.map(({ name }) => name.split(' ')[0] ?? ''))]
  const parts = names.map((name) => {
    const own = shown.filter((command) => command.name.startsWith(`${name} `))
    const lines = own.map((command) => `  ${usageOf(command).padEnd(width)}  ${mark(command)} ${command.says}`)
    return `${name}  (${groups[name]})\n${lines.join('\n')}`
  })
  const one = `${group || 'GROUP'} ACT`
  return `Usage: ${commandText('admin', `${one} ARGUMENTS`)}

${parts.join('\n\n')}

* is recorded in the audit because it changes data or takes learners’ data out.
${meaningsOf(shown)}
'${commandText('admin', `${one} --help`)}' shows an act’s options. Acts work whether or not Learnify is running.`
}

function meaningsOf(shown: readonly AdminCommand[]): string {
  const taken = new Set(shown.flatMap(({ takes }) => takes.flatMap((name) => name.match(/[A-Z]+/g) ?? [])))
  const known = Object.entries(meanings).filter(([name]) => taken.has(name))
  return known.map(([name, meaning]) => `${name}: ${meaning}.`).join('\n')
}

const mark = ({ effect }: AdminCommand) => (effect === 'reads' ? ' ' : '*')

const effects = {
  reads: 'Changes nothing.',
  exports: 'Changes nothing. Recorded in the audit, because it takes learners’ data out.',
  changes: 'Changes data. Recorded in the audit.',
}

function helpOf(command: AdminCommand): string {
  return `Usage: ${commandText('admin', usageOf(command))}

${[`${command.says.charAt(0).toUpperCase()}${command.says.slice(1)}.`, meaningsOf([command]), effects[command.effect]].filter(Boolean).join('\n')}

${optionLines(optionsOf(command)).join('\n')}`
}
