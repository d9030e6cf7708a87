import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'

/** Of all of them, one after the other: a first start has to make the database. */
let folder = ''
let port = 0

test.describe.configure({ mode: 'default', timeout: 180_000 })
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-stop-'))
})
test.beforeEach(async () => {
  port = await freePort()
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
  test(`${signal} to npm start ends the product and its database, also when it comes twice`, async () => {
    const npm = start('npm', ['start'])
    await expect.poll(isReady, { timeout: 0 }).toBe(true)
    const ended = once(npm, 'exit')
    npm.kill(signal)
    npm.kill(signal)
    await ended
    await expectNothingLeft()
  })
}

test('SIGTERM to npm run dev ends the product and its database', async () => {
  const npm = start('npm', ['run', 'dev'])
  await expect.poll(isReady, { timeout: 0 }).toBe(true)
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  await expectNothingLeft()
})

test('a SIGTERM in the middle of the start ends it, and its database', async () => {
  const product = start('node', ['scripts/start.mjs'])
  const ended = once(product, 'exit')
  await expect
    .poll(() => existsSync(path.join(folder, 'database/cluster/data/postmaster.pid')), {
      timeout: 0,
    })
    .toBe(true)

  product.kill('SIGTERM')
  await ended
  await expectNothingLeft()
})

test('a command beside no database says what to set, and makes none', async () => {
  const empty = path.join(folder, 'empty')
  const { status, words } = await command(['admin', 'account', 'disable', 'ada@learnify.example'], {
    DATA_DIR: empty,
  })
  expect(status).toBe(1)
  expect(words).toContain(`Database: ${path.join(empty, 'database')}`)
  expect(words).toContain(
    'Set DATA_DIR or DATABASE_URL to the same value that the product runs with.',
  )
  expect(existsSync(path.join(empty, 'database'))).toBe(false)
})

test('a restore says in a sentence which file is missing: the key, or the archive', async () => {
  const missing = path.join(folder, 'missing')
  expect(await command(['restore', '--key', missing, 'archive.age'])).toEqual({
    status: 1,
    words: `There’s no file ${missing}.\n`,
  })
  const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' }
  for (const more of [[], ['--verify']]) {
    const { status, words } = await command(['restore', missing, ...more], passphrase)
    expect([status, words]).toEqual([1, `There’s no file ${missing}.\n`])
  }
})

test('a restore into a folder that has something names it, and leaves it alone', async () => {
  const full = path.join(folder, 'full')
  await mkdir(path.join(full, 'files/photos'), { recursive: true })
  const archive = path.join(folder, 'archive.age')
  await writeFile(archive, '')
  const variables = { BACKUP_PASSPHRASE: 'correct horse battery', DATA_DIR: full }
  const { status, words } = await command(['restore', archive], variables)
  expect([status, words]).toEqual([
    1,
    `${full} isn’t empty: it has files/photos. Restore into an empty folder.\n`,
  ])
  expect(await readdir(full)).toEqual(['files'])
})

test('a command says its help with settings that are wrong, too, and does nothing else with them', async () => {
  for (const parts of [
    ['backup', '--help'],
    ['restore', '-h'],
    ['admin', 'help'],
    ['admin', 'account', 'disable', '--help'],
  ]) {
    expect(await command(parts, { PORT: 'none' })).toEqual({ status: 0, words: '' })
  }

  const { status, words } = await command(['backup', '--', '--help'], { PORT: 'none' })
  expect([status, words]).toEqual([1, expect.stringContaining('PORT: expected')])
})

test('whether Learnify is ready is asked at the port of its settings, wherever they are', async () => {
  const server = createHttpServer((request, response) =>
    response.writeHead(request.url === '/readyz' ? 200 : 503).end(),
  )
  server.listen(port, '127.0.0.1')
  const file = path.join(folder, 'settings.env')
  await writeFile(file, `PORT=${port}\n`)
  const { PORT: _port, ...variables } = process.env
  const ask = async (state: string) => {
    const options = { env: { ...variables, ENV_FILE: file } }
    const [status] = await once(spawn('node', ['scripts/learnify.mjs', state], options), 'close')
    return status
  }

  expect([await ask('ready'), await ask('alive')]).toEqual([0, 1])
  server.close()
})

test('the content command alone checks, and says so', async () => {
  const { status, words } = await command(['content'], { DATA_DIR: path.join(folder, 'none') })
  expect(status).toBe(0)
  expect(words).toContain("Nothing is loaded: this only checks, like 'npm run content -- check'.")
  expect(words).toContain('To load the content: npm run content -- load\n')
})

/** One of the operator's commands. @returns its status, and what it said beside its answer. */
async function command(parts: string[], variables: Record<string, string> = {}) {
  const child = spawn('node', ['scripts/command.ts', ...parts], {
    env: { ...process.env, ...variables },
  })
  let words = ''
  child.stderr.on('data', (chunk) => {
    words += chunk
  })
  const [status] = await once(child, 'close')

  return { status, words }
}

function start(command: string, parts: string[]) {
  // With the shipped content, as anybody starts it.
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    CONTENT_DIR: 'content',
  }

  return spawn(command, parts, { env, stdio: 'ignore' })
}

/** A start has as long as its journey: it takes a while where other work goes on. */
async function isReady(): Promise<boolean> {
  const response = await fetch(`http://localhost:${port}/readyz`).catch(() => null)
  return response?.status === 200
}

/** npm ends before the product when the signal is none that it passes on. */
async function expectNothingLeft(): Promise<void> {
  await expect
    .poll(() => existsSync(path.join(folder, 'database/cluster/data/postmaster.pid')))
    .toBe(false)
  await expect.poll(isPortFree).toBe(true)
}

async function isPortFree(): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()

  return free
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()

  return typeof address === 'object' && address ? address.port : 0
}
