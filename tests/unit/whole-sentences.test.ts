import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/**
 * A sentence stands whole, with places for values, so that it can be translated: it has no plural
 * 's' glued to it, no part that comes or goes, and no count in words (`formatCount`), which stands
 * alone. `byCount` chooses between sentences.
 */

type Node = { type: string; start: number; [key: string]: unknown }

/** @returns what is put together in a source, by line. */
function gluedIn(file: string, source: string): string[] {
  const { program } = parseSync(file, source)
  const found: string[] = []
  visit(program as unknown as Node, (node) => {
    const parts = partsOf(node)
    if (parts === null || !readsAsText(parts.text)) {
      return
    }

    const glued = parts.values.find(isGlued)
    if (glued) {
      found.push(`${file}:${source.slice(0, node.start).split('\n').length} ${parts.text.trim()}`)
    }
  })

  return found
}

function visit(node: Node, look: (node: Node) => void): void {
  if (node.type === 'TaggedTemplateExpression') {
    return
  }

  if (node.type === 'JSXAttribute' && (node.name as Node).name === 'className') {
    return
  }

  look(node)
  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value]
    for (const child of children) {
      if (isNode(child)) {
        visit(child, look)
      }
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The fixed text of a template or of an element, and the values in it; null for any other node. */
function partsOf(node: Node): { text: string; values: Node[] } | null {
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[]
    return {
      text: quasis.map(({ value }) => value.cooked).join('…'),
      values: node.expressions as Node[],
    }
  }

  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') {
    return null
  }

  const children = node.children as Node[]
  const texts = children.map((child) => (child.type === 'JSXText' ? String(child.value) : '…'))
  const values = children.filter(({ type }) => type === 'JSXExpressionContainer')

  return { text: texts.join(''), values: values.map(({ expression }) => expression as Node) }
}

/**
 * Has a word of a language beside its values; classes, addresses and markup have none that stands
 * free.
 */
function readsAsText(text: string): boolean {
  return (
    !/[<>=&{]|\/\w|\w-\w|\w:\S/.test(text) && /(^|[\s…(])[A-Za-z’]{2,}([\s….,:!?)]|$)/.test(text)
  )
}

/** A count in words, or a text that depends on a condition. */
function isGlued(value: Node): boolean {
  if (value.type === 'CallExpression') {
    return (value.callee as Node).name === 'formatCount'
  }

  if (value.type === 'ConditionalExpression') {
    return [value.consequent, value.alternate].some(isWords)
  }

  return value.type === 'LogicalExpression' && value.operator === '&&' && isWords(value.right)
}

function isWords(value: unknown): boolean {
  const node = value as Node
  if (node.type === 'TemplateLiteral') {
    return true
  }

  return node.type === 'Literal' && typeof node.value === 'string'
}

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .map((file) => path.join('app', file))

/** With @{...} for a value, which a plain string can't have. */
const sourceOf = (expression: string) => `export const text = ${expression.replaceAll('@{', '${')}`

describe('every sentence of the product', () => {
  it('stands whole', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap((file) => gluedIn(file, readFileSync(file, 'utf8')))).toEqual([])
  })

  it.each([
    ['a plural', "`@{n} lesson@{n === 1 ? '' : 's'} left`"],
    ['a count in words', "`Finish @{formatCount(n, 'lesson', 'lessons')} first.`"],
    ['a count in an element', "<p>Finish {formatCount(n, 'lesson', 'lessons')} first.</p>"],
    ['a part that comes and goes', "<p>Taken today.{late && ' Time ran out.'}</p>"],
  ])('would not stand whole with %s', (_what, expression) => {
    expect(gluedIn('a.tsx', sourceOf(expression))).toHaveLength(1)
  })

  it.each([
    ['values', '`@{done} of @{total} lessons done`'],
    ['a choice between two', "n === 1 ? '1 lesson left' : `@{n} lessons left`"],
    ['classes', "<p className={`mt-2 @{bad ? 'text-bad' : ''}`}>Saved</p>"],
  ])('may have %s', (_what, expression) => {
    expect(gluedIn('a.tsx', sourceOf(expression))).toEqual([])
  })
})
