import { isLoopbackUrl } from './http/loopback.server'
import { asksHelp } from './operations/operator-command.server'
import { readSettings, requireNoMistakes } from './operations/settings/settings.server'
import type { SettingName } from './operations/settings/settings-schema.server'

export { StartError } from './operations/settings/settings.server'

const { given, values, warnings, mistakes } = readSettings(process.env, process.cwd())
// After '--', a word is an argument, never an option.
const end = process.argv.indexOf('--')
const words = process.argv.slice(2, end === -1 ? undefined : end)
const isForHelp = asksHelp(words[0]) || words.includes('--help') || words.includes('-h')
// A command's help is printed with wrong settings, too.
if (!process.env.LEARNIFY_COMMAND || !isForHelp) {
  requireNoMistakes(mistakes)
}

/** The settings. A checkout runs in its own folder, where `.env` is, a release in any. */
export const env = values

/** Whether the operator has set it, so that the default isn't in effect. */
export const isSet = (name: SettingName): boolean => Boolean(given[name])

/** For the log at start. */
export const settingWarnings = warnings

/** Whether learners reach this product only on the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)
