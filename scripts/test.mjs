/**
 * `npm test`: every check and every test, on a fresh clone too. Goes on after a failure, so that one run tells all;
 * the last line counts checks, unit and database tests, and browser journeys together.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { headlessShell, journeyBrowserPath } from './chromium.mjs'
import { hashOf, prepareBuild, preparePackages } from './prepare.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))
preparePackages({ tools: true })
requireBrowser()
mkdirSync('.cache', { recursive: true })
const toolPath = `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env.PATH}`
const count = { passed: 0, failed: 0 }

shell('types of the routes', 'react-router typegen')
const checks = [
  runCheck('format and lint', 'biome check --error-on-warnings .'),
  runCheck('types', 'tsc && tsc -p tsconfig.programs.json'),
  runCheck('dead code', 'knip'),
  installRuntimes(),
]
prepareBuild()
await Promise.all(checks)
runUnitTests()
await runJourneys()
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

/** Side by side with others; its output comes in one piece. */
async function runCheck(name, command) {
  const { passed, output } = await shellBeside(command)
  console.log(`\n── ${name}\n${output}`)
  count[passed ? 'passed' : 'failed'] += 1
}

/** Other versions of Node.js, which only a test starts. Without a network it is left out, and says so. */
async function installRuntimes() {
  const folder = 'tests/runtimes'
  const [stamp, hash] = [`${folder}/node_modules/.installed`, hashOf([`${folder}/package-lock.json`])]
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  const { passed, output } = await shellBeside(`npm ci --prefix ${folder} --prefer-offline --loglevel=error`)
  if (passed) writeFileSync(stamp, hash)
  else console.log(`\n── other versions of Node.js could not be installed\n${output}`)
}

function runUnitTests() {
  const report = '.cache/vitest.json'
  rmSync(report, { force: true })
  const passed = shell(
    'unit and database tests',
    `vitest run --reporter=default --reporter=json --outputFile.json=${report}`,
  )
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0 }
  count.passed += result.numPassedTests
  count.failed += result.numFailedTests || (passed ? 0 : 1)
}

async function runJourneys() {
  const report = '.cache/playwright.json'
  rmSync(report, { force: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-e2e-'))
  const passed = shell('journeys in the browser', 'playwright test', {
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: folder,
  })
  rmSync(folder, { recursive: true, force: true })
  const { stats } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { stats: { expected: 0, unexpected: 0 } }
  count.passed += stats.expected
  count.failed += stats.unexpected || (passed ? 0 : 1)
}

/** @returns whether the command ended well; its tools come from node_modules/.bin. */
function shell(name, command, variables = {}) {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables, PATH: toolPath },
  })
  return status === 0
}

function shellBeside(command) {
  return new Promise((resolve) => {
    const child = spawn(`{ ${command}; } 2>&1`, { shell: true, env: { ...process.env, PATH: toolPath } })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.once('close', (status) => resolve({ passed: status === 0, output }))
  })
}

/** Debian's packages are installed where that is possible; elsewhere any Chromium will do, or a sentence says what is missing. */
function requireBrowser() {
  if (!existsSync(headlessShell)) install('chromium-headless-shell')
  if (!journeyBrowserPath()) install('chromium')
  if (journeyBrowserPath()) return
  console.error('The journeys need Chromium or Chrome. Install one, or set CHROMIUM_PATH.')
  process.exit(1)
}

function install(name) {
  if (process.env.CHROMIUM_PATH || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${name} ...`)
  const command = `apt-get install -y -qq ${name} || { apt-get update -qq && apt-get install -y -qq ${name}; }`
  spawnSync(command, { shell: true, stdio: 'ignore', timeout: 120_000 })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
