/**
 * `npm run bench [-- NAMES]`: runs the named benchmarks, or all that a laptop can run, and prints
 * one table of their results.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { formatResult } from './figures.ts'

const laptopBenchmarks = ['rates', 'pages', 'search', 'kills', 'backup', 'fuzz']
const chosenNames = process.argv.slice(2)
const benchmarks = chosenNames.length > 0 ? chosenNames : laptopBenchmarks

// The benchmarks are processes of their own. Each of them appends its results to this file.
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-rows-'))
const resultsFile = path.join(folder, 'rows')
writeFileSync(resultsFile, '')

for (const name of benchmarks) {
  console.log(`\n── ${name}`)
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_ROWS: resultsFile },
  })
  if (status !== 0) {
    process.exitCode = 1
  }
}

const results = readFileSync(resultsFile, 'utf8').split('\n').filter(Boolean)
rmSync(folder, { recursive: true })

const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`
console.log(`\n${new Date().toISOString().slice(0, 10)}, ${machine}\n`)
console.log('| figure | value | goal | met | ratio |\n|---|---|---|---|---|')
for (const result of results) {
  console.log(formatResult(JSON.parse(result)))
}
