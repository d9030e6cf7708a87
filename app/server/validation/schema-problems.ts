import * as z from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]
/** A sentence about the value at a path. */
type Problem = { path: Path; message: string }
type JsonSchema = {
  properties?: Record<string, unknown>
  items?: unknown
  oneOf?: unknown[]
  anyOf?: unknown[]
}

/**
 * Describes the problems that a schema has found, in sentences with the key and the fix.
 *
 * @param value the data that the schema has checked
 */
export function describeSchemaProblems(
  issues: readonly Issue[],
  schema: z.ZodType,
  value: unknown,
): Problem[] {
  const unknownKeys = listUnknownKeys(issues, schema, value)
  const intendedPaths = new Set(
    unknownKeys.map(({ path, allowedKeys, key }) =>
      formatPath([...path.slice(0, -1), findNearestName(key, allowedKeys) ?? '']),
    ),
  )

  const otherProblems = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue) => ({
      path: issue.path,
      message: describeIssue(issue, getValue(value, issue.path)),
    }))
    // If a key is misspelled, the intended key is missing. Only the misspelled one is reported.
    .filter(({ path }) => {
      const isMissing = getValue(value, path) === undefined
      return !(isMissing && intendedPaths.has(formatPath(path)))
    })

  const unknownKeyProblems = unknownKeys.map(({ path, allowedKeys, key }) => ({
    path,
    message: `\`${key}\` isn’t a key here.${didYouMean(key, allowedKeys)} Use one of: ${allowedKeys.map((name) => `\`${name}\``).join(', ')}.`,
  }))

  return [...otherProblems, ...unknownKeyProblems]
}

type UnknownKey = { path: Path; key: string; allowedKeys: string[] }

function listUnknownKeys(
  issues: readonly Issue[],
  schema: z.ZodType,
  value: unknown,
): UnknownKey[] {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return []
    }

    const allowedKeys = listAllowedKeys(jsonSchema, value, issue.path)
    return issue.keys.map((key) => ({ path: [...issue.path, key], key, allowedKeys }))
  })
}

/** Returns a path as text, such as `curriculum[0].lessons[2].title`. */
function formatPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

function getValue(root: unknown, path: Path): unknown {
  let value = root
  for (const part of path) {
    value = value instanceof Object ? Reflect.get(value, part) : undefined
  }

  return value
}

/** Returns the keys that an object in the data may have. */
function listAllowedKeys(rootSchema: unknown, value: unknown, path: Path): string[] {
  let schema = chooseVariant(rootSchema as JsonSchema, value)
  for (const [depth, part] of path.entries()) {
    const childSchema = typeof part === 'number' ? schema.items : schema.properties?.[String(part)]
    const childValue = getValue(value, path.slice(0, depth + 1))
    schema = chooseVariant((childSchema ?? {}) as JsonSchema, childValue)
  }

  return Object.keys(schema.properties ?? {})
}

/** Returns the variant of a union whose constants, such as `kind`, are those of the value. */
function chooseVariant(schema: JsonSchema, value: unknown): JsonSchema {
  const variants = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined
  const objectVariants = variants?.filter(({ properties }) => properties)
  const hasSameConstants = ({ properties = {} }: JsonSchema) =>
    Object.entries(properties).every(([key, property]) => {
      const constant = getValue(property, ['const'])
      return constant === undefined || constant === getValue(value, [key])
    })

  return objectVariants?.find(hasSameConstants) ?? objectVariants?.[0] ?? schema
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

function describeIssue(issue: Issue, value: unknown): string {
  const name = issue.path.length > 0 ? `\`${formatPath(issue.path)}\`` : 'The file'
  if (value === undefined) {
    return `${name} is missing. Add ${describeExpected(issue)}.`
  }

  if (value === null) {
    return issue.path.length > 0
      ? `${name} has no value. Write ${describeExpected(issue)}.`
      : `The file is empty. Write ${describeExpected(issue)}.`
  }

  switch (issue.code) {
    case 'invalid_type':
      return describeWrongType(name, issue, value)
    case 'invalid_value':
    case 'invalid_union':
      return `${name} is ${formatValue(value)}. Use ${describeExpected(issue)}.${suggestChoice(issue, value)}`
    case 'too_small':
      return describeTooSmall(name, issue, value)
    case 'too_big':
      return describeTooBig(name, issue, value)
    case 'not_multiple_of':
      return `${name} is ${formatValue(value)}. Use at most one decimal place.`
    case 'invalid_key':
      return `${name} has a name that can’t be an id. Use lowercase letters, digits and single hyphens.`
    default:
      return `${name} is ${formatValue(value)}. ${issue.message}`
  }
}

/** Returns a suggestion after a space, or '' if no choice is similar to the value. */
function suggestChoice(issue: Issue, value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, listChoices(issue)) : ''
}

function describeExpected(issue: Issue): string {
  const choices = listChoices(issue)
  if (choices.length === 1) {
    return `\`${choices[0]}\``
  }

  if (choices.length > 1) {
    return `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`
  }

  return ('expected' in issue && expectations[issue.expected]) || 'a value'
}

function listChoices(issue: Issue): string[] {
  if (issue.code === 'invalid_value') {
    return issue.values.map(String)
  }

  return issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)
    ? issue.options.map(String)
    : []
}

function describeWrongType(
  name: string,
  issue: Extract<Issue, { code: 'invalid_type' }>,
  value: unknown,
): string {
  const isNumberOrBoolean = ['number', 'boolean', 'bigint'].includes(typeof value)
  if (issue.expected === 'string' && isNumberOrBoolean) {
    return typeof value === 'boolean'
      ? `${name} is read as true or false. Put the text in quotes: '${value}'.`
      : `${name} is read as a number. Put the text in quotes: '${value}'.`
  }

  const isNumberExpected = issue.expected === 'number' || issue.expected === 'int'
  if (isNumberExpected && typeof value === 'string' && Number.isFinite(Number(value))) {
    return `${name} is a text. Write the number without quotes: ${value.trim()}.`
  }

  // YAML reads a list entry that contains a colon as an object with one key.
  const isListEntry = typeof issue.path.at(-1) === 'number'
  const [[key, rest] = [], ...otherEntries] = value instanceof Object ? Object.entries(value) : []
  const isTextWithColon = typeof rest === 'string' && otherEntries.length === 0
  if (issue.expected === 'string' && isListEntry && isTextWithColon) {
    const quotedText = `${key}: ${rest}`.replaceAll("'", "''")
    return `${name} has a colon followed by a space, which starts a new value. Put the text in quotes: '${quotedText}'.`
  }

  return `${name} is ${formatValue(value)}. Write ${describeExpected(issue)}.`
}

type Limit<Code extends Issue['code']> = Extract<Issue, { code: Code }>

function describeTooSmall(name: string, issue: Limit<'too_small'>, value: unknown): string {
  if (typeof value === 'string') {
    return `${name} is empty. Write a text.`
  }

  if (Array.isArray(value)) {
    return `${name} has ${countEntries(value.length)}; it needs at least ${issue.minimum}. Add more.`
  }

  return issue.inclusive
    ? `${name} is ${formatValue(value)}. Use ${issue.minimum} or more.`
    : `${name} is ${formatValue(value)}. Use more than ${issue.minimum}.`
}

function describeTooBig(name: string, issue: Limit<'too_big'>, value: unknown): string {
  if (typeof value === 'string') {
    return `${name} has ${value.length} characters; the limit is ${issue.maximum}. Shorten it.`
  }

  if (Array.isArray(value)) {
    return `${name} has ${countEntries(value.length)}; the limit is ${issue.maximum}. Remove some.`
  }

  return `${name} is ${formatValue(value)}. Use ${issue.maximum} or less.`
}

function countEntries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

function formatValue(value: unknown): string {
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

/** Returns the name that was probably intended, or null if no name is similar. */
function findNearestName(name: string, candidates: readonly string[]): string | null {
  const [nearest] = candidates
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance)
  const maxDistance = Math.max(2, Math.floor(name.length / 3))

  return nearest && nearest.distance <= maxDistance ? nearest.candidate : null
}

/** Returns ' Did you mean `x`?' to append to a sentence, or '' if no name is similar. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearestName = findNearestName(name, candidates)
  return nearestName ? ` Did you mean \`${nearestName}\`?` : ''
}

/** Returns the Levenshtein distance, the number of letters to add, remove or change. */
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
