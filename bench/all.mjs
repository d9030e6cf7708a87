/**
 * `npm run bench [-- NAMES]`: runs the benches that have a goal, and prints one table of what they found. A bench adds a
 * line to it by `addRow`, and joins by its name here.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { lineOf } from './rows.mjs'

const named = ['rates', 'progress-cost', 'loaded-size', 'pages', 'interaction', 'addresses', 'folders', 'search']
const benches = process.argv.length > 2 ? process.argv.slice(2) : named
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-rows-'))
const file = path.join(folder, 'rows')
writeFileSync(file, '')
for (const name of benches) {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${name}.mjs`)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_ROWS: file },
  })
  if (status !== 0) process.exitCode = 1
}
const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean)
rmSync(folder, { recursive: true })
console.log(
  `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}\n`,
)
console.log('| figure | value | goal | met | ratio |\n|---|---|---|---|---|')
for (const row of rows) console.log(lineOf(JSON.parse(row)))
