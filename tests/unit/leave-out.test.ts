import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { without } from '../../scripts/leave-out.mjs'

const kept = (code: string, parts: Parameters<typeof without>[0]) => without(parts, code, parseAst(code))

it('a function that is left out stays, without its body', () => {
  expect(kept('function a() { return b() }\nfunction b() { return 1 }', { functions: ['b'] }).kept).toBe(
    'function a() { return b() }\nfunction b() {}',
  )
})

it('what is left out is no longer assigned', () => {
  const code = 'exports.a = 1;exports.b = 2;C.prototype.d = 3;C.prototype.e = 4;'
  expect(kept(code, { assigned: ['exports.a', 'C.prototype.'] }).kept).toBe(';exports.b = 2;;;')
  expect(kept(code, { assigned: ['.b'] }).kept).toBe('exports.a = 1;;C.prototype.d = 3;C.prototype.e = 4;')
})

it('a call goes only where nothing reads its answer', () => {
  expect(kept('if (a) warn(a); const b = warn(a); other(a)', { calls: ['warn'] }).kept).toBe(
    'if (a) ; const b = warn(a); other(a)',
  )
})

it('a condition has its known answer, also inside of another, and elsewhere its name stays', () => {
  const code = 'function f(on) { return on && !on ? g(on) : on }'
  expect(kept(code, { conditions: { on: false } }).kept).toBe('function f(on) { return false && !false ? g(on) : on }')
  expect(kept(code, { conditions: { 'on && !on': true, on: false } }).kept).toBe(
    'function f(on) { return true ? g(on) : on }',
  )
})

it('a kind of node that never occurs is neither compared with nor branched to', () => {
  const code = 'switch (n.tag) { case 3: a(); case 4: b(); break; case 5: 4 === n.tag || 4 !== n.tag || 4 === n.size }'
  expect(kept(code, { tags: [4] }).kept).toBe(
    'switch (n.tag) { case 3: a();  b(); break; case 5: false || true || 4 === n.size }',
  )
})

it('a part that is no longer there is named', () => {
  const parts = {
    functions: ['a', 'gone'],
    assigned: ['exports.gone'],
    calls: ['a'],
    conditions: { off: true },
    tags: [7],
  }
  expect(kept('function a() {}', parts).missing).toEqual(['gone', 'exports.gone', 'off', '7'])
})

/** What the browser's React no longer does; what is imported is known to the linter. */
const missingThere =
  /\b(onSelect|onBeforeInput|onComposition\w+|formAction|viewTransition)=|\baction=\{(async )?\(|<Fragment\b[^>]*\bref=/
const asks = (code: string) => missingThere.test(code)

it('no screen asks React for what is left out', () => {
  expect([' <input onSelect={f}', '<Fragment key="a" ref={b}>', '<form action={() => {}}>'].every(asks)).toBe(true)
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  expect(files.filter((file) => asks(readFileSync(path.join('app', file), 'utf8')))).toEqual([])
})
