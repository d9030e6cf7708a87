/**
 * `npm test`: runs every check and every test, also on a fresh clone. It continues after a failure,
 * so that one run shows everything. The last lines name the failures and count the checks, the unit
 * and database tests and the browser journeys.
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
/** The names of failed checks, tests and journeys, with their messages. */
const failures: string[] = []

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

for (const failure of failures) {
  console.log(`failed: ${failure}`)
}

console.log(`${passedCount} passed, ${failures.length} failed`)
process.exit(failures.length === 0 ? 0 : 1)

/** Runs a check in parallel with others, and prints its output once the check has ended. */
async function runCheck(name: string, command: string): Promise<void> {
  const check = await runCommandInBackground(command)
  console.log(`\n── ${name}\n${check.output}`)
  if (check.passed) {
    passedCount += 1
  } else {
    failures.push(name)
  }
}

function runUnitTests(): void {
  const name = 'unit and database tests'
  const reportFile = prepareReportFile('vitest')
  const reporters = '--reporter=default --reporter=./scripts/unit-test-report.ts'
  const hasSucceeded = runCommand(name, `vitest run ${reporters}`, {
    UNIT_TEST_REPORT: reportFile,
  })

  const report: UnitTestReport = readReport(reportFile) ?? { passed: 0, failed: [] }
  passedCount += report.passed
  addFailures(name, { hasSucceeded, failedTests: report.failed })
}

/** The report that `unit-test-report.ts` writes. */
type UnitTestReport = { passed: number; failed: string[] }

async function runJourneys(): Promise<void> {
  const name = 'journeys in the browser'
  const reportFile = prepareReportFile('playwright')
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'learnify-e2e-'))
  const hasSucceeded = runCommand(name, 'playwright test', {
    E2E_PORT: String(await findFreePort()),
    E2E_DATA_DIR: dataFolder,
  })
  rmSync(dataFolder, { recursive: true, force: true })

  const emptyReport: JourneyReport = { suites: [], stats: { expected: 0 }, errors: [] }
  const report: JourneyReport = readReport(reportFile) ?? emptyReport
  const failedJourneys = listJourneys(report.suites).filter((journey) => !journey.ok)

  passedCount += report.stats.expected
  addFailures(name, {
    hasSucceeded,
    failedTests: [
      ...failedJourneys.map(describeFailedJourney),
      ...report.errors.map((error) => `outside of every journey: ${getFirstLine(error)}`),
    ],
  })
}

/** Adds the failed tests of a command, or the command itself if it has failed without one. */
function addFailures(
  commandName: string,
  { hasSucceeded, failedTests }: { hasSucceeded: boolean; failedTests: string[] },
): void {
  if (!hasSucceeded && failedTests.length === 0) {
    failures.push(commandName)
  } else {
    failures.push(...failedTests)
  }
}

/** Playwright's report. `stats.expected` is the number of passed journeys. */
type JourneyReport = { suites: Suite[]; stats: { expected: number }; errors: JourneyError[] }

/** Returns the file, line and title of a failed journey, with the first line of its error. */
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

/** A file with journeys, or a group of journeys in a file. */
type Suite = { specs: Journey[]; suites?: Suite[] }

/** Lists the journeys of the files and of their groups. */
function listJourneys(suites: readonly Suite[]): Journey[] {
  return suites.flatMap((suite) => [...suite.specs, ...listJourneys(suite.suites ?? [])])
}

/** Removes the report of an earlier run. Returns the path for a new report. */
function prepareReportFile(name: string): string {
  const file = `.cache/${name}.json`
  rmSync(file, { force: true })
  return file
}

/** Returns undefined if the command ended before it could write its report. */
function readReport(file: string) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
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
 * Installs a browser with Debian's packages if there is none and if that is possible. Prefers the
 * headless shell to Chromium. Ends the process if there is no browser in the end.
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

/** Installs a Debian package. Does nothing on other systems, or without root. */
function install(packageName: string): void {
  if (process.env.CHROMIUM_PATH || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return
  }

  console.log(`Installing ${packageName} ...`)
  const installCommand = `apt-get install -y -qq ${packageName}`
  const command = `${installCommand} || { apt-get update -qq && ${installCommand}; }`
  spawnSync(command, { shell: true, stdio: 'ignore', timeout: 120_000 })
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
