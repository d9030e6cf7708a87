/**
 * `node bench/loaded-size.mjs`: how large on disk is what the running product loads: the builds of server and browser, the
 * migrations, and whole each package that stays outside of the server's bundle, with what that one needs. Content, tools
 * of the build and the runtime are not counted.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { addRow } from './rows.mjs'

const root = path.resolve(import.meta.dirname, '..')
const config = readFileSync(path.join(root, 'vite.config.ts'), 'utf8')
const named = /const unbundled = \[([^\]]*)\]/.exec(config)?.[1] ?? ''
const unbundled = [...named.matchAll(/'((?:@[^/']+\/)?[^/']+)[^']*'/g)].map(([, name]) => name)
const fonts = readdirSync(path.join(root, 'node_modules/@fontsource')).map((name) => `@fontsource/${name}`)

const folders = new Set()
for (const name of [...unbundled, ...fonts]) addPackage(name, root)
const packages = sum([...folders].map(sizeOf))
const own = sum(['build', 'app/server/database/migrations'].map((folder) => sizeOf(path.join(root, folder))))
const largest = [...folders].map((folder) => ({ folder, size: sizeOf(folder) })).sort((a, b) => b.size - a.size)
for (const { folder, size } of largest.slice(0, 8))
  console.log(`${megabytes(size).padStart(7)} MB  ${path.relative(root, folder)}`)
console.log(`${megabytes(own).padStart(7)} MB  build/ and migrations`)
const all = packages + own
addRow({
  figure: 'size of what runs',
  value: `${megabytes(all)} MB`,
  goal: 'at most 130 MB',
  met: all <= 130e6,
  ratio: '',
})

function addPackage(name, from) {
  const require = createRequire(path.join(from, 'index.js'))
  const places = require.resolve.paths(name) ?? []
  const folder = places
    .map((place) => path.join(place, name))
    .find((place) => existsSync(path.join(place, 'package.json')))
  // Packages for other systems are not installed.
  if (!folder || folders.has(folder)) return
  folders.add(folder)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) addPackage(needed, folder)
}

/** Without packages inside, which are counted by themselves. */
function sizeOf(place) {
  const entry = lstatSync(place)
  if (!entry.isDirectory()) return entry.size
  return sum(
    readdirSync(place)
      .filter((name) => name !== 'node_modules')
      .map((name) => sizeOf(path.join(place, name))),
  )
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1)
}
