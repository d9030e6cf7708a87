/**
 * `npm start`: builds the product if its sources have changed, then runs it until it is stopped.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { loadProgram } from './load.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))
// In a process of its own, because one that has run TypeScript keeps Node's compiler in memory: 20
// MB.
const { status } = spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' })
if (status !== 0) {
  process.exit(status ?? 1)
}

const { run } = await loadProgram('main')
await run()
