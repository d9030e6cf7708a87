/**
 * `node bench/start.mjs`: clones this repository's HEAD into a temporary folder and times `npm start` until the first
 * page is answered, twice: a fresh clone (packages, build, database, content) and a second start.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const port = Number(process.env.PORT ?? 4391)
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-start-'))
const clone = path.join(folder, 'learnify')
try {
  execFileSync('git', ['clone', '-q', path.resolve(import.meta.dirname, '..'), clone])
  console.log(`fresh clone to first page  ${(await timeStart()).toFixed(1)} s`)
  console.log(`second start               ${(await timeStart()).toFixed(1)} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function timeStart() {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, ENV_FILE: '/dev/null', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  while (
    !(await fetch(`http://localhost:${port}/`).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('npm start ended.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - startedAt) / 1000
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-Number(child.pid), 'SIGTERM')
  await ended
  return seconds
}
