import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, expect } from '@playwright/test'
import { findFreePort } from '../support/product'

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' }

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here.
  folder: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'learnify-commands-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
})

test('a command without a database says what to set, and creates none', async ({ folder }) => {
  const result = await runCommand(['admin', 'account', 'disable', 'ada@learnify.example'], {
    DATA_DIR: folder,
  })

  expect(result.status).toBe(1)
  expect(result.errors).toContain(`Database: ${path.join(folder, 'database')}`)
  expect(result.errors).toContain(
    'Set DATA_DIR or DATABASE_URL to the same value that the product runs with.',
  )
  expect(existsSync(path.join(folder, 'database'))).toBe(false)
})

test('a restore says in a sentence which file is missing: the key, or the archive', async ({
  folder,
}) => {
  const missing = path.join(folder, 'missing')
  const expected = { status: 1, errors: `There’s no file ${missing}.\n` }

  expect(await runCommand(['restore', '--key', missing, 'archive.age'])).toEqual(expected)
  expect(await runCommand(['restore', missing, '--verify'], passphrase)).toEqual(expected)
})

test('a restore into a folder that has something names it, and leaves it alone', async ({
  folder,
}) => {
  const dataFolder = path.join(folder, 'data')
  await mkdir(path.join(dataFolder, 'files/photos'), { recursive: true })
  const archive = path.join(folder, 'archive.age')
  await writeFile(archive, '')

  const result = await runCommand(['restore', archive], { ...passphrase, DATA_DIR: dataFolder })

  expect(result).toEqual({
    status: 1,
    errors: `${dataFolder} isn’t empty: it has files/photos. Restore into an empty folder.\n`,
  })
  expect(await readdir(dataFolder)).toEqual(['files'])
})

test('a command prints its help also with wrong settings, and does nothing else with them', async () => {
  for (const args of [
    ['backup', '--help'],
    ['restore', '-h'],
    ['admin', 'account', 'disable', '--help'],
  ]) {
    expect(await runCommand(args, { PORT: 'none' })).toEqual({ status: 0, errors: '' })
  }

  expect(await runCommand(['backup', '--', '--help'], { PORT: 'none' })).toEqual({
    status: 1,
    errors: expect.stringContaining('PORT: expected'),
  })
})

test('the content command alone checks, and says so', async ({ folder }) => {
  const { status, errors } = await runCommand(['content'], { DATA_DIR: path.join(folder, 'none') })

  expect(status).toBe(0)
  expect(errors).toContain("Nothing is loaded: this only checks, like 'npm run content -- check'.")
  expect(errors).toContain('To load the content: npm run content -- load\n')
})

test('learnify ready and alive ask at the port of the settings, also of a file', async ({
  folder,
}) => {
  const port = await findFreePort()
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/readyz' ? 200 : 503).end(),
  )
  server.listen(port, '127.0.0.1')
  const file = path.join(folder, 'settings.env')
  await writeFile(file, `PORT=${port}\n`)
  const { PORT: _port, ...variables } = process.env
  const env = { ...variables, ENV_FILE: file }
  const askFor = async (state: string) => {
    const [status] = await once(spawn('node', ['scripts/learnify.mjs', state], { env }), 'close')
    return status
  }

  expect([await askFor('ready'), await askFor('alive')]).toEqual([0, 1])

  server.close()
})

/**
 * Runs one of the operator's commands. Returns its status and what it wrote to the error output.
 */
async function runCommand(args: string[], variables: Record<string, string> = {}) {
  const child = spawn('node', ['scripts/command.ts', ...args], {
    env: { ...process.env, ...variables },
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [status] = await once(child, 'close')

  return { status, errors }
}
