import { runCommand } from '../operator-command.server'
import { listSettings, settingsText } from './settings.server'

await runCommand({
  name: 'settings',
  forms: [
    {
      name: '',
      takes: [],
      options: { json: { says: 'the same for programs' } },
      says: 'show every setting, its value, where it is set and what it means',
      run: (_given, { json }) => print(json === true),
    },
  ],
  note: 'Passwords and secrets are never shown. Mistakes are listed all at once, and end the command with status 1.',
})

/** Doesn't import `env.server.ts`, which refuses to load when settings have mistakes. */
function print(json: boolean): void {
  const shown = listSettings(process.env, process.cwd())
  process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : settingsText(shown))
  for (const warning of shown.warnings) process.stderr.write(`Warning: ${warning}\n`)
  for (const mistake of shown.mistakes) process.stderr.write(`Mistake: ${mistake}\n`)
  if (shown.mistakes.length > 0) process.exitCode = 1
}
