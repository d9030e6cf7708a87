/**
 * The first step of `npm start`, `npm test` and the commands, by `run.sh`: installs the locked
 * packages unless they already are. JavaScript, because it may run on a Node.js that knows no
 * types. `npm ci` empties node_modules first, so that an interrupted installation repairs itself. A
 * linked node_modules (a second work tree) is left to its owner.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { printSentence, reportProgress } from './start-output.mjs'

const root = path.resolve(import.meta.dirname, '..')
const packages = path.join(root, 'node_modules')
const stamp = path.join(packages, '.learnify-installed')

/** `run.sh` names the program that runs after the installation. Only `npm start` has a log. */
const isStart = process.argv[2] === 'scripts/start.mjs'
const hasReader = isStart || process.stderr.isTTY || !process.env.CI

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Learnify needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
}

if (!lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) {
  await install()
}

async function install() {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return
  }

  const task = 'Installing packages'
  print(`${task}...`)
  const stopProgress = reportProgress(task, print)
  const words = [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const { status, output } = await runNpm(words)
  stopProgress()
  if (status !== 0) {
    fail(`${output}'npm ${words.join(' ')}' failed, so nothing was started.`)
  }

  writeFileSync(stamp, hash)
}

/** Runs npm. Its output is collected, because it is printed only if npm fails. */
function runNpm(words) {
  const child = spawn('npm', words, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }

  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, output: `${error.message}\n` }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

function print(sentence, level) {
  if (isStart) {
    printSentence(sentence, level)
  } else if (hasReader) {
    console.error(sentence)
  }
}

function fail(sentence) {
  if (isStart) {
    printSentence(sentence, 'fatal')
  } else {
    console.error(sentence)
  }

  process.exit(1)
}
