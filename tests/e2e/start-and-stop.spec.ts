import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { findFreePort } from '../support/product'

/**
 * The tests use the folder one after the other, because a first start has to create the database.
 */
let folder = ''
let port = 0

test.describe.configure({ mode: 'default', timeout: 180_000 })
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-stop-'))
})
test.beforeEach(async () => {
  port = await findFreePort()
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('Ctrl-C in npm start ends the product and its database, although the signal comes twice', async () => {
  const npm = start('npm', ['start'])
  await expect.poll(isReady, { timeout: 0 }).toBe(true)

  const ended = once(npm, 'exit')
  npm.kill('SIGINT')
  npm.kill('SIGINT')
  await ended

  await expectNothingLeft()
})

test('the product and its database end when npm start is killed', async () => {
  const npm = start('npm', ['start'])
  await expect.poll(isReady, { timeout: 0 }).toBe(true)

  npm.kill('SIGKILL')

  await expectNothingLeft()
})

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
  await expect.poll(isDatabaseRunning, { timeout: 0 }).toBe(true)

  const ended = once(product, 'exit')
  product.kill('SIGTERM')
  await ended

  await expectNothingLeft()
})

/**
 * Starts the product as anybody does, but with the tests' content, which `playwright.config.ts`
 * sets.
 */
function start(command: string, args: string[]) {
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  }

  return spawn(command, args, { env, stdio: 'ignore' })
}

async function isReady(): Promise<boolean> {
  const response = await fetch(`http://localhost:${port}/readyz`).catch(() => null)
  return response?.status === 200
}

function isDatabaseRunning(): boolean {
  return existsSync(path.join(folder, 'database/cluster/data/postmaster.pid'))
}

/**
 * A killed npm ends before the product, so that the end is awaited. A stop takes at most 20
 * seconds.
 */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(isDatabaseRunning, { timeout: 30_000 }).toBe(false)
  await expect.poll(isPortFree, { timeout: 30_000 }).toBe(true)
}

async function isPortFree(): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()

  return isFree
}
