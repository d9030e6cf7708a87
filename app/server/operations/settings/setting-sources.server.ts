import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { didYouMean } from '../../content/schema-problems'
import { isSecret, masked, type SettingName, settingNames } from './settings-schema.server'

export type Variables = Record<string, string | undefined>
/** A value and where it is from: `environment`, `.env` or the name of a file. */
type Given = { value: string; source: string }
/** The raw settings, before their values are checked; every mistake and warning is a sentence. */
export type Sources = { given: Partial<Record<SettingName, Given>>; mistakes: string[]; warnings: string[] }

/**
 * Settings come from the environment, then from the file that `ENV_FILE` names, or `.env`. `NAME_FILE` may name a file with a
 * secret, as Docker and systemd hand them out. An empty value counts as not set.
 *
 * `process.loadEnvFile` would hand the file's secrets to every program that Learnify starts.
 *
 * @param folder where `.env` is, and what relative names begin at.
 */
export function readSources(variables: Variables, folder: string): Sources {
  const sources: Sources = { given: {}, mistakes: [], warnings: [] }
  const file = variables.ENV_FILE || '.env'
  const isThere = variables.ENV_FILE || existsSync(path.resolve(folder, file))
  const inFile: Variables = isThere ? parseEnv(readText(path.resolve(folder, file), 'ENV_FILE', sources)) : {}
  const find = (name: string): Given | undefined => {
    const value = variables[name] || inFile[name]
    return value ? { value, source: variables[name] ? 'environment' : file } : undefined
  }

  for (const name of settingNames) {
    const plain = find(name)
    const named = isSecret(name) ? find(`${name}_FILE`) : undefined
    if (plain && named) {
      const places = `${name} (${plain.source}) and ${name}_FILE (${named.source})`
      sources.mistakes.push(`${places} are both set. Keep one of them.`)
    } else if (named) {
      takeSecret(path.resolve(folder, named.value), name, sources)
    } else if (plain) {
      sources.given[name] = plain
    }
  }

  const known = [...settingNames, ...settingNames.filter(isSecret).map((name) => `${name}_FILE`)]
  for (const [name, value] of Object.entries(inFile)) {
    // The service may have read the same file into its environment.
    if (known.includes(name) || variables[name] === value) continue
    sources.warnings.push(`${file}: ${name} isn’t a setting.${didYouMean(name, known)}`)
  }
  const secret = settingNames.find((name) => inFile[name] && masked(name, inFile[name]) !== inFile[name])
  if (secret) warnOfReaders(path.resolve(folder, file), secret, sources)
  return sources
}

function takeSecret(file: string, name: SettingName, sources: Sources): void {
  const value = readText(file, `${name}_FILE`, sources).replace(/[\r\n]+$/, '')
  if (/[\r\n]/.test(value)) sources.mistakes.push(`${name}_FILE: ${file} has more than one line.`)
  else if (value) {
    sources.given[name] = { value, source: file }
    warnOfReaders(file, name, sources)
  }
}

function readText(file: string, setting: string, { mistakes }: Sources): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (!text.trim() && setting !== 'ENV_FILE') mistakes.push(`${setting}: ${file} is empty.`)
    return text
  } catch (error) {
    mistakes.push(`${setting}: ${file} can’t be read (${(error as NodeJS.ErrnoException).code}).`)
    return ''
  }
}

/** Docker gives its secrets to one container alone, in which everyone can read them. */
function warnOfReaders(file: string, name: SettingName, { warnings }: Sources): void {
  if (process.platform === 'win32' || file.startsWith('/run/secrets/')) return
  if (statSync(file).mode & 0o004) {
    warnings.push(`Everyone on this machine can read ${file}, which holds ${name}. Run: chmod 600 ${file}`)
  }
}
