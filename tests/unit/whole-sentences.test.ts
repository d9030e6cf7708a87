import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/**
 * Every sentence of the product is one text with placeholders for values, so that it can be
 * translated. The check reads the syntax tree of every source file and reports a sentence that is
 * assembled from parts: a plural 's' that is appended, a part that is there on a condition, or a
 * count in words (`formatCount`), which only stands alone. The product uses `byCount` to choose
 * between sentences.
 */

type Node = { type: string; start: number; [key: string]: unknown }

/** Stands for a value in the text of a sentence. */
const placeholder = '…'

/**
 * Lists the sentences of a source file that are assembled from parts, each with its file and line.
 */
function listAssembledSentences(file: string, source: string): string[] {
  const { program } = parseSync(file, source)
  const problems: string[] = []

  visitNodes(program as unknown as Node, (node) => {
    const template = readTextTemplate(node)
    if (template === null || !isSentence(template.text)) {
      return
    }

    if (template.values.some(isSentencePart)) {
      const line = source.slice(0, node.start).split('\n').length
      problems.push(`${file}:${line} ${template.text.trim()}`)
    }
  })

  return problems
}

/** Visits a node and its descendants, except code that holds no sentences: SQL and class names. */
function visitNodes(node: Node, visit: (node: Node) => void): void {
  const isSql = node.type === 'TaggedTemplateExpression'
  const isClassName = node.type === 'JSXAttribute' && (node.name as Node).name === 'className'
  if (isSql || isClassName) {
    return
  }

  visit(node)

  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value]
    for (const child of children) {
      if (isNode(child)) {
        visitNodes(child, visit)
      }
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

type TextTemplate = { text: string; values: Node[] }

/**
 * Returns the text of a template literal or JSX element and the values in it, or null for other
 * nodes.
 */
function readTextTemplate(node: Node): TextTemplate | null {
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[]
    return {
      text: quasis.map(({ value }) => value.cooked).join(placeholder),
      values: node.expressions as Node[],
    }
  }

  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') {
    return null
  }

  const children = node.children as Node[]
  const texts = children.map((child) =>
    child.type === 'JSXText' ? String(child.value) : placeholder,
  )
  const expressions = children.filter(({ type }) => type === 'JSXExpressionContainer')

  return { text: texts.join(''), values: expressions.map(({ expression }) => expression as Node) }
}

/** Class names, URLs and markup contain no separate word beside their values. */
function isSentence(text: string): boolean {
  const looksLikeCode = /[<>=&{]|\/\w|\w-\w|\w:\S/.test(text)
  const hasSeparateWord = /(^|[\s…(])[A-Za-z’]{2,}([\s….,:!?)]|$)/.test(text)

  return !looksLikeCode && hasSeparateWord
}

/** Returns whether a value is a count in words or a text that depends on a condition. */
function isSentencePart(value: Node): boolean {
  if (value.type === 'CallExpression') {
    return (value.callee as Node).name === 'formatCount'
  }

  if (value.type === 'ConditionalExpression') {
    return [value.consequent, value.alternate].some(isText)
  }

  return value.type === 'LogicalExpression' && value.operator === '&&' && isText(value.right)
}

function isText(value: unknown): boolean {
  const node = value as Node
  if (node.type === 'TemplateLiteral') {
    return true
  }

  return node.type === 'Literal' && typeof node.value === 'string'
}

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .map((file) => path.join('app', file))

/**
 * Returns source code with this expression. A plain string can't contain ${...}, so it contains
 * @{...}.
 */
const createSource = (expression: string) =>
  `export const text = ${expression.replaceAll('@{', '${')}`

describe('the source of Learnify', () => {
  it('assembles no sentence from parts', () => {
    expect(files.length).toBeGreaterThan(500)

    const problems = files.flatMap((file) =>
      listAssembledSentences(file, readFileSync(file, 'utf8')),
    )

    expect(problems).toEqual([])
  })
})

describe('the check of a source file', () => {
  it.each([
    ['an appended plural', "`@{n} lesson@{n === 1 ? '' : 's'} left`"],
    ['a count in words', "`Finish @{formatCount(n, 'lesson', 'lessons')} first.`"],
    ['a count in an element', "<p>Finish {formatCount(n, 'lesson', 'lessons')} first.</p>"],
    ['a part with a condition', "<p>Taken today.{late && ' Time ran out.'}</p>"],
  ])('reports %s', (_description, expression) => {
    expect(listAssembledSentences('a.tsx', createSource(expression))).toHaveLength(1)
  })

  it.each([
    ['values', '`@{done} of @{total} lessons done`'],
    ['a choice between two sentences', "n === 1 ? '1 lesson left' : `@{n} lessons left`"],
    ['conditional class names', "<p className={`mt-2 @{bad ? 'text-bad' : ''}`}>Saved</p>"],
  ])('allows %s', (_description, expression) => {
    expect(listAssembledSentences('a.tsx', createSource(expression))).toEqual([])
  })
})
