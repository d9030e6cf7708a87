import { isLoopbackUrl } from './http/loopback-url.server'
import { isHelpRequest } from './operations/operator-command.server'
import { readSettings, requireNoMistakes } from './operations/settings/settings.server'
import type { SettingName } from './operations/settings/settings-schema.server'

export { StartError } from './operations/settings/settings.server'

const { rawValues, values, warnings, mistakes } = readSettings(process.env, process.cwd())
// A command prints its help even if settings are wrong.
const isHelpCommand =
  Boolean(process.env.LEARNIFY_COMMAND) && isHelpRequested(process.argv.slice(2))
if (!isHelpCommand) {
  requireNoMistakes(mistakes)
}

function isHelpRequested(args: string[]): boolean {
  // Everything after '--' is an argument, never an option.
  const separator = args.indexOf('--')
  const options = separator === -1 ? args : args.slice(0, separator)
  return isHelpRequest(options[0]) || options.includes('--help') || options.includes('-h')
}

/** The settings of this process. */
export const env = values

/** Returns whether the operator has set a setting, so that its default has no effect. */
export function isSet(name: SettingName): boolean {
  return Boolean(rawValues[name])
}

/** Sentences that the log gets when the product starts. */
export const settingWarnings = warnings

/** Whether this product can be reached only from the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)
