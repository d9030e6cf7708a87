/**
 * `node bench/mutation.mjs [FILE ...]`: breaks the pure rules, or these files, in every way that Stryker knows, one at a time,
 * and prints which breaks no test notices. Only tests without a database run; all rules take some 20 minutes. Stryker is
 * no package of the product: it is installed into a copy of HEAD, which is removed afterwards.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const rules = [
  'app/features/accounts/{form/account-fields,form/form-check,password/password-strength,settings/photo-rules,sign-in/own-path}.ts',
  'app/features/catalogue/{course-filters,course-tabs,price,review-form-schema,review-list}.ts',
  'app/features/home/testimonial-rotation.ts',
  'app/features/learning/achievement/achievements.ts',
  'app/features/learning/certificate/certificate-{name,text}.ts',
  'app/features/learning/course-work/!(*.server|*.test).ts',
  'app/features/learning/exam/{exam-answer,exam-attempts,exam-draw,exam-judge,exam-number,exam-ordering,exam-question,exam-time,grade}.ts',
  'app/features/learning/lesson/transcript.ts',
  'app/features/learning/profile/profile-{sections,stats}.ts',
  'app/server/{client-address,public-pages,trusted-proxies}.server.ts',
  'app/ui/{count,date,duration}-text.ts',
]
const files = process.argv.slice(2)
const copy = mkdtempSync(path.join(tmpdir(), 'learnify-mutation-'))
const run = (command, ...words) => execFileSync(command, words, { cwd: copy, stdio: 'inherit' })

const tests = `
import base from './vitest.config'
const { globalSetup: _database, setupFiles: _databases, ...test } = base.test
const exclude = [
  '**/!(client-address|public-pages|trusted-proxies).server.test.ts',
  '**/{learner-limits,reading-writes-nothing,stored-pages}.test.ts',
  '**/*.test.tsx',
  'tests/**',
]
export default { ...base, test: { ...test, exclude } }
`
const settings = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.rules.config.ts', related: true },
  mutate: files.length > 0 ? files : rules,
  // Stryker would rewrite it with a TypeScript that has a JavaScript interface, which version 7 has not.
  tsconfigFile: 'none.json',
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'progress-append-only'],
}

try {
  run('git', 'clone', '-q', path.resolve(import.meta.dirname, '..'), '.')
  run('npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error')
  const stryker = ['@stryker-mutator/core@9', '@stryker-mutator/vitest-runner@9']
  run('npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...stryker)
  writeFileSync(path.join(copy, 'vitest.rules.config.ts'), tests)
  writeFileSync(path.join(copy, 'stryker.config.json'), JSON.stringify(settings))
  run('npx', 'stryker', 'run')
} finally {
  rmSync(copy, { recursive: true, force: true })
}
