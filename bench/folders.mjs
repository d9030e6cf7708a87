/**
 * `node bench/folders.mjs [COUNT]`: how long a start takes with so many course folders, copies of the tests' smallest course:
 * when nothing has changed, when one course has, when one is broken, and the first time. Beside each, the process's CPU time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { processTree } from './scheduling.mjs'

const count = Number(process.argv[2] ?? 10_000)
const root = path.resolve(import.meta.dirname, '..')
const copied = 'three-knots'
const folder = mkdtempSync(path.join(tmpdir(), 'learnify-folders-'))
const [content, data] = [path.join(folder, 'content'), path.join(folder, 'data')]
try {
  cpSync(path.join(root, 'tests/content'), content, { recursive: true })
  await timeStart()
  for (let number = 1; number <= count; number++) copyCourse(`copy-${number}`)
  console.log(`${count} folders are loaded for the first time in ${loadForTheFirstTime().toFixed(0)} s`)
  report(`start with ${count} course folders`, await timeStart())
  const file = path.join(content, 'courses/copy-1/course.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, 'title: Changed since'))
  report(`start with ${count} course folders, one changed`, await timeStart())
  writeFileSync(file, 'title: [')
  report(`start with ${count} course folders, one broken`, await timeStart())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Pictures and films are links: they are not read, and would fill the disk. */
function copyCourse(id) {
  const [from, to] = [copied, id].map((name) => path.join(content, 'courses', name))
  for (const name of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const [source, target] = [from, to].map((place) =>
      path.join(place, path.relative(from, name.parentPath), name.name),
    )
    if (name.isDirectory()) continue
    mkdirSync(path.dirname(target), { recursive: true })
    if (/\.(yaml|md|vtt|svg)$/.test(name.name)) cpSync(source, target)
    else linkSync(source, target)
  }
}

function loadForTheFirstTime() {
  const began = performance.now()
  const load = spawnSync('node', ['scripts/command.ts', 'content', 'load'], {
    cwd: root,
    env: { ...process.env, ENV_FILE: '/dev/null', DATA_DIR: data, CONTENT_DIR: content },
    encoding: 'utf8',
  })
  if (load.status !== 0) throw new Error(load.stderr)
  return (performance.now() - began) / 1000
}

/** @returns seconds from the command to the first answer, and of them the CPU's. */
async function timeStart() {
  const began = performance.now()
  const product = await startProduct({ folder: data, variables: { CONTENT_DIR: content } })
  const seconds = (performance.now() - began) / 1000
  const cpuSeconds = processTree(product.pid).cpuMs / 1000
  await product.stop()
  return { seconds, cpuSeconds }
}

function report(figure, { seconds, cpuSeconds }) {
  const value = `${seconds.toFixed(1)} s`
  addRow({ figure, value, goal: `5 s`, met: seconds <= 5, ratio: `CPU time ${cpuSeconds.toFixed(1)} s` })
}
