/**
 * `npm run bench [-- NAMES]`: runs the named benches, or all that a laptop can run, and prints one
 * table of their results.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { formatResult } from './figures.ts'

const forLaptops = ['rates', 'pages', 'search', 'kills', 'backup', 'fuzz']
const benches = process.argv.length > 2 ? process.argv.slice(2) : forLaptops

const folder = mkdtempSync(path.join(tmpdir(), 'learnify-rows-'))
const rowsFile = path.join(folder, 'rows')
writeFileSync(rowsFile, '')
for (const name of benches) {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_ROWS: rowsFile },
  })
  if (status !== 0) {
    process.exitCode = 1
  }
}

const rows = readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean)
rmSync(folder, { recursive: true })

const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`
console.log(`\n${new Date().toISOString().slice(0, 10)}, ${machine}\n`)
console.log('| figure | value | goal | met | ratio |\n|---|---|---|---|---|')
for (const row of rows) {
  console.log(formatResult(JSON.parse(row)))
}
