import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/**
 * Learnify uses libraries, the browser and Node.js only as their documentation says. The check
 * reads the syntax tree of every source file and reports code that:
 * - assigns to a prototype, to a global or to a method of a library's object,
 * - reads a field that a library marks as private with an underscore,
 * - imports an inner file of a package, or
 * - rewrites the code of packages during the build.
 */

type Node = { type: string; start: number; [key: string]: unknown }

/**
 * Uses that look internal, but which https://markdown-it.github.io, https://highlightjs.org and
 * https://zod.dev/packages/mini document.
 */
const documentedUses = {
  methods: /^validateLink$/,
  objects: /^rules$/,
  fields: /^_default$/,
  imports: /^highlight\.js\/lib\//,
}

const globalObjects = ['window', 'globalThis', 'self', 'global']
const innerFolder =
  /^(?![.~]|node:|virtual:)(@[^/]+\/)?[^/]+\/(?:.*\/)?(dist|lib|src|cjs|esm|internals?)\//
/** The hooks by which a Vite plugin changes the code that it bundles. */
const rewritingHooks = ['transform', 'renderChunk', 'generateBundle', 'writeBundle']
const objectChangingMethods = /^(assign|defineProperty|deleteProperty|set|setPrototypeOf)$/

/** Lists the uses of library internals in a source file, each with its file and line. */
function listInternalUses(file: string, source: string): string[] {
  const problems: string[] = []
  const { program } = parseSync(file, source)

  visitNodes(program as unknown as Node, (node) => {
    const problem = findProblem(node, file)
    if (problem) {
      const line = source.slice(0, node.start).split('\n').length
      problems.push(`${file}:${line} ${problem}`)
    }
  })

  return problems
}

function visitNodes(node: Node, visit: (node: Node) => void): void {
  visit(node)

  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value]
    for (const child of children) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        visitNodes(child as Node, visit)
      }
    }
  }
}

/** Returns what is wrong with a node, or null. */
function findProblem(node: Node, file: string): string | null {
  if (node.type === 'AssignmentExpression') {
    return findAssignmentProblem(node.left as Node, node.right as Node)
  }

  if (node.type === 'CallExpression') {
    return findCallProblem(node)
  }

  if (node.type === 'MemberExpression') {
    return findFieldProblem(node)
  }

  if (/^(Import|Export)/.test(node.type) && node.source) {
    return findImportProblem(node.source as Node)
  }

  if (node.type === 'Property' && file === 'vite.config.ts') {
    const name = getName(node.key)
    return rewritingHooks.includes(name) ? `rewrites packages with the hook '${name}'` : null
  }

  return null
}

function findAssignmentProblem(left: Node, right: Node): string | null {
  if (left.type !== 'MemberExpression') {
    return null
  }

  const object = left.object as Node
  const name = getName(left.property)
  if (isGlobalObject(object) && name !== 'location') {
    return `assigns to the global ${name}`
  }

  const objectName = getName(object.property)
  if (documentedUses.methods.test(name) || documentedUses.objects.test(objectName)) {
    return null
  }

  const isFunction = /^(ArrowFunction|Function)Expression$/.test(right.type)
  const isEventHandler = /^on[a-z]/.test(name)
  const isOwnMethod = object.type === 'ThisExpression'

  return isFunction && !isEventHandler && !isOwnMethod ? `replaces the method ${name}` : null
}

/** Finds a call such as `Object.assign` that changes a prototype or a global object. */
function findCallProblem(call: Node): string | null {
  const { object, property } = call.callee as { object?: Node; property?: Node }
  const isObjectChange =
    ['Object', 'Reflect'].includes(getName(object)) && objectChangingMethods.test(getName(property))
  const [target] = call.arguments as Node[]
  if (!isObjectChange || !target) {
    return null
  }

  return isPrototype(target) || isGlobalObject(target)
    ? `changes ${getName(target.object ?? target)}`
    : null
}

function findFieldProblem({ object, property, computed }: Node): string | null {
  const owner = object as Node
  if (isPrototype(owner)) {
    return `uses the prototype of ${getName(owner.object)}`
  }

  const name = computed ? '' : getName(property)
  const isPrivate = /^_./.test(name) && !documentedUses.fields.test(name)
  const isOwnField = owner.type === 'ThisExpression'

  return isPrivate && !isOwnField ? `reads the private field ${name}` : null
}

function findImportProblem({ value }: Node): string | null {
  const specifier = String(value)
  const isInnerFile = innerFolder.test(specifier) && !documentedUses.imports.test(specifier)

  return isInnerFile ? `imports the inner file ${specifier}` : null
}

function isPrototype(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    getName(node.property) === 'prototype' &&
    getName(node.object) !== 'Object'
  )
}

function isGlobalObject(node: Node): boolean {
  return node.type === 'Identifier' && globalObjects.includes(String(node.name))
}

/**
 * Returns the name of an identifier, or the text of a string literal. It is '' for any other node.
 */
function getName(node: unknown): string {
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

describe('the source of Learnify', () => {
  it('uses no internals of libraries and the platform', () => {
    expect(files.length).toBeGreaterThan(400)

    const problems = files.flatMap((file) => listInternalUses(file, readFileSync(file, 'utf8')))

    expect(problems).toEqual([])
  })
})

describe('the check of a source file', () => {
  it.each([
    ['a changed prototype', 'Server.prototype.close = stop'],
    ['a changed global', 'window.fetch = watched'],
    ['a replaced method', 'socket.emit = (...words) => emit(...words)'],
    ['a global that is changed by a method', 'Object.assign(globalThis, { document: made })'],
    ['a private field', 'connection._queries.length'],
    ['an inner file', "import { readFrame } from 'driver/lib/frame.js'"],
  ])('reports %s', (_description, source) => {
    expect(listInternalUses('a.ts', source)).toHaveLength(1)
  })

  it('reports a build plugin that rewrites packages', () => {
    const source = 'export default { plugins: [{ transform: rewrite }] }'

    expect(listInternalUses('vite.config.ts', source)).toHaveLength(1)
  })

  it.each([
    ['a documented setting', 'server.requestTimeout = 5000'],
    ['an event handler', 'image.onload = () => draw()'],
    ['a method of the same object', 'class Pool { constructor() { this.close = () => {} } }'],
    ['a documented part of a package', "import { Worker } from 'pkg/worker'"],
  ])('allows %s', (_description, source) => {
    expect(listInternalUses('a.ts', source)).toEqual([])
  })
})
