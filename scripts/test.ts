/**
 * `npm test`: runs every check and every test, also on a fresh clone. It continues after a failure, so
 * that one run shows everything. The last lines name the failures and count the checks, the unit and
 * database tests and the browser journeys.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { prepareBuild } from './build.ts'
import { findTestBrowser, headlessShellPath } from './chromium.ts'

process.chdir(path.resolve(import.meta.dirname, '..'))
requireBrowser()
mkdirSync('.cache', { recursive: true })
const toolPath = `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env.PATH}`
let passedCount = 0
const failedNames: string[] = []

runCommand('types of the routes', 'react-router typegen')
const checks = [
  runCheck('format and lint', 'biome check --error-on-warnings .'),
  runCheck('types', 'tsc'),
  runCheck('dead code', 'knip'),
]
prepareBuild()
await Promise.all(checks)
runUnitTests()
await runJourneys()
for (const name of failedNames) {
  console.log(`failed: ${name}`)
}

console.log(`${passedCount} passed, ${failedNames.length} failed`)
process.exit(failedNames.length === 0 ? 0 : 1)

/** Runs a check in parallel with others, and prints its output once the check has ended. */
async function runCheck(name: string, command: string): Promise<void> {
  const check = await runCommandInBackground(command)
  console.log(`\n── ${name}\n${check.output}`)
  if (check.passed) {
    passedCount += 1
  } else {
    failedNames.push(name)
  }
}

function runUnitTests(): void {
  const name = 'unit and database tests'
  const report = prepareReportFile('vitest')
  const reporters = '--reporter=default --reporter=./scripts/unit-test-report.ts'
  const hasSucceeded = runCommand(name, `vitest run ${reporters}`, { UNIT_TEST_REPORT: report })
  const tests = readReport(report) ?? { passed: 0, failed: [] }
  passedCount += tests.passed
  failedNames.push(...(hasSucceeded || tests.failed.length > 0 ? tests.failed : [name]))
}

async function runJourneys(): Promise<void> {
  const name = 'journeys in the browser'
  const report = prepareReportFile('playwright')
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-e2e-'))
  const hasSucceeded = runCommand(name, 'playwright test', {
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: folder,
  })
  rmSync(folder, { recursive: true, force: true })
  const { suites, stats, errors } = readReport(report) ?? {
    suites: [],
    stats: { expected: 0 },
    errors: [],
  }

  passedCount += stats.expected
  const failedJourneys = [
    ...listJourneys(suites)
      .filter((journey) => !journey.ok)
      .map(describeFailedJourney),
    ...errors.map((error: JourneyError) => `outside of every journey: ${getFirstLine(error)}`),
  ]

  failedNames.push(...(hasSucceeded || failedJourneys.length > 0 ? failedJourneys : [name]))
}

/** Returns the place and the title of a failed journey with the first line of its error. */
function describeFailedJourney({ file, line, title, tests }: Journey): string {
  const [error] = tests.flatMap((test) => test.results).flatMap((result) => result.errors)
  const journey = `${file}:${line} ${title}`
  return error ? `${journey}: ${getFirstLine(error)}` : journey
}

/** An error in Playwright's report. `value` is set if the thrown value is not an Error. */
type JourneyError = { message?: string; value?: string }

function getFirstLine({ message = '', value = '' }: JourneyError): string {
  const [line = ''] = stripVTControlCharacters(message || value).split('\n', 1)
  return line
}

type Journey = {
  ok: boolean
  file: string
  line: number
  title: string
  /** The runs of the journey: one for each project, with one result for each try. */
  tests: { results: { errors: JourneyError[] }[] }[]
}
type Suite = { specs: Journey[]; suites?: Suite[] }

/** Lists the journeys of the report's files and of their groups. */
function listJourneys(suites: readonly Suite[]): Journey[] {
  return suites.flatMap((suite) => [...suite.specs, ...listJourneys(suite.suites ?? [])])
}

function prepareReportFile(name: string): string {
  const file = `.cache/${name}.json`
  rmSync(file, { force: true })
  return file
}

function readReport(report: string) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}

/** Runs a command with the tools of node_modules/.bin. Returns whether the command succeeded. */
function runCommand(name: string, command: string, variables: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables, PATH: toolPath },
  })

  return status === 0
}

function runCommandInBackground(command: string): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(`{ ${command}; } 2>&1`, {
      shell: true,
      env: { ...process.env, PATH: toolPath },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.once('close', (status) => resolve({ passed: status === 0, output }))
  })
}

/**
 * Installs Debian's packages if possible; otherwise any Chromium will do, or a sentence names the
 * missing program.
 */
function requireBrowser(): void {
  if (!existsSync(headlessShellPath)) {
    install('chromium-headless-shell')
  }

  if (!findTestBrowser()) {
    install('chromium')
  }

  if (findTestBrowser()) {
    return
  }

  console.error('The journeys need Chromium or Chrome. Install one, or set CHROMIUM_PATH.')
  process.exit(1)
}

function install(name: string): void {
  if (process.env.CHROMIUM_PATH || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return
  }

  console.log(`Installing ${name} ...`)
  const command = `apt-get install -y -qq ${name} || { apt-get update -qq && apt-get install -y -qq ${name}; }`
  spawnSync(command, { shell: true, stdio: 'ignore', timeout: 120_000 })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
