/**
 * Parses YAML, and explains its problems to authors who do not know the terms of YAML. Content
 * files may come from anybody, so references that would make a small file grow without end are
 * rejected.
 */

import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { findTextProblem } from '~/server/validation/content-fields'

type YamlProblem = { line: number; message: string }

export type YamlFile = {
  /** The file's data, or null if it has problems. */
  value: unknown
  problems: YamlProblem[]
  /** Returns the line of the key at the end of the path, or of the nearest part that exists. */
  getLine(yamlPath: readonly PropertyKey[]): number
  /** Returns how a value is written, like `49.00`; null for anything but a plain value. */
  getSource(yamlPath: readonly PropertyKey[]): string | null
}

export function readYaml(text: string): YamlFile {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  const textLines = text.split('\n')

  const getLine: YamlFile['getLine'] = (yamlPath) => findLine(document, lineCounter, yamlPath)
  const getSource: YamlFile['getSource'] = (yamlPath) => {
    const node = document.getIn(yamlPath, true)
    return isScalar(node) ? (node.source ?? null) : null
  }
  const withProblems = (problems: YamlProblem[]): YamlFile => ({
    value: null,
    problems,
    getLine,
    getSource,
  })

  const syntaxProblems = [...document.errors, ...document.warnings].map((error) => {
    const line = Math.min(lineCounter.linePos(error.pos[0]).line, textLines.length)
    return { line, message: describeSyntaxError(error, textLines[line - 1] ?? '') }
  })
  if (syntaxProblems.length > 0) {
    return withProblems(keepFirstOfEachLine(syntaxProblems))
  }

  const resolved = resolveReferences(document, textLines)
  if ('message' in resolved) {
    return withProblems([resolved])
  }

  const problems = listHarmfulTexts(resolved.value).map(({ yamlPath, message }) => ({
    line: getLine(yamlPath),
    message,
  }))

  return { value: resolved.value, problems, getLine, getSource }
}

type Document = ReturnType<typeof parseDocument>

/** Keeps the first problem of each line, because it has caused the others. */
function keepFirstOfEachLine(problems: readonly YamlProblem[]): YamlProblem[] {
  return problems.filter(
    ({ line }, index) => problems.findIndex((other) => other.line === line) === index,
  )
}

/** Much more than content needs, and much less than a file that grows without end. */
const maxReferences = 50

const tooDeeplyNested = 'This is nested too deep. Content needs only a few levels: remove some.'

/** Replaces references (`*name`) by what they stand for, and reports those that lead nowhere. */
function resolveReferences(
  document: Document,
  textLines: readonly string[],
): { value: unknown } | YamlProblem {
  try {
    const value = document.toJS({ maxAliasCount: maxReferences })
    // This throws for a value that refers to itself.
    JSON.stringify(value)
    return { value }
  } catch (error) {
    if (error instanceof RangeError) {
      return { line: 1, message: tooDeeplyNested }
    }

    const [, unknownName] = /Unresolved alias.*: (\S+)$/s.exec((error as Error).message) ?? []
    const reference = unknownName ? `*${unknownName}` : '*'
    const lineIndex = textLines.findIndex((line) => line.includes(reference))
    const message = unknownName
      ? `\`*${unknownName}\` is read as a reference to an anchor that does not exist. Put a text that begins with * in quotes.`
      : 'The references to anchors (`*name`) repeat too often. Write out what they stand for.'

    return { line: Math.max(1, lineIndex + 1), message }
  }
}

function describeSyntaxError(error: YAMLError, line: string): string {
  const quotedValue = quoteValue(line)
  const useQuotes = quotedValue
    ? `Put the text in quotes: ${quotedValue}.`
    : 'Put the text in quotes.'

  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `A colon followed by a space starts a new value here. ${useQuotes} Or indent the line like its neighbors.`
    case 'BAD_SCALAR_START':
      return `Text can’t start with this character. ${useQuotes}`
    case 'TAB_AS_INDENT':
      return 'A tab indents this line. Use spaces instead.'
    case 'DUPLICATE_KEY':
      return `The key \`${/^\s*(?:- )?\s*([^:]+):/.exec(line)?.[1] ?? line.trim()}\` appears twice here. Delete one.`
    case 'MULTIPLE_DOCS':
      return 'A line `---` starts a second document. Delete it: a file holds only one.'
    case 'TAG_RESOLVE_FAILED':
      return `A word that starts with ! is read as a tag. ${useQuotes}`
    case 'MISSING_CHAR':
      return 'Something isn’t closed, or a colon is missing. Check quotes, brackets and colons here and above.'
    case 'BAD_INDENT':
      return 'The line isn’t indented like the ones it belongs with, or a bracket above isn’t closed. Align it with spaces.'
    case 'BAD_DQ_ESCAPE':
      return 'A backslash has a special meaning in double quotes. Use single quotes instead.'
    case 'UNEXPECTED_TOKEN':
      return describeUnexpectedToken(line, quotedValue && useQuotes)
    default:
      return describeOtherError(error)
  }
}

/** Returns a line like `title: Learn: fast` with its value in quotes, if that may be the repair. */
function quoteValue(line: string): string | null {
  const [, key, value] = /^\s*(?:- )?\s*([\w-]+): +(\S.*?)\s*$/.exec(line) ?? []
  if (!key || !value || /^["'[{]/.test(value)) {
    return null
  }

  return `\`${key}: '${value.replaceAll("'", "''")}'\``
}

function describeUnexpectedToken(line: string, useQuotes: string | null): string {
  const hasTextAfterQuotes = /'\S*'\S/.test(line)
  const startsWithSpecialCharacter = /^\s*(?:- )?[\w-]+: *[*&!|>%@`]/.test(line)
  if (!hasTextAfterQuotes && !startsWithSpecialCharacter) {
    return 'This doesn’t belong here. Check the indentation, hyphens and quotes here and above.'
  }

  return `The text ends too early. ${useQuotes ?? 'Put it in double quotes, or write an apostrophe in single quotes twice.'}`
}

function describeOtherError(error: YAMLError): string {
  if (error.message.startsWith('Maximum call stack')) {
    return tooDeeplyNested
  }

  const [firstLine = ''] = error.message.split('\n')
  const message = firstLine.replace(/ at line \d+, column \d+:?$/, '')

  return `${message}. Check this line and the one above.`
}

function findLine(
  document: Document,
  lineCounter: LineCounter,
  yamlPath: readonly PropertyKey[],
): number {
  for (let depth = yamlPath.length; depth > 0; depth--) {
    const node = findKeyOrValue(document, yamlPath.slice(0, depth))
    if (node?.range) {
      return lineCounter.linePos(node.range[0]).line
    }
  }

  const root = document.contents
  return root?.range ? lineCounter.linePos(root.range[0]).line : 1
}

/** Returns the key at the end of the path, or the entry if the path ends in a list. */
function findKeyOrValue(document: Document, yamlPath: readonly PropertyKey[]): Node | null {
  const parentPath = yamlPath.slice(0, -1)
  const parent = parentPath.length === 0 ? document.contents : document.getIn(parentPath, true)
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === yamlPath.at(-1))
    : null
  const node = pair ? pair.key : document.getIn(yamlPath, true)

  return isNode(node) ? node : null
}

/**
 * Lists texts with characters that would do harm on a page. Escapes like "\u202e" add characters
 * that are invisible in the file.
 */
function listHarmfulTexts(
  value: unknown,
  yamlPath: PropertyKey[] = [],
): { yamlPath: PropertyKey[]; message: string }[] {
  if (typeof value === 'string') {
    const message = findTextProblem(value)
    return message ? [{ yamlPath, message }] : []
  }

  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => listHarmfulTexts(entry, [...yamlPath, index]))
  }

  if (value instanceof Object) {
    return Object.entries(value).flatMap(([key, entry]) =>
      listHarmfulTexts(entry, [...yamlPath, key]),
    )
  }

  return []
}
