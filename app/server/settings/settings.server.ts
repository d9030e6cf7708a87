import path from 'node:path'
import * as z from 'zod'
import { isLoopbackUrl } from '../loopback.server'
import { readSources, type Sources, type Variables } from './setting-sources.server'
import { settingsSchema } from './settings-schema.server'

export type Environment = ReturnType<typeof readEnvironment>
type Settings = Sources & { environment: Environment | null }

/** A mistake of the operator's that stops the start; its message is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Set by `scripts/`, and no setting: how the product was built, and the operator's command that runs, if any. */
const programSchema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LEARNIFY_COMMAND: z.string().optional(),
})
const schema = programSchema.extend(settingsSchema.shape)

/** @returns what was given and every mistake in it; `environment` is null unless all of it can be used. */
export function readSettings(variables: Variables, folder: string): Settings {
  const sources = readSources(variables, folder)
  const values = Object.entries(sources.given).map(([name, { value }]) => [name, value])
  const { NODE_ENV, LEARNIFY_COMMAND } = variables
  const { environment, mistakes } = parse({ NODE_ENV, LEARNIFY_COMMAND, ...Object.fromEntries(values) })
  const all = [...sources.mistakes, ...mistakes]
  return { ...sources, mistakes: all, environment: all.length === 0 ? environment : null }
}

/** What Learnify would use if whatever can't be used were not set; for showing it. */
export function readUsable(variables: Variables) {
  const given = withoutEmpty(variables)
  const bad = new Set(schema.safeParse(given).error?.issues.map(({ path }) => String(path[0])))
  return completed(schema.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !bad.has(name)))))
}

/**
 * @param variables by name, all of them plain; an empty string counts as not set.
 * @throws {StartError} naming every bad one and what is expected of it.
 */
export function readEnvironment(variables: Variables) {
  const { environment, mistakes } = parse(variables)
  if (!environment) throw settingsError(mistakes)
  return environment
}

/** One for all mistakes. */
export function settingsError(mistakes: readonly string[]): StartError {
  return new StartError(`These settings are invalid:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
}

function parse(variables: Variables) {
  const given = withoutEmpty(variables)
  const parsed = schema.safeParse(given)
  const halves = listHalves(given)
  if (parsed.success && halves.length === 0) return { environment: completed(parsed.data), mistakes: [] }
  const expected = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: expected ${message}`)
  return { environment: null, mistakes: [...expected, ...halves] }
}

const withoutEmpty = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))

/** Settings that mean nothing without each other. */
const wholes = [
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
]

function listHalves(given: Variables): string[] {
  return wholes.flatMap((names) => {
    const set = names.filter((name) => given[name])
    const missing = names.filter((name) => !given[name])
    if (set.length === 0 || missing.length === 0) return []
    const and = new Intl.ListFormat('en-US')
    return set.length === 1
      ? `${and.format(set)} is set, so ${and.format(missing)} must be set, too.`
      : `${and.format(set)} are set, so ${and.format(missing)} must be set, too.`
  })
}

function completed(values: z.output<typeof schema>) {
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  return {
    ...values,
    DATA_DIR: path.resolve(values.DATA_DIR),
    CONTENT_DIR: path.resolve(values.CONTENT_DIR),
    PUBLIC_URL: publicUrl,
    // Nobody waits for a proxy to notice on a machine of one's own.
    DRAIN_SECONDS: values.DRAIN_SECONDS ?? (isLoopbackUrl(publicUrl) ? 0 : 10),
    DEMO_ACCOUNT: values.DEMO_ACCOUNT ?? isLoopbackUrl(publicUrl),
    // A command's own words are its answer.
    LOG_LEVEL: values.LOG_LEVEL ?? (values.LEARNIFY_COMMAND ? 'warn' : 'info'),
  }
}
