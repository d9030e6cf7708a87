import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { isLoopbackUrl } from '../../http/loopback-url.server'
import { didYouMean } from '../../validation/schema-problems'
import { describeSetting, isSecret, settingNames, settingsSchema } from './settings-schema.server'
import {
  canBeInFile,
  parseSsoVariable,
  readSsoSettings,
  type SsoSettings,
} from './sso-settings.server'

type Variables = Record<string, string | undefined>
export type Environment = ReturnType<typeof completeSettings>

/** An operator's mistake that stops the start. Its message is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Scripts, not operators, set these: how the product was built, and the command that runs, if any. */
const schema = settingsSchema.extend({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LEARNIFY_COMMAND: z.string().optional(),
})

/** Settings that have no meaning without each other. */
const groups = [
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
]

/**
 * Reads the settings from the environment, then from the file that `ENV_FILE` names, or `.env`.
 * `NAME_FILE` may name a file that has a secret. An empty value counts as not set.
 *
 * The file is parsed by Node, but not put into `process.env`, where every program that Learnify
 * starts would find its secrets.
 *
 * @param folder the folder of `.env`, and the base of relative file names
 * @returns the settings, or the defaults if there are mistakes. Mistakes and warnings are sentences.
 */
export function readSettings(variables: Variables, folder: string) {
  const mistakes: string[] = []
  const read = (name: string, file: string): string => {
    try {
      const text = readFileSync(path.resolve(folder, file), 'utf8')
      if (!text.trim() && name !== 'ENV_FILE') {
        mistakes.push(`${name}: ${file} is empty.`)
      }

      return text
    } catch (error) {
      mistakes.push(`${name}: ${file} can’t be read (${(error as NodeJS.ErrnoException).code}).`)
      return ''
    }
  }

  const file = variables.ENV_FILE || '.env'
  const hasFile = variables.ENV_FILE || existsSync(path.resolve(folder, file))
  const inFile: Variables = hasFile ? parseEnv(read('ENV_FILE', file)) : {}
  const given = { ...withoutEmpty(inFile), ...withoutEmpty(variables) }
  const secretNames = listSecretNames(given)
  for (const name of secretNames) {
    const secretFile = given[`${name}_FILE`]
    if (!secretFile) {
      continue
    }

    if (given[name]) {
      mistakes.push(`${name} and ${name}_FILE are both set. Keep one of them.`)
    }

    const secret = read(`${name}_FILE`, secretFile).trim()
    if (/[\r\n]/.test(secret)) {
      mistakes.push(`${name}_FILE: ${secretFile} has more than one line.`)
    } else if (secret) {
      given[name] = secret
    }
  }

  const knownNames: string[] = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)]
  const warnings = Object.keys(inFile)
    // The service may have read the same file into its environment.
    .filter(
      (name) =>
        !knownNames.includes(name) && !parseSsoVariable(name) && variables[name] !== inFile[name],
    )
    .map((name) => `${file}: ${name} isn’t a setting.${didYouMean(name, knownNames)}`)

  const parsed = schema.safeParse(given)
  for (const { path, message } of parsed.error?.issues ?? []) {
    mistakes.push(`${path.join('.')}: expected ${message}`)
  }

  mistakes.push(...findIncompleteGroups(given))
  const sso = readSsoSettings(given)
  mistakes.push(...sso.mistakes)

  return {
    given,
    values: completeSettings(parsed.data ?? schema.parse({}), sso.providers),
    warnings,
    mistakes,
  }
}

/** Returns the settings whose value may be in a file that `NAME_FILE` names. */
function listSecretNames(given: Variables): string[] {
  const ssoNames = Object.keys(given)
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.slice(0, -'_FILE'.length))
    .filter(canBeInFile)
  return [...settingNames.filter(isSecret), ...ssoNames]
}

/** Returns a sentence about each group of settings of which only some are set. */
function findIncompleteGroups(given: Variables): string[] {
  return groups.flatMap((names) => {
    const missing = names.filter((name) => !given[name])
    if (missing.length === 0 || missing.length === names.length) {
      return []
    }

    return `${names.join(', ')}: set all of them or none. Missing: ${missing.join(', ')}.`
  })
}

/** @throws {StartError} with every wrong value and the expected form */
export function requireNoMistakes(mistakes: readonly string[]): void {
  if (mistakes.length === 0) {
    return
  }

  throw new StartError(
    `These settings are invalid:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
  )
}

function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
}

/** Adds the defaults that depend on other settings. */
function completeSettings(values: z.output<typeof schema>, sso: SsoSettings[]) {
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  const isLoopback = isLoopbackUrl(publicUrl)

  return {
    ...values,
    SSO: sso,
    DATA_DIR: path.resolve(values.DATA_DIR),
    CONTENT_DIR: path.resolve(values.CONTENT_DIR),
    PUBLIC_URL: publicUrl,
    // Only a proxy needs time to notice that the process is stopping.
    DRAIN_SECONDS: values.DRAIN_SECONDS ?? (isLoopback ? 0 : 10),
    DEMO_ACCOUNT: values.DEMO_ACCOUNT ?? isLoopback,
    // A command prints its own result.
    LOG_LEVEL: values.LOG_LEVEL ?? (values.LEARNIFY_COMMAND ? 'warn' : 'info'),
  }
}

/** Returns every setting with the value that Learnify uses. Secrets are masked. */
export function listSettings(variables: Variables, folder: string) {
  const { given, values, mistakes, warnings } = readSettings(
    { ...variables, LEARNIFY_COMMAND: '' },
    folder,
  )
  const settings = settingNames.map((name) => {
    const value = given[name] ?? formatDefault(values[name])
    // An operator may have set the secret key of backups instead of the public key.
    const isHidden = value && (isSecret(name) || value.includes('AGE-SECRET-KEY'))

    return {
      name,
      value: isHidden ? '*****' : value,
      isDefault: !given[name],
      meaning: describeSetting(name),
    }
  })
  const sso = Object.keys(given).flatMap((name) => {
    const set = parseSsoVariable(name)
    const value = set?.isSecret ? '*****' : (given[name] ?? null)
    return set ? [{ name, value, isDefault: false, meaning: set.meaning }] : []
  })

  return {
    settings: [...settings, ...sso.toSorted((a, b) => a.name.localeCompare(b.name))],
    mistakes,
    warnings,
  }
}

/** Returns null for a setting without a default, or with a list as its default. */
function formatDefault(value: unknown): string | null {
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off'
  }

  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
