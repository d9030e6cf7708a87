/**
 * Installs the packages of package-lock.json unless they are installed already. `run.sh` runs this
 * program before `npm start`, `npm test` and the commands.
 *
 * It is JavaScript, because it may run on a Node.js that does not know TypeScript. `npm ci` empties
 * node_modules first, so an interrupted installation is repaired by the next run. If node_modules
 * is a link to another checkout's folder, nothing is installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { printSentence, reportProgress } from './start-output.mjs'

const root = path.resolve(import.meta.dirname, '..')
const packageFolder = path.join(root, 'node_modules')
/** This file has the hash of the package-lock.json whose packages are installed. */
const lockHashFile = path.join(packageFolder, '.learnify-installed')

/** `run.sh` names the program that runs after the installation. Only `npm start` has a log. */
const isStart = process.argv[2] === 'scripts/start.mjs'
const shouldPrintProgress = isStart || process.stderr.isTTY || !process.env.CI

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Learnify needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
}

const isLink = lstatSync(packageFolder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
if (!isLink) {
  await install()
}

async function install() {
  const lockFile = readFileSync(path.join(root, 'package-lock.json'))
  const lockHash = createHash('sha256').update(lockFile).digest('hex')
  if (existsSync(lockHashFile) && readFileSync(lockHashFile, 'utf8') === lockHash) {
    return
  }

  const task = 'Installing packages'
  print(`${task}...`)
  const stopProgress = reportProgress(task, print)

  const args = [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const { status, output } = await runNpm(args)
  stopProgress()
  if (status !== 0) {
    fail(`${output}'npm ${args.join(' ')}' failed, so nothing was started.`)
  }

  writeFileSync(lockHashFile, lockHash)
}

/** Runs npm. Its output is collected, because it is printed only if npm fails. */
function runNpm(args) {
  const child = spawn('npm', args, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] })
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

/** Prints progress, unless nobody would read it. */
function print(sentence) {
  if (isStart) {
    printSentence(sentence)
  } else if (shouldPrintProgress) {
    console.error(sentence)
  }
}

/** Prints an error and ends the process. */
function fail(sentence) {
  if (isStart) {
    printSentence(sentence, 'fatal')
  } else {
    console.error(sentence)
  }

  process.exit(1)
}
