/**
 * `npm test`: every check and every test, on a fresh clone too. Continues after a failure, so that
 * one run shows everything; the last lines name the failures, and count checks, unit and database
 * tests, and browser journeys together.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { prepareBuild } from './build.ts'
import { headlessShell, journeyBrowserPath } from './chromium.ts'

process.chdir(path.resolve(import.meta.dirname, '..'))
requireBrowser()
mkdirSync('.cache', { recursive: true })
const toolPath = `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env.PATH}`
let passed = 0
const failed: string[] = []

shell('types of the routes', 'react-router typegen')
const checks = [
  runCheck('format and lint', 'biome check --error-on-warnings .'),
  runCheck('types', 'tsc'),
  runCheck('dead code', 'knip'),
]
prepareBuild()
await Promise.all(checks)
runUnitTests()
await runJourneys()
for (const name of failed) {
  console.log(`failed: ${name}`)
}

console.log(`${passed} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)

/** Side by side with others; its output comes in one piece. */
async function runCheck(name: string, command: string): Promise<void> {
  const check = await shellBeside(command)
  console.log(`\n── ${name}\n${check.output}`)
  if (check.passed) {
    passed += 1
  } else {
    failed.push(name)
  }
}

function runUnitTests(): void {
  const name = 'unit and database tests'
  const report = newReport('vitest')
  const reporters = '--reporter=default --reporter=./scripts/unit-test-report.ts'
  const ended = shell(name, `vitest run ${reporters}`, { UNIT_TEST_REPORT: report })
  const tests = read(report) ?? { passed: 0, failed: [] }
  passed += tests.passed
  failed.push(...(ended || tests.failed.length > 0 ? tests.failed : [name]))
}

async function runJourneys(): Promise<void> {
  const name = 'journeys in the browser'
  const report = newReport('playwright')
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-e2e-'))
  const ended = shell(name, 'playwright test', {
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: folder,
  })
  rmSync(folder, { recursive: true, force: true })
  const { suites, stats, errors } = read(report) ?? {
    suites: [],
    stats: { expected: 0 },
    errors: [],
  }

  passed += stats.expected
  const bad = [
    ...journeysIn(suites)
      .filter((journey) => !journey.ok)
      .map((journey) => `${journey.file}:${journey.line} ${journey.title}`),
    ...errors.map((error: JourneyError) => `outside of every journey: ${lineOf(error)}`),
  ]

  failed.push(...(ended || bad.length > 0 ? bad : [name]))
}

/** As Playwright reports it; `value` is set if the thrown value is not an Error. */
type JourneyError = { message?: string; value?: string }

function lineOf({ message = '', value = '' }: JourneyError): string {
  const [line = ''] = stripVTControlCharacters(message || value).split('\n', 1)
  return line
}

type Journey = { ok: boolean; file: string; line: number; title: string }
type Suite = { specs: Journey[]; suites?: Suite[] }

/** The journeys of a report's files and of the groups in them. */
function journeysIn(suites: readonly Suite[]): Journey[] {
  return suites.flatMap((suite) => [...suite.specs, ...journeysIn(suite.suites ?? [])])
}

function newReport(name: string): string {
  const file = `.cache/${name}.json`
  rmSync(file, { force: true })
  return file
}

function read(report: string) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}

/** @returns whether the command ended well; its tools come from node_modules/.bin. */
function shell(name: string, command: string, variables: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables, PATH: toolPath },
  })

  return status === 0
}

function shellBeside(command: string): Promise<{ passed: boolean; output: string }> {
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
  if (!existsSync(headlessShell)) {
    install('chromium-headless-shell')
  }

  if (!journeyBrowserPath()) {
    install('chromium')
  }

  if (journeyBrowserPath()) {
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
