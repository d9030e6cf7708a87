import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-run-'))
  await mkdir(path.join(folder, 'node_modules/.bin'), { recursive: true })
  await mkdir(path.join(folder, 'scripts'))
  await copyFile('scripts/run.sh', path.join(folder, 'scripts/run.sh'))
  await writeFile(
    path.join(folder, 'scripts/packages.mjs'),
    'console.log(["packages", ...process.argv.slice(2)].join())',
  )
  await writeFile(path.join(folder, 'program.mjs'), 'console.log(["program", ...process.argv.slice(2)].join())')
})
afterEach(() => rm(folder, { recursive: true }))

/** As npm does it: programs of the packages come first. */
function run(...words: string[]) {
  const PATH = `${path.join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const { status, stdout } = spawnSync('sh', ['scripts/run.sh', ...words], {
    cwd: folder,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  })
  return { status, lines: stdout.trim().split('\n') }
}

const putNode = (text: string) => writeFile(path.join(folder, 'node_modules/.bin/node'), text, { mode: 0o755 })

it('a program runs on the Node.js of the packages, after these are there', async () => {
  await putNode(`#!/bin/sh\n[ "$1" = --version ] || echo installed\nexec ${process.execPath} "$@"\n`)
  expect(run('--tools', 'program.mjs', 'check')).toEqual({
    status: 0,
    lines: ['installed', 'packages,--tools', 'installed', 'program,check'],
  })
})

it('a Node.js of the packages that cannot run here is passed over', async () => {
  await putNode('#!/nowhere/ld-musl-x86_64.so.1\n')
  expect(run('program.mjs')).toEqual({ status: 0, lines: ['packages', 'program'] })
})

it('one that only comes with the packages is passed over, too', async () => {
  const install = `import { writeFileSync } from 'node:fs'
    writeFileSync('node_modules/.bin/node', '#!/nowhere/ld-musl-x86_64.so.1\\n', { mode: 0o755 })`
  await writeFile(path.join(folder, 'scripts/packages.mjs'), install)
  expect(run('program.mjs')).toMatchObject({ status: 0, lines: ['program'] })
})

it('without packages nothing runs', async () => {
  await writeFile(path.join(folder, 'scripts/packages.mjs'), 'process.exit(3)')
  expect(run('program.mjs')).toEqual({ status: 3, lines: [''] })
})
