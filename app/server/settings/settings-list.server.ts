import { masked } from './setting-secrets.server'
import type { Variables } from './setting-sources.server'
import { readSettings, readUsable } from './settings.server'
import { meaningOf, type SettingName, settingNames } from './settings-schema.server'

/** For people and programs: secrets are masked. */
type ShownSetting = { name: SettingName; value: string | null; source: string; meaning: string }
export type ShownSettings = { settings: ShownSetting[]; mistakes: string[]; warnings: string[] }

/** @returns every setting with the value that Learnify uses, also when some of them can't be used. */
export function listSettings(variables: Variables, folder: string): ShownSettings {
  const { given, environment, mistakes, warnings } = readSettings({ ...variables, LEARNIFY_COMMAND: '' }, folder)
  const values = Object.entries(given).map(([name, { value }]) => [name, value])
  const used = environment ?? readUsable(Object.fromEntries(values))
  const settings = settingNames.map((name) => {
    const { value, source } = given[name] ?? { value: textOf(used[name]), source: 'default' }
    return { name, value: value === null ? null : masked(name, value), source, meaning: meaningOf(name) }
  })
  return { settings, mistakes, warnings }
}

/** Of a default; null where there is none. */
function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

export function settingsText({ settings }: ShownSettings): string {
  return settings
    .map(({ name, value, source, meaning }) => `${name} = ${value ?? 'not set'}  (${source})\n    ${meaning}\n`)
    .join('')
}
