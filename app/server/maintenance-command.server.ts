import { parseArgs } from 'node:util'
import { db, openDatabaseForCommand } from './database/client.server'
import { StartError } from './env.server'
import { longestMessage, type Maintenance, maintenanceSentence, readUntil } from './maintenance-words'
import { readProductState, recordMaintenance } from './product-state.server'

const usage = `Usage: npm run maintenance -- on [--message TEXT] [--until TIME]  pause changes and signed-in pages; public pages stay up
       npm run maintenance -- off                                accept everything again
       npm run maintenance -- status                             show whether it’s on, and what visitors see

TEXT has up to ${longestMessage} characters. TIME is 15:30 by this machine's clock, or 2026-11-22T15:30Z. It stays on until you
turn it off. Every process notices within two seconds.
`

type Act = (() => Promise<void>) | null
const act = readAct()
if (act) await run(act)

function readAct(): Act {
  const [name, ...rest] = process.argv.slice(2)
  if (name === '--help' || name === 'help') {
    process.stdout.write(usage)
    return null
  }
  try {
    const options = { message: { type: 'string' }, until: { type: 'string' } } as const
    const { values } = parseArgs({ args: rest, options: name === 'on' ? options : {}, strict: true })
    if (name === 'on') return turnOn(values)
    if (name === 'off') return () => change(null)
    if (name === 'status') return async () => say((await readProductState(db, null)).maintenance ?? null)
    return refuse(`Unknown command: ${name ?? ''}`)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function refuse(sentence: string): null {
  process.stderr.write(`${sentence}\n${usage}`)
  process.exitCode = 1
  return null
}

function turnOn({ message, until }: { message?: string; until?: string }): Act {
  const at = until === undefined ? null : readUntil(until, new Date())
  if (until !== undefined && !at) return refuse(`--until: expected a time in the future, like 15:30; not '${until}'.`)
  const words = message?.trim()
  if (words !== undefined && (words === '' || words.length > longestMessage || /[<>]/.test(words)))
    return refuse(`--message: expected up to ${longestMessage} characters, without < and >.`)
  return () => change({ message: words ?? null, until: at?.toISOString() ?? null })
}

async function change(maintenance: Maintenance | null): Promise<void> {
  await recordMaintenance(db, maintenance)
  say(maintenance)
}

function say(maintenance: Maintenance | null): void {
  if (!maintenance) process.stdout.write('Maintenance mode is off.\n')
  else process.stdout.write(`Maintenance mode is on. Visitors see: ${maintenanceSentence(maintenance, new Date())}\n`)
}

async function run(work: () => Promise<void>): Promise<void> {
  try {
    const close = await openDatabaseForCommand()
    await work().finally(close)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
