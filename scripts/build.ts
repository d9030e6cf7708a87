/**
 * Builds the product if its sources have changed: `node scripts/build.ts`, or by `prepareBuild`.
 */
import { spawnSync } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compressAssets } from './compress-assets.ts'

const root = path.resolve(import.meta.dirname, '..')
/** This file has the hash of the sources from which `build/` was made. */
const sourceHashFile = path.join(root, '.cache/built')

/** The files and folders from which `build/` is made. */
const sources = [
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
  'app',
  'public',
  'scripts/compress-assets.ts',
  'scripts/unbundled.ts',
]

/** The Node.js that comes with the npm packages. Some systems don't have this file. */
export const packagedNodePath = path.join(root, 'node_modules/.bin/node')

/** Builds the product unless `build/` is up to date. */
export function prepareBuild(): void {
  const sourceHash = hashSources()
  if (isBuilt(sourceHash)) {
    return
  }

  // Messages go to stderr, because the output of a command may be read by a program.
  if (process.stderr.isTTY || !process.env.CI) {
    console.error('Building...')
  }

  buildProduct()
  compressAssets(path.join(root, 'build/client'))

  mkdirSync(path.dirname(sourceHashFile), { recursive: true })
  writeFileSync(sourceHashFile, sourceHash)
}

if (process.argv[1] === import.meta.filename) {
  prepareBuild()
}

function isBuilt(sourceHash: string): boolean {
  return (
    existsSync(sourceHashFile) &&
    readFileSync(sourceHashFile, 'utf8') === sourceHash &&
    existsSync(path.join(root, 'build/server'))
  )
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const name of sources) {
    addToHash(hash, path.join(root, name))
  }

  return hash.digest('hex')
}

/** Adds the name and bytes of a file, or of all files in a folder. Tests are in no build. */
function addToHash(hash: Hash, file: string): void {
  hash.update(path.relative(root, file))
  try {
    hash.update(readFileSync(file))
  } catch {
    // A folder can't be read as a file.
    for (const entry of readdirSync(file).sort()) {
      if (!entry.includes('.test.')) {
        addToHash(hash, path.join(file, entry))
      }
    }
  }
}

/** Runs React Router's build. Its output is printed only if it fails. */
function buildProduct(): void {
  const args = ['node_modules/@react-router/dev/bin.cjs', 'build']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) {
    return
  }

  console.error(`${stdout}${stderr}\nThe build failed, so nothing was started.`)
  process.exit(status ?? 1)
}
