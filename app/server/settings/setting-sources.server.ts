import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { didYouMean } from '../content/schema-problems'
import { holdsPassword, isSecret } from './setting-secrets.server'
import { type SettingName, settingNames } from './settings-schema.server'

export type Variables = Record<string, string | undefined>
/** A value and where it is from, for people: `environment`, `.env, line 3`, `/run/secrets/smtp`. */
type Given = { value: string; source: string }
/** What was given, before anybody looks at the values; every mistake and warning is a sentence. */
export type Sources = { given: Partial<Record<SettingName, Given>>; mistakes: string[]; warnings: string[] }
type Line = { value: string; line: number }
type Read = { file: string; lines: Map<string, Line> }

/** Read by Node.js or npm themselves before any file of settings, so that they belong into the real environment. */
const environmentOnly = /^(NODE_|npm_|UV_|TZ$|LD_)/

/**
 * Settings come from the environment, then from the file that `ENV_FILE` names, or `.env` in the product's folder. Of a
 * secret, `NAME_FILE` may name a file that holds it, as Docker and systemd hand them over. An empty text counts as not set.
 *
 * @param folder where `.env` is, and what relative names begin at.
 */
export function readSources(environment: Variables, folder: string): Sources {
  const sources: Sources = { given: {}, mistakes: [], warnings: [] }
  const read = readFile(environment, folder, sources)
  const variables = new Map<string, Given>()
  for (const [name, { value, line }] of read?.lines ?? []) {
    if (value) variables.set(name, { value, source: `${read?.file}, line ${line}` })
  }
  for (const [name, value] of Object.entries(environment)) {
    if (value) variables.set(name, { value, source: 'environment' })
  }
  for (const name of settingNames) take(name, variables, folder, sources)
  if (read) warnOfFile(read, environment, folder, sources)
  return sources
}

function take(name: SettingName, variables: Map<string, Given>, folder: string, sources: Sources): void {
  const plain = variables.get(name)
  const named = isSecret(name) ? variables.get(`${name}_FILE`) : undefined
  if (plain && named) {
    const places = `${name} (${plain.source}) and ${name}_FILE (${named.source})`
    sources.mistakes.push(`${places} are both set. Keep one of them.`)
  } else if (named) takeFromFile(name, path.resolve(folder, named.value), sources)
  else if (plain) sources.given[name] = plain
}

function takeFromFile(name: SettingName, file: string, sources: Sources): void {
  try {
    const value = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    if (!value) sources.mistakes.push(`${name}_FILE: ${file} is empty.`)
    else if (/[\r\n]/.test(value)) sources.mistakes.push(`${name}_FILE: ${file} has more than one line.`)
    else sources.given[name] = { value, source: file }
    warnOfReaders(file, name, sources)
  } catch (error) {
    sources.mistakes.push(`${name}_FILE: ${file} can’t be read (${codeOf(error)}).`)
  }
}

function readFile({ ENV_FILE }: Variables, folder: string, sources: Sources): Read | null {
  const file = path.resolve(folder, ENV_FILE || '.env')
  if (!ENV_FILE && !existsSync(file)) return null
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
    return { file: ENV_FILE || '.env', lines: parse(text, ENV_FILE || '.env', sources) }
  } catch (error) {
    const mistake = `${file} can’t be read (${codeOf(error)}).`
    sources.mistakes.push(ENV_FILE ? `ENV_FILE: ${mistake}` : mistake)
    return null
  }
}

/** Node's parser says nothing about what it doesn't understand, and where a value is cut. */
function parse(text: string, file: string, { mistakes }: Sources): Map<string, Line> {
  const found = new Map<string, Line>()
  const values = parseEnv(text)
  const open = Object.keys(values).find((name) => values[name]?.includes('\n'))
  if (open) {
    mistakes.push(`${file}: the value of ${open} goes over several lines. Is a quote missing?`)
    return found
  }
  for (const [index, words] of text.split('\n').entries()) {
    const place = `${file}, line ${index + 1}`
    const [, name, value = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/.exec(words) ?? []
    if (name) {
      const earlier = found.get(name)
      if (earlier) mistakes.push(`${place}: ${name} is already set on line ${earlier.line}.`)
      if (isCut(value)) mistakes.push(`${place}: # would end the value of ${name}. Put the value in quotes.`)
      found.set(name, { value: values[name] ?? '', line: index + 1 })
    } else if (!/^\s*(#|$)/.test(words)) mistakes.push(`${place}: expected NAME=value.`)
  }
  return found
}

function isCut(value: string): boolean {
  return /^[^"'`\s][^#]*#/.test(value) && !/^[^#]*\s#/.test(value)
}

function warnOfFile({ file, lines }: Read, environment: Variables, folder: string, sources: Sources): void {
  const known = [...settingNames, ...settingNames.filter(isSecret).map((name) => `${name}_FILE`)]
  for (const [name, { line, value }] of lines) {
    // The service may have read the same file into its environment.
    if (known.includes(name) || environment[name] === value) continue
    const place = `${file}, line ${line}: ${name}`
    if (environmentOnly.test(name)) sources.warnings.push(`${place} only works in the environment of the process.`)
    else sources.warnings.push(`${place} isn’t a setting.${didYouMean(name, known)}`)
  }
  const secret = settingNames.find((name) => lines.has(name) && holdsPassword(name, lines.get(name)?.value ?? ''))
  if (secret) warnOfReaders(path.resolve(folder, file), secret, sources)
}

/** Docker gives its secrets to one container alone, readable by everybody in it. */
function warnOfReaders(file: string, name: SettingName, { warnings }: Sources): void {
  if (process.platform === 'win32' || file.startsWith('/run/secrets/')) return
  if (statSync(file).mode & 0o004) {
    warnings.push(`Everyone on this machine can read ${file}, which holds ${name}. Run: chmod 600 ${file}`)
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
