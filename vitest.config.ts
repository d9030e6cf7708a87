import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const testFiles = ['app/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.ts']
/** Test files of a school that sells courses. The product reads this setting when it is loaded. */
const shopTestFiles = [
  'app/features/desk/every-number.server.test.ts',
  'app/features/orders/**/*.server.test.ts',
]
/** Test files that start the whole product, which loads the product's modules again. */
const productTestFiles = [
  'app/routes/**/*.test.ts',
  'app/server/cache/stored-pages.test.ts',
  'app/server/http/{failures,public-origin.server,reading-writes-nothing}.test.ts',
  'app/server/operations/metrics/metrics.server.test.ts',
]
/**
 * Test files that need a process of their own: they change a setting before the product reads it, or
 * use an object of which each process has only one, such as the page cache.
 */
const isolatedTestFiles = [
  'app/features/catalog/end-reduced-prices.server.test.ts',
  'app/server/cache/shared-state.server.test.ts',
  'app/http-app.server.test.ts',
  'app/server/http/maintenance.server.test.ts',
]

export default defineConfig({
  // The files are compiled for React in development and in production.
  oxc: { jsx: { development: false } },
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  test: {
    // Most files leave no module changed, so one process runs many of them without loading the
    // packages and the product's modules for each file.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: testFiles,
          exclude: [...shopTestFiles, ...productTestFiles, ...isolatedTestFiles],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'shop',
          include: shopTestFiles,
          isolate: false,
          env: { PAYMENTS: 'sample' },
        },
      },
      // `startProductServer` loads the product's modules again, so these files share packages only.
      {
        extends: true,
        test: {
          name: 'product',
          include: productTestFiles,
          isolate: false,
          // React renders a page several times as fast as with its checks for development.
          env: { NODE_ENV: 'production' },
        },
      },
      { extends: true, test: { name: 'isolated', include: isolatedTestFiles } },
    ],
    // Each project has a server that compiles modules. With this cache, a module is compiled only once.
    experimental: { fsModuleCache: true },
    globalSetup: ['tests/support/start-test-postgres.ts'],
    setupFiles: [
      'tests/support/process-data-folder.ts',
      'tests/support/close-test-databases.ts',
      'tests/support/property-seed.ts',
      'tests/support/quick-password-hashes.ts',
    ],
    // A test without an assertion fails.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    pool: 'forks',
    // One worker more than the cores of a small machine, because tests often wait for a database or a timer.
    maxWorkers: 3,
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
