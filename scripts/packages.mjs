/**
 * The first step of `npm start`, `npm test` and the commands, by `run.sh`: installs the locked
 * packages unless they already are. JavaScript, because it may run on a Node.js that knows no
 * types. `npm ci` empties node_modules first, so that an interrupted installation repairs itself. A
 * linked node_modules (a second work tree) is left to its owner.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const packages = path.join(root, 'node_modules')
const stamp = path.join(packages, '.learnify-installed')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Learnify needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
}

if (!lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) {
  install()
}

function install() {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return
  }

  // Not to the output, which may be a command's answer for a file or a program.
  if (process.stderr.isTTY || !process.env.CI) {
    console.error('Installing packages...')
  }

  const words = [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const { status } = spawnSync('npm', words, {
    cwd: root,
    stdio: ['inherit', process.stderr.fd, 'inherit'],
  })
  if (status !== 0) {
    fail(`'npm ${words.join(' ')}' failed, so nothing was started.`)
  }

  writeFileSync(stamp, hash)
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
