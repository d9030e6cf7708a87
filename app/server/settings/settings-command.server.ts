import { listSettings, settingsText } from './settings-list.server'

const usage = `Usage: npm run settings            show every setting, its value, where it is set and what it means
       npm run settings -- --json  the same for programs

Passwords and secrets are never shown. Mistakes are listed all at once, and end the command with status 1.
`

const [option, ...rest] = process.argv.slice(2)
if (option === '--help' || option === 'help') process.stdout.write(usage)
else if (rest.length > 0 || (option !== undefined && option !== '--json')) {
  process.stderr.write(`Unknown option: ${[option, ...rest].join(' ')}\n${usage}`)
  process.exitCode = 1
} else show(option === '--json')

/** Beside `env.server.ts`, which ends a program that has mistakes in its settings. */
function show(json: boolean): void {
  const shown = listSettings(process.env, process.cwd())
  process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : settingsText(shown))
  for (const warning of shown.warnings) process.stderr.write(`Warning: ${warning}\n`)
  for (const mistake of shown.mistakes) process.stderr.write(`Mistake: ${mistake}\n`)
  if (shown.mistakes.length > 0) process.exitCode = 1
}
