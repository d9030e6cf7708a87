import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/**
 * Libraries, the browser and Node.js are used as their documentation says: no source of ours
 * assigns to a prototype, a global or a method of an object that is not ours, reads a private
 * field, imports a package's inner files, or rewrites the text of a package.
 */

type Node = { type: string; start: number; [key: string]: unknown }

const known: string[] = []

/**
 * What looks like an inside, and is documented: https://markdown-it.github.io,
 * https://highlightjs.org, https://zod.dev/packages/mini.
 */
const documented = {
  methods: /^validateLink$/,
  objects: /^rules$/,
  fields: /^_default$/,
  imports: /^highlight\.js\/lib\//,
}

const globals = ['window', 'globalThis', 'self', 'global']
const innerFolder =
  /^(?![.~]|node:|virtual:)(@[^/]+\/)?[^/]+\/(?:.*\/)?(dist|lib|src|cjs|esm|internals?)\//
/** Hooks by which a plugin of Vite changes what it bundles. */
const rewritingHooks = ['transform', 'renderChunk', 'generateBundle', 'writeBundle']

function insidesIn(file: string, source: string): string[] {
  const found: string[] = []
  const { program } = parseSync(file, source)
  visit(program as unknown as Node, (node) => {
    const problem = problemOf(node, file)
    if (problem) {
      found.push(`${file}:${source.slice(0, node.start).split('\n').length} ${problem}`)
    }
  })

  return found
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        visit(child as Node, look)
      }
    }
  }
}

function problemOf(node: Node, file: string): string | null {
  if (node.type === 'AssignmentExpression') {
    return assignmentProblem(node.left as Node, node.right as Node)
  }

  if (node.type === 'CallExpression') {
    return callProblem(node)
  }

  if (node.type === 'MemberExpression') {
    return fieldProblem(node)
  }

  if (/^(Import|Export)/.test(node.type) && node.source) {
    return importProblem(node.source as Node)
  }

  if (
    node.type === 'Property' &&
    file === 'vite.config.ts' &&
    rewritingHooks.includes(nameOf(node.key))
  ) {
    return `a build that rewrites by '${nameOf(node.key)}'`
  }

  return null
}

function assignmentProblem(left: Node, right: Node): string | null {
  if (left.type !== 'MemberExpression') {
    return null
  }

  const [object, name] = [left.object as Node, nameOf(left.property)]
  if (isGlobal(object) && name !== 'location') {
    return `assigns to the global ${name}`
  }

  if (documented.methods.test(name) || documented.objects.test(nameOf(object.property))) {
    return null
  }

  const method = /^(ArrowFunction|Function)Expression$/.test(right.type) && !/^on[a-z]/.test(name)

  return method && object.type !== 'ThisExpression' ? `replaces the method ${name}` : null
}

/** `Object.assign` and `Object.defineProperty` with something that is not ours. */
function callProblem({ callee, arguments: given }: Node): string | null {
  const { object, property } = callee as { object?: Node; property?: Node }
  const [target] = given as Node[]
  if (!/^(assign|defineProperty|deleteProperty|set|setPrototypeOf)$/.test(nameOf(property))) {
    return null
  }

  if (!target || !['Object', 'Reflect'].includes(nameOf(object))) {
    return null
  }

  return isPrototype(target) || isGlobal(target)
    ? `changes ${nameOf(target.object ?? target)}`
    : null
}

function fieldProblem({ object, property, computed }: Node): string | null {
  if (isPrototype(object as Node)) {
    return `uses the prototype of ${nameOf((object as Node).object)}`
  }

  const name = computed ? '' : nameOf(property)
  const isOurs = (object as Node).type === 'ThisExpression'

  return /^_./.test(name) && !isOurs && !documented.fields.test(name)
    ? `reads the private field ${name}`
    : null
}

function importProblem({ value }: Node): string | null {
  return innerFolder.test(String(value)) && !documented.imports.test(String(value))
    ? `imports the inner file ${value}`
    : null
}

function isPrototype(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    nameOf(node.property) === 'prototype' &&
    nameOf(node.object) !== 'Object'
  )
}

function isGlobal(node: Node): boolean {
  return node.type === 'Identifier' && globals.includes(String(node.name))
}

/** Of an identifier, private name or literal; '' for any other expression. */
function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: string; value?: unknown }
  return name ?? (typeof value === 'string' ? value : '')
}

const files = ['.', 'app', 'bench', 'scripts', 'tools']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  )
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))

describe('every source', () => {
  it('leaves the inside of libraries and the platform alone', () => {
    expect(files.length).toBeGreaterThan(400)
    const found = files.flatMap((file) => insidesIn(file, readFileSync(file, 'utf8')))
    expect(
      found.filter((problem) => !known.some((file) => problem.startsWith(`${file}:`))),
    ).toEqual([])
  })

  it.each([
    ['a prototype', 'Server.prototype.close = stop'],
    ['a global', 'window.fetch = watched'],
    ['a method', 'socket.emit = (...words) => emit(...words)'],
    ['a method of a global', 'Object.assign(globalThis, { document: made })'],
    ['a private field', 'connection._queries.length'],
    ['an inner file', "import { readFrame } from 'driver/lib/frame.js'"],
  ])('would not with %s', (_what, source) => {
    expect(insidesIn('a.ts', source)).toHaveLength(1)
  })

  it('would not with a plugin of the build that rewrites packages', () => {
    expect(
      insidesIn('vite.config.ts', 'export default { plugins: [{ transform: rewrite }] }'),
    ).toHaveLength(1)
  })

  it.each([
    ['a documented setting', 'server.requestTimeout = 5000'],
    ['an event handler', 'image.onload = () => draw()'],
    ['its own method', 'class Pool { constructor() { this.close = () => {} } }'],
    ['a documented part of a package', "import { Worker } from 'pkg/worker'"],
  ])('may use %s', (_what, source) => {
    expect(insidesIn('a.ts', source)).toEqual([])
  })
})
