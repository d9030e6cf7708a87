/** The entry of a release's `bin/learnify`: the product, or one of the operator's commands. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadProgram } from './load.mjs'

const folder = path.resolve(import.meta.dirname, '..')
const commands = readdirSync(path.join(folder, 'build/server'))
  .filter((name) => name.endsWith('.js') && !['main.js', 'state.js'].includes(name))
  .map((name) => path.basename(name, '.js'))
const usage = `Usage: learnify              start Learnify (same as 'learnify start')
       learnify COMMAND ...  ${commands.join(', ')}; '--help' says what one does
       learnify ready [N]    whether Learnify on PORT is ready, after N seconds at most; 'alive' only asks if it runs
       learnify version      the version and commit of this release
`
const [name = 'start', ...rest] = process.argv.splice(2)
// `--` is allowed as in `npm run NAME -- ARGUMENTS`.
if (rest[0] === '--') {
  rest.shift()
}

process.argv.push(...rest)

if (name === 'start' && rest.length === 0) {
  const { run } = await loadProgram('main')
  await run()
} else if (commands.includes(name)) {
  // Its log is short unless LOG_LEVEL is set.
  process.env.LEARNIFY_COMMAND = name
  await loadProgram(name)
} else if (
  isHelpWord(name) ||
  (['start', 'ready', 'alive'].includes(name) && isHelpWord(rest[0]))
) {
  process.stdout.write(usage)
} else if (name === 'ready' || name === 'alive') {
  // An answer for scripts, like a command's: without a log of its own.
  process.env.LEARNIFY_COMMAND = name
  const { waitForStatus } = await loadProgram('state')
  // An invalid number of seconds counts as 0.
  process.exit((await waitForStatus(name, Number(rest[0]) || 0)) ? 0 : 1)
} else if (['version', '--version'].includes(name)) {
  const { version, commit } = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8'))
  process.stdout.write(`Learnify ${version} (${commit})\n`)
} else {
  process.stderr.write(`Unknown command: ${[name, ...rest].join(' ')}\n${usage}`)
  process.exitCode = 2
}

/** @param {string} [word] */
function isHelpWord(word) {
  return word !== undefined && ['help', '--help', '-h'].includes(word)
}
