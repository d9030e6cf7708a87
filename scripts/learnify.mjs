/** What `bin/learnify` of a release runs: the product, or one of the operator's commands. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { load } from './load.mjs'

const folder = path.resolve(import.meta.dirname, '..')
const commands = readdirSync(path.join(folder, 'build/server'))
  .filter((name) => name.endsWith('.js') && name !== 'main.js')
  .map((name) => path.basename(name, '.js'))
const usage = `Usage: learnify              start Learnify (same as 'learnify start')
       learnify COMMAND ...  ${commands.join(', ')}; '--help' says what one does
       learnify version      the version and commit of this release
`
const [name = 'start', ...rest] = process.argv.splice(2)
process.argv.push(...rest)

if (name === 'start' && rest.length === 0) {
  const { run } = await load('main')
  await run()
} else if (commands.includes(name)) {
  // Its log is short unless LOG_LEVEL is set.
  process.env.LEARNIFY_COMMAND = name
  await load(name)
} else if (['help', '--help', '-h'].includes(name)) process.stdout.write(usage)
else if (['version', '--version'].includes(name)) {
  const { version, commit } = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8'))
  process.stdout.write(`Learnify ${version} (${commit})\n`)
} else {
  process.stderr.write(`Unknown command: ${[name, ...rest].join(' ')}\n${usage}`)
  process.exitCode = 2
}
