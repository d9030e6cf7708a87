import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { findTestBrowser } from './scripts/chromium.ts'

/** `scripts/test.ts` gives each run a port and a data folder of its own, so that runs can be parallel. */
const port = Number(process.env.E2E_PORT ?? 4390)
process.env.E2E_DATA_DIR ??= path.join(tmpdir(), `learnify-e2e-${port}`)
const dataDir = process.env.E2E_DATA_DIR
// The products that the tests start inherit these variables.
process.env.CONTENT_DIR = path.resolve('tests/content')
// A developer's `.env` file must not change a test.
process.env.ENV_FILE = '/dev/null'
// The product refuses no request because the machine is busy.
process.env.SHED_AFTER_MS = '60000'
// Node.js compiles the product for its first start only. The tests start it some twenty times.
process.env.NODE_COMPILE_CACHE = path.resolve('.cache/compiled')

/** The sample identity provider is also the provider of an organization, the only one for its members. */
const organizationSettings = {
  SSO_ACME_NAME: 'Acme Corporation',
  SSO_ACME_ISSUER: `http://localhost:${port}/sample-identity`,
  SSO_ACME_CLIENT_ID: 'acme',
  SSO_ACME_CLIENT_SECRET: 'only-for-tests',
  SSO_ACME_DOMAINS: 'acme.example',
  SSO_ACME_ONLY_WAY: 'on',
}

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const launchOptions = { executablePath: findTestBrowser() ?? undefined, args: browserArguments }
const proxyTests = /school\.spec/

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: '.cache/test-results',
  // One worker more than the cores of a small machine, because tests often wait for the network or a video.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A generous limit, so that a busy machine fails no test. The limit still ends a test that hangs.
  timeout: 90_000,
  // A test that fails once has found a defect, because learners get no second try.
  retries: 0,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // In UTC, the product does not ask learners about their time zone.
    timezoneId: 'UTC',
    // Animations take a sixth of a run. The tests of animations switch them on.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions,
  },
  projects: [
    // This project is first because it runs in one worker, so that its two processes start only once.
    {
      name: 'school',
      testMatch: proxyTests,
      fullyParallel: false,
      use: {
        ignoreHTTPSErrors: true,
        launchOptions: {
          ...launchOptions,
          args: [...browserArguments, '--host-resolver-rules=MAP *.example 127.0.0.1'],
        },
      },
    },
    { name: 'product', testIgnore: proxyTests },
  ],
  webServer: {
    command: 'node scripts/start.mjs',
    url: `http://localhost:${port}/healthz`,
    // The start includes a build if one is missing.
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    env: { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...organizationSettings },
  },
})
