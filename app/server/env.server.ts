import { isLoopbackUrl } from './loopback.server'
import { readSettings, settingsError } from './settings/settings.server'

export { StartError } from './settings/settings.server'

const settings = readSettings(process.env, process.cwd())
if (!settings.environment) throw settingsError(settings.mistakes)

/** The settings. A checkout runs in its own folder, where `.env` is, a release in any. */
export const env = settings.environment

/** What the operator should look at; said in the log at start. */
export const settingWarnings = settings.warnings

/** True when learners reach this product only on the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)
