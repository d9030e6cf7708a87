import { runCommand } from '../operator-command.server'
import { listSettings } from './settings.server'

await runCommand({
  name: 'settings',
  forms: [
    {
      name: '',
      takes: [],
      options: { json: { says: 'the same for programs' } },
      says: 'show every setting, its value and what it means',
      run: (_given, { json }) => print(json === true),
    },
  ],
  note: 'Secrets are never shown. Mistakes are listed all at once, and end the command with status 1.',
})

/** Doesn't import `env.server.ts`, which refuses to load when settings have mistakes. */
function print(json: boolean): void {
  const { settings, warnings, mistakes } = listSettings(process.env, process.cwd())
  if (json) {
    process.stdout.write(`${JSON.stringify({ settings, warnings, mistakes }, null, 2)}\n`)
  }

  for (const { name, value, isDefault, meaning } of json ? [] : settings) {
    process.stdout.write(
      `${name} = ${value ?? 'not set'}${isDefault ? '  (default)' : ''}\n    ${meaning}\n`,
    )
  }

  for (const warning of warnings) {
    process.stderr.write(`Warning: ${warning}\n`)
  }

  for (const mistake of mistakes) {
    process.stderr.write(`Mistake: ${mistake}\n`)
  }

  if (mistakes.length > 0) {
    process.exitCode = 1
  }
}
