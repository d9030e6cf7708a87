import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-run-'))
  await mkdir(path.join(folder, 'node_modules/.bin'), { recursive: true })
  await mkdir(path.join(folder, 'scripts'))
  await copyFile('scripts/run.sh', path.join(folder, 'scripts/run.sh'))
  await writeFile(path.join(folder, 'scripts/packages.mjs'), 'console.log("packages")')
  await writeFile(
    path.join(folder, 'program.ts'),
    'console.log(["program", ...process.argv.slice(2)].join())',
  )
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs `scripts/run.sh` as npm runs it: with the programs of the packages first in the PATH. */
function runScript(...args: string[]) {
  const PATH = `${path.join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const { status, stdout, stderr } = spawnSync('sh', ['scripts/run.sh', ...args], {
    cwd: folder,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  })

  return { status, lines: stdout.trim().split('\n'), stderr }
}

const writeNodeProgram = (text: string) =>
  writeFile(path.join(folder, 'node_modules/.bin/node'), text, { mode: 0o755 })

it('a program runs on the Node.js of the packages, after the packages are installed', async () => {
  await writeNodeProgram(
    `#!/bin/sh\n[ -e "$1" ] && echo installed\nexec ${process.execPath} "$@"\n`,
  )
  expect(runScript('program.ts', 'check')).toMatchObject({
    status: 0,
    lines: ['installed', 'packages', 'installed', 'program,check'],
  })
})

it('a Node.js of the packages that cannot run on this machine is not used', async () => {
  await writeNodeProgram('#!/nowhere/ld-musl-x86_64.so.1\n')
  expect(runScript('program.ts')).toMatchObject({ status: 0, lines: ['packages', 'program'] })
})

it('a newly installed Node.js that cannot run on this machine is not used either', async () => {
  const install = `import { writeFileSync } from 'node:fs'
    writeFileSync('node_modules/.bin/node', '#!/nowhere/ld-musl-x86_64.so.1\\n', { mode: 0o755 })`
  await writeFile(path.join(folder, 'scripts/packages.mjs'), install)

  expect(runScript('program.ts')).toMatchObject({ status: 0, lines: ['program'] })
})

it('without packages nothing runs', async () => {
  await writeFile(path.join(folder, 'scripts/packages.mjs'), 'process.exit(3)')
  expect(runScript('program.ts')).toMatchObject({ status: 3, lines: [''] })
})

it('a Node.js that cannot run TypeScript runs the installation, and then an error says which version is needed', async () => {
  await writeNodeProgram(`#!/bin/sh\n[ "$1" = -e ] && exit 1\nexec ${process.execPath} "$@"\n`)
  expect(runScript('program.ts')).toMatchObject({
    status: 1,
    lines: ['packages'],
    stderr: expect.stringContaining('Learnify needs Node.js 22.18 or newer here.'),
  })
})

it('the installation runs without TypeScript and without any package', async () => {
  await copyFile('scripts/packages.mjs', path.join(folder, 'scripts/packages.mjs'))
  await copyFile('scripts/start-output.mjs', path.join(folder, 'scripts/start-output.mjs'))
  await copyFile('package-lock.json', path.join(folder, 'package-lock.json'))
  const lock = await readFile('package-lock.json')
  const stamp = createHash('sha256').update(lock).digest('hex')
  await writeFile(path.join(folder, 'node_modules/.learnify-installed'), stamp)

  expect(runScript('program.ts')).toMatchObject({ status: 0, lines: ['program'] })
})

describe('without a terminal, an installation', () => {
  beforeEach(async () => {
    for (const name of ['packages.mjs', 'start-output.mjs']) {
      await copyFile(`scripts/${name}`, path.join(folder, 'scripts', name))
    }

    await copyFile('package-lock.json', path.join(folder, 'package-lock.json'))
  })

  const writeNpm = (text: string) =>
    writeFile(path.join(folder, 'node_modules/.bin/npm'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })

  it('prints nothing but lines of JSON before the product starts', async () => {
    await writeNpm('echo added 600 packages; echo npm warn old lockfile >&2')
    await writeFile(path.join(folder, 'scripts/start.mjs'), '')
    const { status, stderr } = runScript('scripts/start.mjs')

    expect(status).toBe(0)
    expect(stderr.trim().split('\n').map(readLogLine)).toEqual([
      { level: 30, msg: 'Installing packages...' },
    ])
  })

  it('says every five seconds that it still runs', async () => {
    await writeNpm('sleep 6')
    await writeFile(path.join(folder, 'scripts/start.mjs'), '')
    const { stderr } = runScript('scripts/start.mjs')
    expect(stderr.trim().split('\n').map(readLogLine)).toContainEqual({
      level: 30,
      msg: 'Installing packages: 5 seconds so far.',
    })
  })

  it('that fails before the product starts says why in one line of JSON', async () => {
    await writeNpm('echo npm error network >&2; exit 1')
    const { status, stderr } = runScript('scripts/start.mjs')

    expect(status).toBe(1)
    expect(readLogLine(stderr.trim().split('\n')[1] ?? '')).toEqual({
      level: 60,
      msg: expect.stringMatching(
        /^npm error network\n'npm ci .*' failed, so nothing was started\.$/,
      ),
    })
  })

  it('that fails before a command says why in plain text, with the output of npm', async () => {
    await writeNpm('echo npm error network >&2; exit 1')
    expect(runScript('scripts/command.ts', 'admin').stderr).toContain("npm error network\n'npm ci ")
  })
})

it('without a terminal, a failed build says why in one line of JSON', async () => {
  for (const name of ['start.mjs', 'start-output.mjs', 'load.mjs']) {
    await copyFile(`scripts/${name}`, path.join(folder, 'scripts', name))
  }

  const build = `console.error('Building...')
    setTimeout(() => {
      console.error('Unexpected token\\n\\nThe build failed, so nothing was started.')
      process.exitCode = 3
    }, 200)`
  await writeFile(path.join(folder, 'scripts/build.ts'), build)

  const { status, stderr } = runScript('scripts/start.mjs')
  expect(status).toBe(3)

  const lastLine = stderr.trim().split('\n').at(-1) ?? ''
  expect(readLogLine(lastLine)).toEqual({
    level: 60,
    msg: expect.stringMatching(/Unexpected token\n\nThe build failed, so nothing was started\.$/),
  })
})

function readLogLine(line: string) {
  const { level, msg } = JSON.parse(line)
  return { level, msg }
}
