import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const testFiles = ['app/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.ts']
/**
 * Test files that need a module cache of their own: they load the product's modules again, or use an
 * object of which each process has only one, such as the page cache.
 */
const isolatedTestFiles = [
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
      // These files leave no module changed, so one process runs many of them with the same modules.
      {
        extends: true,
        test: { name: 'shared', include: testFiles, exclude: isolatedTestFiles, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolatedTestFiles } },
    ],
    globalSetup: ['tests/support/start-test-postgres.ts'],
    setupFiles: [
      'tests/support/process-data-folder.ts',
      'tests/support/close-test-databases.ts',
      'tests/support/property-seed.ts',
    ],
    // A test without an assertion fails.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // Generous limits, so that a busy machine fails no test. They still end a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: {
      NODE_ENV: 'test',
      // A developer's `.env` file must not change a test.
      ENV_FILE: '/dev/null',
      LOG_LEVEL: 'silent',
      // The product refuses no request because the machine is busy.
      SHED_AFTER_MS: '60000',
      DATA_DIR: path.join(tmpdir(), `learnify-test-${process.pid}`),
      CONTENT_DIR: path.resolve('tests/content'),
    },
  },
})
