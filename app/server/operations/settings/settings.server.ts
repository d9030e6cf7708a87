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

/**
 * Scripts, not operators, set these: how the product was built, and the command that runs, if any.
 */
const schema = settingsSchema.extend({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LEARNIFY_COMMAND: z.string().optional(),
})

/** Settings that have no meaning without each other. */
const settingGroups = [
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
 * @returns `values` with the settings, or with the defaults if there are mistakes, and `rawValues`
 * with the texts that the operator has set. Mistakes and warnings are sentences.
 */
export function readSettings(variables: Variables, folder: string) {
  const mistakes: string[] = []
  const envFile = readEnvFile(variables.ENV_FILE, folder, mistakes)
  const rawValues = { ...withoutEmpty(envFile.variables), ...withoutEmpty(variables) }

  const secretNames = listSecretNames(rawValues)
  for (const name of secretNames) {
    const secret = readSecretFile(name, rawValues, folder, mistakes)
    if (secret) {
      rawValues[name] = secret
    }
  }

  const knownNames: string[] = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)]
  const warnings = Object.keys(envFile.variables)
    .filter((name) => !knownNames.includes(name) && !parseSsoVariable(name))
    // systemd or Docker may have read the same file into the environment, for other programs as
    // well.
    .filter((name) => variables[name] !== envFile.variables[name])
    .map((name) => `${envFile.name}: ${name} isn’t a setting.${didYouMean(name, knownNames)}`)

  const parsed = schema.safeParse(rawValues)
  for (const { path, message } of parsed.error?.issues ?? []) {
    mistakes.push(`${path.join('.')}: expected ${message}`)
  }

  mistakes.push(...findIncompleteGroups(rawValues))
  const sso = readSsoSettings(rawValues)
  mistakes.push(...sso.mistakes)

  return {
    rawValues,
    values: completeSettings(parsed.data ?? schema.parse({}), sso.providers),
    warnings,
    mistakes,
  }
}

/** Reads the file that `ENV_FILE` names, or `.env`, if it exists. */
function readEnvFile(
  fileName: string | undefined,
  folder: string,
  mistakes: string[],
): { name: string; variables: Variables } {
  const name = fileName || '.env'
  const isExpected = fileName || existsSync(path.resolve(folder, name))
  if (!isExpected) {
    return { name, variables: {} }
  }

  return { name, variables: parseEnv(readSettingFile('ENV_FILE', name, folder, mistakes)) }
}

/**
 * Reads the file that `NAME_FILE` names. Returns an empty text without a file and after a mistake.
 */
function readSecretFile(
  name: string,
  rawValues: Variables,
  folder: string,
  mistakes: string[],
): string {
  const file = rawValues[`${name}_FILE`]
  if (!file) {
    return ''
  }

  if (rawValues[name]) {
    mistakes.push(`${name} and ${name}_FILE are both set. Keep one of them.`)
  }

  const secret = readSettingFile(`${name}_FILE`, file, folder, mistakes).trim()
  if (/[\r\n]/.test(secret)) {
    mistakes.push(`${name}_FILE: ${file} has more than one line.`)
    return ''
  }

  return secret
}

/** @param setting the name of the setting that names the file, for the text of a mistake */
function readSettingFile(
  setting: string,
  file: string,
  folder: string,
  mistakes: string[],
): string {
  try {
    const text = readFileSync(path.resolve(folder, file), 'utf8')
    if (!text.trim() && setting !== 'ENV_FILE') {
      mistakes.push(`${setting}: ${file} is empty.`)
    }

    return text
  } catch (error) {
    mistakes.push(`${setting}: ${file} can’t be read (${(error as NodeJS.ErrnoException).code}).`)
    return ''
  }
}

/** Returns the settings whose value may be in a file that `NAME_FILE` names. */
function listSecretNames(rawValues: Variables): string[] {
  const ssoNames = Object.keys(rawValues)
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.slice(0, -'_FILE'.length))
    .filter(canBeInFile)
  return [...settingNames.filter(isSecret), ...ssoNames]
}

/** Returns a sentence about each group of settings of which only some are set. */
function findIncompleteGroups(rawValues: Variables): string[] {
  return settingGroups.flatMap((names) => {
    const missing = names.filter((name) => !rawValues[name])
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
function completeSettings(values: z.output<typeof schema>, ssoProviders: SsoSettings[]) {
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  const isLoopback = isLoopbackUrl(publicUrl)

  return {
    ...values,
    SSO: ssoProviders,
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
  const { rawValues, values, mistakes, warnings } = readSettings(
    { ...variables, LEARNIFY_COMMAND: '' },
    folder,
  )
  const settings = settingNames.map((name) => {
    const value = rawValues[name] ?? formatDefault(values[name])
    // An operator may have set the secret key of backups instead of the public key.
    const isHidden = value && (isSecret(name) || value.includes('AGE-SECRET-KEY'))

    return {
      name,
      value: isHidden ? '*****' : value,
      isDefault: !rawValues[name],
      meaning: describeSetting(name),
    }
  })
  const ssoSettings = Object.keys(rawValues).flatMap((name) => {
    const variable = parseSsoVariable(name)
    if (variable === null) {
      return []
    }

    const value = variable.isSecret ? '*****' : (rawValues[name] ?? null)
    return [{ name, value, isDefault: false, meaning: variable.meaning }]
  })

  return {
    settings: [...settings, ...ssoSettings.toSorted((a, b) => a.name.localeCompare(b.name))],
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
