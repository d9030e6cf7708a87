import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const rulesAndViews = ['app/{features,ui}/**/!(*.server).test.{ts,tsx}']

export default defineConfig({
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['app/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.ts'],
          exclude: rulesAndViews,
        },
      },
      // They keep nothing between them, so that they share what they import.
      { extends: true, test: { name: 'rules and views', include: rulesAndViews, isolate: false } },
    ],
    globalSetup: ['tests/support/start-test-server.ts'],
    setupFiles: ['tests/support/close-test-databases.ts'],
    // A test that checks nothing has failed.
    expect: { requireAssertions: true },
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
      DATA_DIR: path.join(tmpdir(), `learnify-test-${process.pid}`),
      CONTENT_DIR: path.resolve('tests/content'),
    },
  },
})
