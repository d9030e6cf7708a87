/** What `npm start`, `npm test` and the operator's commands need before they run: packages and an up-to-date build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, '.cache')

/**
 * Installs the locked packages unless they already are; `npm ci` empties node_modules first, so that a stop half-way
 * heals. A linked node_modules (a second work tree) is left to its owner.
 *
 * @param tools also what only tests and checks need; a start does without.
 */
export function preparePackages({ tools = false } = {}) {
  requireNode()
  if (lstatSync(path.join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return
  const hash = hashOf(['package-lock.json'])
  const stamp = path.join(root, 'node_modules', '.learnify-installed')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  if (installed[0] === hash && (!tools || installed[1] === 'tools')) return
  say('Installing packages...')
  run('npm', [
    'ci',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    ...(tools ? [] : ['--omit=dev']),
  ])
  writeFileSync(stamp, `${hash}${tools ? ' tools' : ''}`)
}

/** The Node that the packages bring along; there is none for some systems. */
export const ownRuntime = path.join(root, 'node_modules/.bin/node')

/** Builds the product unless `build/` is what the sources give. */
export function prepareBuild() {
  const hash = hashOf([
    'package-lock.json',
    'vite.config.ts',
    'react-router.config.ts',
    'tsconfig.json',
    'app',
    'public',
    'scripts/compress-assets.mjs',
    'scripts/unbundled.mjs',
  ])
  const stamp = path.join(cache, 'built')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && existsSync(path.join(root, 'build/server'))) return
  say('Building...')
  run(process.execPath, ['node_modules/@react-router/dev/bin.cjs', 'build'], { quiet: true })
  run(process.execPath, ['scripts/compress-assets.mjs'])
  mkdirSync(cache, { recursive: true })
  writeFileSync(stamp, hash)
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Learnify needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Of the files' names and bytes; tests do not count, as they are in no build. */
export function hashOf(names) {
  const hash = createHash('sha256')
  for (const name of names) addToHash(hash, path.join(root, name))
  return hash.digest('hex')
}

function addToHash(hash, file) {
  if (!existsSync(file)) return
  hash.update(path.relative(root, file))
  try {
    hash.update(readFileSync(file))
  } catch {
    for (const entry of readdirSync(file).sort()) if (!entry.includes('.test.')) addToHash(hash, path.join(file, entry))
  }
}

function say(message) {
  if (process.stdout.isTTY || !process.env.CI) console.log(message)
}

function run(command, args, { quiet = false } = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: quiet ? 'pipe' : 'inherit', encoding: 'utf8' })
  if (result.status === 0) return
  if (quiet) console.error(result.stdout, result.stderr)
  console.error(`'${command} ${args.join(' ')}' failed, so nothing was started.`)
  process.exit(result.status ?? 1)
}
