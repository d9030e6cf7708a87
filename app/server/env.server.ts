import { isLoopbackUrl } from './http/loopback.server'
import { asksHelp } from './operations/operator-command.server'
import { readSettings, requireNoMistakes } from './operations/settings/settings.server'

export { StartError } from './operations/settings/settings.server'

const settings = readSettings(process.env, process.cwd())
// A command's help is printed with wrong settings, too.
if (!isForHelp()) requireNoMistakes(settings.mistakes)

/** The settings. A checkout runs in its own folder, where `.env` is, a release in any. */
export const env = settings.usable

/** For the log at start. */
export const settingWarnings = settings.warnings

/** Whether learners reach this product only on the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)

function isForHelp(): boolean {
  if (!process.env.LEARNIFY_COMMAND) return false
  const words = process.argv.slice(2)
  // After '--', a word is an argument, never an option.
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  return asksHelp(words[0]) || options.includes('--help') || options.includes('-h')
}
