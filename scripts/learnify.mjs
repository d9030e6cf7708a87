/**
 * The entry of a release's `bin/learnify`: starts the product, or runs one of the operator's
 * commands.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadProgram } from './load.mjs'

const folder = path.resolve(import.meta.dirname, '..')
const commands = readdirSync(path.join(folder, 'build/server'))
  .filter((fileName) => fileName.endsWith('.js') && !['main.js', 'state.js'].includes(fileName))
  .map((fileName) => path.basename(fileName, '.js'))
const usage = `Usage: learnify              start Learnify (same as 'learnify start')
       learnify COMMAND ...  ${commands.join(', ')}; '--help' says what one does
       learnify ready [N]    whether Learnify on PORT is ready, after N seconds at most; 'alive' only asks if it runs
       learnify version      the version and commit of this release
`

const [name = 'start', ...args] = process.argv.splice(2)
// `--` is allowed as in `npm run NAME -- ARGUMENTS`.
if (args[0] === '--') {
  args.shift()
}

// A command reads its own arguments from here.
process.argv.push(...args)

const takesHelpOption = ['start', 'ready', 'alive'].includes(name)
if (name === 'start' && args.length === 0) {
  await startProduct()
} else if (commands.includes(name)) {
  await runCommand()
} else if (isHelpWord(name) || (takesHelpOption && isHelpWord(args[0]))) {
  process.stdout.write(usage)
} else if (name === 'ready' || name === 'alive') {
  await waitAndExit(name)
} else if (['version', '--version'].includes(name)) {
  printVersion()
} else {
  process.stderr.write(`Unknown command: ${[name, ...args].join(' ')}\n${usage}`)
  process.exitCode = 2
}

async function startProduct() {
  const { run } = await loadProgram('main')
  await run()
}

async function runCommand() {
  // A command writes a short log unless LOG_LEVEL is set.
  process.env.LEARNIFY_COMMAND = name
  await loadProgram(name)
}

/**
 * Exits with status 0 if the product is ready or alive in time.
 *
 * @param {'ready' | 'alive'} expectedStatus
 */
async function waitAndExit(expectedStatus) {
  // Scripts read the exit status, so there is no log, as in a command.
  process.env.LEARNIFY_COMMAND = name
  const { waitForStatus } = await loadProgram('state')

  // An invalid number of seconds counts as 0.
  const seconds = Number(args[0]) || 0
  const isReached = await waitForStatus(expectedStatus, seconds)
  process.exit(isReached ? 0 : 1)
}

function printVersion() {
  const { version, commit } = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8'))
  process.stdout.write(`Learnify ${version} (${commit})\n`)
}

/** @param {string} [word] */
function isHelpWord(word) {
  return word !== undefined && ['help', '--help', '-h'].includes(word)
}
