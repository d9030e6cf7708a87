/** The help of `npm run admin`, and the options that its commands share. */
import {
  formatCommand,
  formatOptionLines,
  type Option,
} from '~/server/operations/operator-command.server'
import type { AdminCommand } from './command-definition.server'

/** What the commands of each group are about. */
const groupDescriptions: Record<string, string> = {
  account: 'one learner’s account: block, unblock',
  'two-step': 'two-step sign-in',
  people: 'many people at once, as CSV',
  orders: 'purchases: check, export',
  staff: 'who works at the desk, in the browser',
  audit: 'what staff and operators did',
  keys: 'the key that signs certificates',
}

/** What the arguments mean, which is the same in every command. */
const argumentDescriptions: Record<string, string> = {
  LEARNER: 'an email address or a uid',
  ROLE: 'owner, manager or teacher',
  FILE: 'a CSV file',
  'FILE|-': 'a CSV file; - is standard output',
}

const commonOptions: Record<string, Option> = {
  by: {
    value: 'NAME',
    description: 'who is doing this, for the audit; by default the operating system’s user',
  },
  help: { description: 'show this help' },
}

const jsonOption: Option = { description: 'print JSON instead of a table' }

/**
 * Formats the help about a group, a command or everything.
 *
 * @param topic a group, the name of a command, or an empty text for everything
 */
export function formatAdminHelp(commands: readonly AdminCommand[], topic: string): string {
  const listedCommands = commands.filter(
    (command) => topic === '' || command.name === topic || getGroup(command) === topic,
  )
  const onlyCommand = listedCommands.length === 1 ? listedCommands[0] : undefined
  const optionsOrHint = onlyCommand
    ? formatOptionLines(listOptions(onlyCommand)).join('\n')
    : `'${formatCommand('admin', 'GROUP ACT --help')}' shows an act’s options. Acts work whether or not Learnify is running.`

  return `Usage: ${formatCommand('admin', 'GROUP ACT ARGUMENTS')}

${formatGroups(listedCommands)}

* is recorded in the audit because it changes data or takes learners’ data out.
${formatArgumentDescriptions(listedCommands)}
${optionsOrHint}`
}

/** Returns the command's own options, and those that every command has. */
export function listOptions(command: AdminCommand): Record<string, Option> {
  const readOptions: Record<string, Option> = command.effect === 'reads' ? { json: jsonOption } : {}
  return { ...command.options, ...readOptions, ...commonOptions }
}

/** Lists the commands in columns, below the names of their groups. */
function formatGroups(commands: readonly AdminCommand[]): string {
  const width = Math.max(...commands.map((command) => formatUsage(command).length))
  const groups = [...new Set(commands.map(getGroup))]

  const paragraphs = groups.map((group) => {
    const groupCommands = commands.filter((command) => getGroup(command) === group)
    const lines = groupCommands.map((command) => {
      const isAudited = command.effect !== 'reads'
      const auditMark = isAudited ? '*' : ' '
      return `  ${formatUsage(command).padEnd(width)}  ${auditMark} ${command.description}`
    })
    return `${group}  (${groupDescriptions[group]})\n${lines.join('\n')}`
  })

  return paragraphs.join('\n\n')
}

/** Explains those arguments that the commands take. */
function formatArgumentDescriptions(commands: readonly AdminCommand[]): string {
  // An argument that can be left out is in brackets, such as `[FILE|-]`.
  const usedNames = new Set(
    commands.flatMap(({ argumentNames }) =>
      argumentNames.map((argument) => argument.replace(/[[\]]/g, '')),
    ),
  )

  return Object.entries(argumentDescriptions)
    .filter(([name]) => usedNames.has(name))
    .map(([name, text]) => `${name}: ${text}.`)
    .join('\n')
}

function formatUsage({ name, argumentNames }: AdminCommand): string {
  return [name, ...argumentNames].join(' ')
}

/** Returns the first word of the command's name. */
export function getGroup({ name }: AdminCommand): string {
  return name.split(' ')[0] ?? name
}
