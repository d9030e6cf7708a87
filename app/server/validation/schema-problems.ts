import * as z from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]
type Sentence = { at: Path; text: string }
type JsonSchema = {
  properties?: Record<string, unknown>
  items?: unknown
  oneOf?: unknown[]
  anyOf?: unknown[]
}

/** A schema's problems, as sentences with the key and the fix. @param value the checked data. */
export function schemaProblems(
  issues: readonly Issue[],
  schema: z.ZodType,
  value: unknown,
): Sentence[] {
  const root = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          at: [...issue.path, key],
          known: knownKeys(root, value, issue.path),
          key,
        }))
      : [],
  )
  const misspelt = new Set(
    unknown.map(({ at, known, key }) =>
      nameOf([...at.slice(0, -1), nearestName(key, known) ?? '']),
    ),
  )
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue) => ({ at: issue.path, text: sentence(issue, valueAt(value, issue.path)) }))
    // A misspelt key is missing, too; that is said once.
    .filter(({ at }) => !(valueAt(value, at) === undefined && misspelt.has(nameOf(at))))

  return [
    ...others,
    ...unknown.map(({ at, known, key }) => ({
      at,
      text: `\`${key}\` isn’t a key here.${didYouMean(key, known)} Use one of: ${known.map((name) => `\`${name}\``).join(', ')}.`,
    })),
  ]
}

/** Like `curriculum[0].lessons[2].title`. */
function nameOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value
  for (const part of path) {
    found = found instanceof Object ? Reflect.get(found, part) : undefined
  }

  return found
}

function knownKeys(root: unknown, value: unknown, path: Path): string[] {
  let schema = choiceOf(root as JsonSchema, value)
  for (const [depth, part] of path.entries()) {
    const next = typeof part === 'number' ? schema.items : schema.properties?.[String(part)]
    schema = choiceOf((next ?? {}) as JsonSchema, valueAt(value, path.slice(0, depth + 1)))
  }

  return Object.keys(schema.properties ?? {})
}

/** Of several shapes the one of the value's own kind. */
function choiceOf(schema: JsonSchema, value: unknown): JsonSchema {
  const shapes = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined
  const fits = ({ properties = {} }: JsonSchema) =>
    Object.entries(properties).every(([key, property]) => {
      const fixed = valueAt(property, ['const'])
      return fixed === undefined || fixed === valueAt(value, [key])
    })
  const described = shapes?.filter((shape) => shape.properties)

  return described?.find(fits) ?? described?.[0] ?? schema
}

const expectations: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, each entry on a line that begins with a hyphen',
  object: 'keys and values, indented below it',
  record: 'keys and values, indented below it',
}

function sentence(issue: Issue, value: unknown): string {
  const name = issue.path.length > 0 ? `\`${nameOf(issue.path)}\`` : 'The file'
  if (value === undefined) {
    return `${name} is missing. Add ${wanted(issue)}.`
  }

  if (value === null) {
    return issue.path.length > 0
      ? `${name} has no value. Write ${wanted(issue)}.`
      : `The file is empty. Write ${wanted(issue)}.`
  }

  switch (issue.code) {
    case 'invalid_type':
      return wrongType(name, issue, value)
    case 'invalid_value':
    case 'invalid_union':
      return `${name} is ${shown(value)}. Use ${wanted(issue)}.${meant(issue, value)}`
    case 'too_small':
      return tooSmall(name, issue, value)
    case 'too_big':
      return tooBig(name, issue, value)
    case 'not_multiple_of':
      return `${name} is ${shown(value)}. Use at most one decimal place.`
    case 'invalid_key':
      return `${name} has a name that can’t be an id. Use lowercase letters, digits and single hyphens.`
    default:
      return `${name} is ${shown(value)}. ${issue.message}`
  }
}

/** A sentence of its own, after a space; empty where nothing is near. */
function meant(issue: Issue, value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, choices(issue)) : ''
}

function wanted(issue: Issue): string {
  const among = choices(issue)
  if (among.length === 1) {
    return `\`${among[0]}\``
  }

  if (among.length > 1) {
    return `one of ${among.map((choice) => `\`${choice}\``).join(', ')}`
  }

  return ('expected' in issue && expectations[issue.expected]) || 'a value'
}

function choices(issue: Issue): string[] {
  if (issue.code === 'invalid_value') {
    return issue.values.map(String)
  }

  return issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)
    ? issue.options.map(String)
    : []
}

function wrongType(
  name: string,
  issue: Extract<Issue, { code: 'invalid_type' }>,
  value: unknown,
): string {
  const plain = ['number', 'boolean', 'bigint'].includes(typeof value)
  if (issue.expected === 'string' && plain) {
    return typeof value === 'boolean'
      ? `${name} is read as true or false. Put the text in quotes: '${value}'.`
      : `${name} is read as a number. Put the text in quotes: '${value}'.`
  }

  if (
    typeof value === 'string' &&
    (issue.expected === 'number' || issue.expected === 'int') &&
    Number.isFinite(Number(value))
  ) {
    return `${name} is a text. Write the number without quotes: ${value.trim()}.`
  }

  // In a list, a text with a colon becomes a key with a value.
  const [[key, rest] = [], ...more] = value instanceof Object ? Object.entries(value) : []
  if (
    issue.expected === 'string' &&
    typeof issue.path.at(-1) === 'number' &&
    typeof rest === 'string' &&
    !more.length
  ) {
    return `${name} has a colon followed by a space, which starts a new value. Put the text in quotes: '${`${key}: ${rest}`.replaceAll("'", "''")}'.`
  }

  return `${name} is ${shown(value)}. Write ${wanted(issue)}.`
}

type Limit<Code extends Issue['code']> = Extract<Issue, { code: Code }>

function tooSmall(name: string, issue: Limit<'too_small'>, value: unknown): string {
  if (typeof value === 'string') {
    return `${name} is empty. Write a text.`
  }

  if (Array.isArray(value)) {
    return `${name} has ${counted(value.length)}; it needs at least ${issue.minimum}. Add more.`
  }

  return issue.inclusive
    ? `${name} is ${shown(value)}. Use ${issue.minimum} or more.`
    : `${name} is ${shown(value)}. Use more than ${issue.minimum}.`
}

function tooBig(name: string, issue: Limit<'too_big'>, value: unknown): string {
  if (typeof value === 'string') {
    return `${name} has ${value.length} characters; the limit is ${issue.maximum}. Shorten it.`
  }

  if (Array.isArray(value)) {
    return `${name} has ${counted(value.length)}; the limit is ${issue.maximum}. Remove some.`
  }

  return `${name} is ${shown(value)}. Use ${issue.maximum} or less.`
}

function counted(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) {
    return 'a list'
  }

  if (value instanceof Object) {
    return 'a group of keys'
  }

  if (typeof value !== 'string') {
    return String(value)
  }

  const line = value.replace(/\s+/g, ' ')

  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`
}

/** @returns the name that was probably meant, or null if no name is close. */
function nearestName(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : null
}

/** ' Did you mean `x`?' or nothing, to be put behind a sentence. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest ? ` Did you mean \`${nearest}\`?` : ''
}

/** Levenshtein's: letters to add, to take away or to change. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }

    row = next
  }

  return row[b.length] ?? 0
}
