import { runCommand } from '../operator-command.server'
import { listSettings } from './settings.server'

await runCommand({
  name: 'settings',
  forms: [
    {
      name: '',
      argumentNames: [],
      options: { json: { description: 'the same for programs' } },
      description: 'show every setting, its value and what it means',
      run: (_given, { json }) => printSettings(json === true),
    },
  ],
  note: 'Secrets are never shown. Mistakes are listed all at once, and end the command with status 1.',
})

/**
 * Prints all settings, and their mistakes. This file must not import `env.server.ts`, which throws
 * when settings have mistakes.
 */
function printSettings(asJson: boolean): void {
  const { settings, warnings, mistakes } = listSettings(process.env, process.cwd())
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ settings, warnings, mistakes }, null, 2)}\n`)
  }

  for (const { name, value, isDefault, meaning } of asJson ? [] : settings) {
    const origin = isDefault ? '  (default)' : ''
    process.stdout.write(`${name} = ${value ?? 'not set'}${origin}\n    ${meaning}\n`)
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
