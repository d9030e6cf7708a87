import { leftOut } from './left-out.mjs'

/**
 * The plugin for Vite that takes out of the browser's script what `left-out.mjs` names.
 *
 * @returns {import('vite').Plugin}
 */
export function leaveOut() {
  const waiting = new Set(Object.keys(leftOut))
  return {
    name: 'leave-out',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/node_modules\/(react|react-dom|react-router)\// },
      handler(code, id) {
        const [, file = ''] = id.split('/node_modules/')
        const parts = leftOut[file]
        if (!parts) return null
        waiting.delete(file)
        const { kept, missing } = without(parts, code, this.parse(code))
        if (missing.length > 0)
          throw new Error(`${file} no longer has ${missing.join(', ')}: see scripts/left-out.mjs.`)
        return { code: kept, map: null }
      },
    },
    buildEnd(error) {
      if (!error && waiting.size > 0) throw new Error(`scripts/left-out.mjs names what no page loads: ${[...waiting]}.`)
    },
  }
}

/**
 * @param {import('./left-out.mjs').Parts} parts
 * @param {string} code
 * @param {object} program its syntax tree, by https://github.com/estree/estree.
 * @returns the code without these parts, and the names of those that it does not have.
 */
export function without({ functions = [], assigned = [], calls = [], conditions = {}, tags = [] }, code, program) {
  const missing = new Set([...functions, ...assigned, ...calls, ...Object.keys(conditions), ...tags.map(String)])
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = []
  const textOf = ({ start, end }) => code.slice(start, end)
  const replace = (name, { start, end }, text) => {
    missing.delete(name)
    edits.push({ start, end, text })
  }
  const isTag = (node, other) => node?.type === 'Literal' && tags.includes(node.value) && textOf(other).endsWith('.tag')
  visit(program, (node) => {
    const { type, left, right, operator } = node
    for (const condition of conditionsOf(node)) {
      const text = textOf(condition).replaceAll(/\s+/g, ' ')
      if (text in conditions) replace(text, condition, String(conditions[text]))
    }
    if (type === 'BinaryExpression' && /^[!=]==?$/.test(operator) && isTag(left, right))
      replace(String(left.value), node, String(operator.startsWith('!')))
    if (/^Function/.test(type) && functions.includes(node.id?.name)) replace(node.id.name, node.body, '{}')
    if (type === 'ExpressionStatement') {
      const doing = textOf(node.expression.left ?? node.expression.callee ?? node)
      const names = node.expression.type === 'CallExpression' ? calls : assigned
      const name = names.find(
        (one) =>
          doing === one || (one.endsWith('.') && doing.startsWith(one)) || (one.startsWith('.') && doing.endsWith(one)),
      )
      if (name) replace(name, node, ';')
    }
    // Only the label goes: what comes after it is then no longer reached, except from the case before it.
    if (type === 'SwitchStatement')
      for (const { start, test } of node.cases.slice(1))
        if (isTag(test, node.discriminant))
          replace(String(test.value), { start, end: code.indexOf(':', test.end) + 1 }, '')
  })
  return { kept: edited(code, edits), missing: [...missing] }
}

/** @returns what a node takes as yes or no. */
function conditionsOf({ type, test, argument, left, right }) {
  if (type === 'LogicalExpression') return [left, right]
  if (type === 'UnaryExpression') return [argument]
  return test ? [test] : []
}

/** Where one edit is inside of another, the outer one counts. */
function edited(code, edits) {
  let [text, place] = ['', 0]
  for (const edit of edits.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (edit.start < place) continue
    text += code.slice(place, edit.start) + edit.text
    place = edit.end
  }
  return text + code.slice(place)
}

function visit(node, enter) {
  if (Array.isArray(node)) for (const one of node) visit(one, enter)
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') enter(node)
    for (const one of Object.values(node)) visit(one, enter)
  }
}
