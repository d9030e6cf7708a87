import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { findTestBrowser } from './scripts/chromium.ts'

/**
 * `scripts/test.ts` gives every run a port and a folder of its own, so that runs can go side by
 * side.
 */
const port = Number(process.env.E2E_PORT ?? 4390)
process.env.E2E_DATA_DIR ??= path.join(tmpdir(), `learnify-e2e-${port}`)
const dataDir = process.env.E2E_DATA_DIR
/** Also for the products that journeys start. */
process.env.CONTENT_DIR = path.resolve('tests/content')
/** A developer's own settings change no test. */
process.env.ENV_FILE = '/dev/null'
/** A busy machine is no failure. */
process.env.SHED_AFTER_MS = '60000'

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const launchOptions = { executablePath: findTestBrowser() ?? undefined, args: browserArguments }
const behindAProxy = /school\.spec/

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: '.cache/test-results',
  // One more than cores: journeys wait for the network and for films.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // Generous, because a busy machine is no failure; a hanging journey still ends.
  timeout: 90_000,
  // A learner has only the first try.
  retries: 0,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // The product asks nothing about a learner whose days are those of UTC.
    timezoneId: 'UTC',
    // Motion costs a sixth of a run; journeys about it ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions,
  },
  projects: [
    // First, because it has only one worker, so that its two processes are started once.
    {
      name: 'school',
      testMatch: behindAProxy,
      fullyParallel: false,
      use: {
        ignoreHTTPSErrors: true,
        launchOptions: {
          ...launchOptions,
          args: [...browserArguments, '--host-resolver-rules=MAP *.example 127.0.0.1'],
        },
      },
    },
    { name: 'product', testIgnore: behindAProxy },
  ],
  webServer: {
    command: 'node scripts/start.mjs',
    url: `http://localhost:${port}/healthz`,
    // It may have to build first.
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    env: { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  },
})
