import { isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml'
import { textProblem } from '~/server/validation/content-fields'

export type YamlFile = {
  /** The file's data, or null if it has problems. */
  value: unknown
  problems: { line: number; problem: string }[]
  /** The line of the key at the end of the path, or of the nearest thing around it that exists. */
  lineOf(keys: readonly PropertyKey[]): number
  /** How a value is written, like `49.00`; null for anything but a plain value. */
  sourceOf(keys: readonly PropertyKey[]): string | null
}

type Document = ReturnType<typeof parseDocument>

/** Far more repetition than content needs, far less than a file that grows without end. */
const maxAliases = 50

const tooDeep = 'This is nested too deep. Content needs only a few levels: remove some.'

export function readYaml(text: string): YamlFile {
  const lines = new LineCounter()
  const rows = text.split('\n')
  const document = parseDocument(text, { lineCounter: lines })
  const lineOf = (keys: readonly PropertyKey[]) => lineAt(document, lines, keys)
  const sourceOf = (keys: readonly PropertyKey[]) => {
    const node = document.getIn(keys, true)
    return isScalar(node) ? (node.source ?? null) : null
  }
  const syntax = [...document.errors, ...document.warnings].map((error) => {
    const line = Math.min(lines.linePos(error.pos[0]).line, rows.length)
    return { line, problem: syntaxSentence(error, rows[line - 1] ?? '') }
  })
  if (syntax.length > 0) {
    return { value: null, problems: oneALine(syntax), lineOf, sourceOf }
  }

  const { value, problem } = resolve(document, rows)
  if (problem) {
    return { value: null, problems: [problem], lineOf, sourceOf }
  }

  const harmful = harmfulTexts(value).map(({ at, problem }) => ({ line: lineOf(at), problem }))

  return { value, problems: harmful, lineOf, sourceOf }
}

/** The first problem of a line causes the others. */
function oneALine(problems: YamlFile['problems']): YamlFile['problems'] {
  return problems.filter(
    ({ line }, index) => problems.findIndex((other) => other.line === line) === index,
  )
}

/** A reference to nothing, or too many of them, show only here. */
function resolve(document: Document, rows: string[]) {
  try {
    const value = document.toJS({ maxAliasCount: maxAliases })
    // A circular value can't be written as text.
    JSON.stringify(value)
    return { value, problem: null }
  } catch (error) {
    if (error instanceof RangeError) {
      return { value: null, problem: { line: 1, problem: tooDeep } }
    }

    const unknown = /Unresolved alias.*: (\S+)$/s.exec(
      error instanceof Error ? error.message : '',
    )?.[1]
    const line = Math.max(
      1,
      rows.findIndex((row) => row.includes(unknown ? `*${unknown}` : '*')) + 1,
    )
    const problem = unknown
      ? `\`*${unknown}\` is read as a reference to an anchor that does not exist. Put a text that begins with * in quotes.`
      : 'The references to anchors (`*name`) repeat too often. Write out what they stand for.'

    return { value: null, problem: { line, problem } }
  }
}

function syntaxSentence(error: YAMLError, row: string): string {
  const [, key, rest] = /^\s*(?:- )?\s*([\w-]+): +(\S.*?)\s*$/.exec(row) ?? []
  const quoted =
    key && rest && !/^["'[{]/.test(rest) ? `\`${key}: '${rest.replaceAll("'", "''")}'\`` : null
  const inQuotes = quoted ? `Put the text in quotes: ${quoted}.` : 'Put the text in quotes.'
  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `A colon followed by a space starts a new value here. ${inQuotes} Or indent the line like its neighbors.`
    case 'BAD_SCALAR_START':
      return `Text can’t start with this character. ${inQuotes}`
    case 'TAB_AS_INDENT':
      return 'A tab indents this line. Use spaces instead.'
    case 'DUPLICATE_KEY':
      return `The key \`${/^\s*(?:- )?\s*([^:]+):/.exec(row)?.[1] ?? row.trim()}\` appears twice here. Delete one.`
    case 'MULTIPLE_DOCS':
      return 'A line `---` starts a second document. Delete it: a file holds only one.'
    case 'TAG_RESOLVE_FAILED':
      return `A word that starts with ! is read as a tag. ${inQuotes}`
    case 'MISSING_CHAR':
      return 'Something isn’t closed, or a colon is missing. Check quotes, brackets and colons here and above.'
    case 'BAD_INDENT':
      return 'The line isn’t indented like the ones it belongs with, or a bracket above isn’t closed. Align it with spaces.'
    case 'BAD_DQ_ESCAPE':
      return 'A backslash has a special meaning in double quotes. Use single quotes instead.'
    case 'UNEXPECTED_TOKEN':
      if (!/'\S*'\S/.test(row) && !/^\s*(?:- )?[\w-]+: *[*&!|>%@`]/.test(row)) {
        return 'This doesn’t belong here. Check the indentation, hyphens and quotes here and above.'
      }

      return quoted
        ? `The text ends too early. ${inQuotes}`
        : 'The text ends too early. Put it in double quotes, or write an apostrophe in single quotes twice.'
    default:
      if (error.message.startsWith('Maximum call stack')) {
        return tooDeep
      }

      return `${(error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')}. Check this line and the one above.`
  }
}

function lineAt(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let depth = keys.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(keys.slice(0, depth - 1), true)
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === keys[depth - 1])
      : null
    const node = pair ? pair.key : document.getIn(keys.slice(0, depth), true)
    if (isNode(node) && node.range) {
      return lines.linePos(node.range[0]).line
    }
  }

  const root = document.contents
  return root?.range ? lines.linePos(root.range[0]).line : 1
}

/** Escapes like "\u202e" add characters that are invisible in the file. */
function harmfulTexts(
  value: unknown,
  at: PropertyKey[] = [],
): { at: PropertyKey[]; problem: string }[] {
  if (typeof value === 'string') {
    const problem = textProblem(value)
    return problem ? [{ at, problem }] : []
  }

  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => harmfulTexts(entry, [...at, index]))
  }

  if (value instanceof Object) {
    return Object.entries(value).flatMap(([key, entry]) => harmfulTexts(entry, [...at, key]))
  }

  return []
}
