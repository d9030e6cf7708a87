import path from 'node:path'
import * as z from 'zod'
import { isLoopbackUrl } from '../../http/loopback.server'
import { readSources, type Variables } from './setting-sources.server'
import { masked, meaningOf, type SettingName, settingNames, settingsSchema } from './settings-schema.server'

export type Environment = ReturnType<typeof completed>

/** An operator's mistake that stops the start; its message is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** `scripts/` set these, not operators: how the product was built, and the command that runs, if any. */
const schema = settingsSchema.extend({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LEARNIFY_COMMAND: z.string().optional(),
})

/** @returns the given settings, the mistakes, and the settings that Learnify would use without the mistaken ones. */
export function readSettings(variables: Variables, folder: string) {
  const { given, mistakes, warnings } = readSources(variables, folder)
  const { NODE_ENV, LEARNIFY_COMMAND } = variables
  const values = Object.entries(given).map(([name, { value }]) => [name, value])
  const parsed = parse({ NODE_ENV, LEARNIFY_COMMAND, ...Object.fromEntries(values) })
  return { given, warnings, usable: parsed.usable, mistakes: [...mistakes, ...parsed.mistakes] }
}

/** @throws {StartError} naming every wrong value and the expected form. */
export function readEnvironment(variables: Variables): Environment {
  const { usable, mistakes } = parse(variables)
  requireNoMistakes(mistakes)
  return usable
}

export function requireNoMistakes(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return
  throw new StartError(`These settings are invalid:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
}

function parse(variables: Variables): { usable: Environment; mistakes: string[] } {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
  const issues = schema.safeParse(given).error?.issues ?? []
  const mistakes = issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`)
  const wrong = issues.map(({ path }) => path[0])
  const usable = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name)))
  return { usable: completed(schema.parse(usable)), mistakes: [...mistakes, ...listHalves(given)] }
}

/** Settings that mean nothing without each other. */
const wholes = [
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
]

function listHalves(given: Variables): string[] {
  const list = new Intl.ListFormat('en-US')
  return wholes.flatMap((names) => {
    const set = names.filter((name) => given[name])
    const missing = names.filter((name) => !given[name])
    if (set.length === 0 || missing.length === 0) return []
    return set.length === 1
      ? `${list.format(set)} is set, so ${list.format(missing)} must be set, too.`
      : `${list.format(set)} are set, so ${list.format(missing)} must be set, too.`
  })
}

/** With the defaults that depend on other settings. */
function completed(values: z.output<typeof schema>) {
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  const isLoopback = isLoopbackUrl(publicUrl)
  return {
    ...values,
    DATA_DIR: path.resolve(values.DATA_DIR),
    CONTENT_DIR: path.resolve(values.CONTENT_DIR),
    PUBLIC_URL: publicUrl,
    // Only a proxy needs time to notice that the process is stopping.
    DRAIN_SECONDS: values.DRAIN_SECONDS ?? (isLoopback ? 0 : 10),
    DEMO_ACCOUNT: values.DEMO_ACCOUNT ?? isLoopback,
    // A command prints its own answer.
    LOG_LEVEL: values.LOG_LEVEL ?? (values.LEARNIFY_COMMAND ? 'warn' : 'info'),
  }
}

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

/** The text of a default value; null without one. */
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
