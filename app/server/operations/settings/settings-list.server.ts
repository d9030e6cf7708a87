import type { Variables } from './setting-sources.server'
import { readSettings } from './settings.server'
import { masked, meaningOf, type SettingName, settingNames } from './settings-schema.server'

type ShownSetting = { name: SettingName; value: string | null; source: string; meaning: string }
export type ShownSettings = { settings: ShownSetting[]; mistakes: string[]; warnings: string[] }

/** @returns every setting with the value that Learnify uses, for people and programs: secrets are masked. */
export function listSettings(variables: Variables, folder: string): ShownSettings {
  const { given, usable, mistakes, warnings } = readSettings({ ...variables, LEARNIFY_COMMAND: '' }, folder)
  const settings = settingNames.map((name) => {
    const { value, source } = given[name] ?? { value: textOf(usable[name]), source: 'default' }
    return { name, value: value && masked(name, value), source, meaning: meaningOf(name) }
  })
  return { settings, mistakes, warnings }
}

/** Of a default; null if there is none. */
function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

export function settingsText({ settings }: ShownSettings): string {
  const lines = settings.map(
    ({ name, value, source, meaning }) => `${name} = ${value ?? 'not set'}  (${source})\n    ${meaning}\n`,
  )
  return lines.join('')
}
