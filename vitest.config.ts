import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const testFiles = ['app/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.ts']
/**
 * They load the product's modules anew, or use what a process has one of: its page cache, its watch
 * of changes.
 */
const needIsolation = [
  'app/features/catalog/end-reduced-prices.server.test.ts',
  'app/features/desk/every-number.server.test.ts',
  'app/features/orders/**/*.server.test.ts',
  'app/routes/**/*.test.ts',
  'app/server/cache/{shared-state.server,stored-pages}.test.ts',
  'app/http-app.server.test.ts',
  'app/server/http/{failures,maintenance.server,public-origin.server,reading-writes-nothing}.test.ts',
  'app/server/operations/metrics/metrics.server.test.ts',
]

export default defineConfig({
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  test: {
    projects: [
      // Files keep nothing between them, so that they share what they import.
      {
        extends: true,
        test: { name: 'shared', include: testFiles, exclude: needIsolation, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: needIsolation } },
    ],
    globalSetup: ['tests/support/start-test-postgres.ts'],
    setupFiles: [
      'tests/support/process-data-folder.ts',
      'tests/support/close-test-databases.ts',
      'tests/support/property-seed.ts',
    ],
    // A test that checks nothing has failed.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // Generous, because a busy machine is no failure; a hanging test still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: {
      NODE_ENV: 'test',
      // A developer's own settings change no test.
      ENV_FILE: '/dev/null',
      LOG_LEVEL: 'silent',
      // A busy machine is no failure.
      SHED_AFTER_MS: '60000',
      DATA_DIR: path.join(tmpdir(), `learnify-test-${process.pid}`),
      CONTENT_DIR: path.resolve('tests/content'),
    },
  },
})
