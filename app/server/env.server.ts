import { isLoopbackUrl } from './loopback.server'
import { asksHelp } from './operator-command.server'
import { readSettings, readUsable, settingsError } from './settings/settings.server'

export { StartError } from './settings/settings.server'

const settings = readSettings(process.env, process.cwd())
// Whoever asks a command for help gets it with settings that are wrong, too.
const usable = settings.environment ?? (isForHelp() ? readUsable({}) : null)
if (!usable) throw settingsError(settings.mistakes)

/** The settings. A checkout runs in its own folder, where `.env` is, a release in any. */
export const env = usable

/** What the operator should look at; said in the log at start. */
export const settingWarnings = settings.warnings

/** True when learners reach this product only on the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)

function isForHelp(): boolean {
  const words = process.env.LEARNIFY_COMMAND ? process.argv.slice(2) : []
  // What is behind '--' is no option.
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  return asksHelp(words[0]) || options.includes('--help') || options.includes('-h')
}
