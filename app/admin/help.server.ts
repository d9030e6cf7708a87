import { commandText, optionLines } from '~/server/operator-command.server'
import type { Act } from './act.server'
import { optionsOf } from './command-line.server'

const groups: Record<string, string> = {
  learner: 'one learner: look up, explain, help, block',
  learners: 'many learners at once, as CSV',
  course: 'courses and their learners',
  review: 'learners’ reviews',
  certificate: 'certificates and the key that signs them',
  audit: 'what operators did',
}

/** @param about '' for everything, a group, or the name of an act. */
export function helpText(acts: readonly Act[], about: string): string {
  const act = acts.find(({ name }) => name === about)
  return act ? helpOf(act) : listOf(acts, about)
}

/** What arguments mean wherever they are taken. */
const meanings: Record<string, string> = {
  LEARNER: 'an email address or a uid',
  COURSE: 'the ID of a course, as in its address',
  ID: 'of a review: its ID or its author’s uid; of a certificate: its number or the address of its page',
  FILE: 'a CSV file; - is standard output',
}

const usageOf = ({ name, takes }: Act) => [name, ...takes].join(' ')

function listOf(acts: readonly Act[], group: string): string {
  const shown = acts.filter(({ name }) => group === '' || name.startsWith(`${group} `))
  const width = Math.max(...shown.map((act) => usageOf(act).length))
  const names = [...new Set(shown.map(({ name }) => name.split(' ')[0] ?? ''))]
  const parts = names.map((name) => {
    const own = shown.filter((act) => act.name.startsWith(`${name} `))
    const lines = own.map((act) => `  ${usageOf(act).padEnd(width)}  ${mark(act)} ${act.says}`)
    return `${name}  (${groups[name]})\n${lines.join('\n')}`
  })
  const one = `${group || 'GROUP'} ACT`
  return `Usage: ${commandText('admin', `${one} ARGUMENTS`)}

${parts.join('\n\n')}

* is recorded in the audit because it changes data or takes learners’ data out.
${meaningsOf(shown)}
'${commandText('admin', `${one} --help`)}' shows an act’s options. Acts work whether or not Learnify is running.`
}

function meaningsOf(shown: readonly Act[]): string {
  const taken = new Set(shown.flatMap(({ takes }) => takes.flatMap((name) => name.match(/[A-Z]+/g) ?? [])))
  const known = Object.entries(meanings).filter(([name]) => taken.has(name))
  return known.map(([name, meaning]) => `${name}: ${meaning}.`).join('\n')
}

const mark = ({ effect }: Act) => (effect === 'reads' ? ' ' : '*')

const effects = {
  reads: 'Changes nothing.',
  exports: 'Changes nothing. Recorded in the audit, because it takes learners’ data out.',
  changes: 'Changes data. Recorded in the audit.',
}

function helpOf(act: Act): string {
  return `Usage: ${commandText('admin', usageOf(act))}

${[`${act.says.charAt(0).toUpperCase()}${act.says.slice(1)}.`, meaningsOf([act]), effects[act.effect]].filter(Boolean).join('\n')}

${optionLines(optionsOf(act)).join('\n')}`
}
