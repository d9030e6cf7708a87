import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningDatabase, startEmbeddedPostgres } from './embedded-postgres.server'
import { findPostgresPrograms } from './postgres-programs.server'

let root = ''
/**
 * The folder of a database that most tests share, because creating a database takes long. The
 * database is stopped when a test begins.
 */
let folder = ''
const runningDatabases: RunningDatabase[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'learnify-postgres-'))
  folder = join(await createPrivateFolder(), 'Ünser Ordner 数据')
  const database = await startEmbeddedPostgres({ folder })
  await database.stop()
})

afterEach(async () => {
  for (const database of runningDatabases.splice(0)) {
    await database.stop()
  }
})

afterAll(() => rm(root, { recursive: true, force: true }))

test('a database works in a private folder with any name, syncs to disk, has checksums and listens only on loopback', async () => {
  const { url } = await start(folder)
  const [settings] = await query(
    url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
      current_setting('listen_addresses') as addresses, current_setting('password_encryption') as passwords,
      lower('ÄÉ') as lower`,
  )

  expect(settings).toEqual({
    fsync: 'on',
    commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    addresses: '127.0.0.1',
    passwords: 'scram-sha-256',
    lower: 'äé',
  })

  expect((await stat(join(folder, 'cluster/password'))).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    /password authentication failed/,
  )
})

test('the product is not a superuser, can create the extensions it needs, and its password opens no other role', async () => {
  const { url } = await start(folder)
  const [role] = await query(
    url,
    'select rolsuper, rolcreaterole, rolreplication from pg_roles where rolname = user',
  )
  expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolreplication: false })

  for (const name of ['pg_trgm', 'unaccent', 'fuzzystrmatch', 'btree_gin']) {
    await query(url, `create extension if not exists ${name}`)
  }

  await expectUnicodeSupport(url)
  await expect(query(asSuperuser(url), 'select 1')).rejects.toThrow(
    /password authentication failed/,
  )
})

test('the password of the superuser is removed from a cluster of an earlier version, and letters beyond ASCII are added', async () => {
  const folder = await createPrivateFolder()
  const first = await start(folder)
  await first.stop()
  await downgradeCluster(folder, new URL(first.url).password)
  const { url } = await start(folder)

  await expect(query(asSuperuser(url), 'select 1')).rejects.toThrow(
    /password authentication failed/,
  )
  await expectUnicodeSupport(url)
})

async function expectUnicodeSupport(url: string): Promise<void> {
  await query(url, 'create extension if not exists pg_trgm')
  const [row] = await query(
    url,
    `select show_trgm('пайтон') <> '{}' as "hasTrigrams", lower('ÄЖ') as lower`,
  )
  expect(row).toEqual({ hasTrigrams: true, lower: 'äж' })
}

test('a stopped database does not respond, and the next start has its rows at the same URL', async () => {
  const first = await start(folder)
  await query(first.url, `create table kept as select 'a row' as text`)
  await first.stop()
  await expect(query(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)

  const second = await start(folder)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select text from kept')).toEqual([{ text: 'a row' }])
})

test('the database of a killed product is joined and later stopped by the next product', async () => {
  const product = await startProduct(folder)
  await query(product.url, `create table killed_product as select 'acknowledged' as text`)
  const pid = await findPostmasterPid(folder)
  await kill(product.process)
  const next = await start(folder)
  expect(await findPostmasterPid(folder)).toBe(pid)
  expect(await query(next.url, 'select text from killed_product')).toEqual([
    { text: 'acknowledged' },
  ])
  await expect.poll(() => countProducts(next.url)).toBe(1)

  await next.stop()
  expect(existsSync(join(folder, 'cluster/data/postmaster.pid'))).toBe(false)
})

test('a Ctrl-C in the terminal reaches the product, but not its database', async () => {
  const product = await startProduct(folder)
  const ended = once(product.process, 'exit')
  process.kill(-Number(product.process.pid), 'SIGINT')
  await ended
  expect(await query(product.url, 'select 1 as one')).toEqual([{ one: 1 }])

  await start(folder)
})

test('a database that is killed with all its processes recovers at the next start', async () => {
  const { url } = await start(folder)
  await query(url, `create table killed_database as select 'acknowledged' as text`)
  await killDatabase(folder, url)
  const next = await start(folder)

  expect(await query(next.url, 'select text from killed_database')).toEqual([
    { text: 'acknowledged' },
  ])
})

test('a database that is killed while a product runs is started again at the same URL', async () => {
  const { url } = await start(folder)
  await query(url, `create table revived as select 'acknowledged' as text`)
  await killDatabase(folder, url)
  await expect
    .poll(() => query(url, 'select text from revived').catch(() => null), { interval: 200 })
    .toEqual([{ text: 'acknowledged' }])

  await expect.poll(() => countProducts(url)).toBe(1)
})

test('a database that recovers from the crash of one of its processes can be stopped', async () => {
  const { url, stop } = await start(folder)
  const [presence] = await query(
    url,
    `select pid from pg_stat_activity where application_name = 'learnify presence'`,
  )
  // PostgreSQL ends all of its processes then, and recovers.
  process.kill(Number(presence && 'pid' in presence && presence.pid), 'SIGKILL')
  await stop()

  expect(existsSync(join(folder, 'cluster/data/postmaster.pid'))).toBe(false)
})

test('a killed database is not started again when the product is stopping', async () => {
  const { url, stop } = await start(folder)
  const previousPid = await findPostmasterPid(folder)
  await killDatabase(folder, url)
  const isRevived = async () => ![previousPid, Number.NaN].includes(await findPostmasterPid(folder))
  await expect.poll(isRevived, { interval: 1 }).toBe(true)

  const revivedPid = await findPostmasterPid(folder)
  await stop()
  // The ended process stays listed until its parent has noticed.
  await expect.poll(() => isRunning(revivedPid)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a start waits for a database that is shutting down, and starts it again', async () => {
  const { url } = await start(folder)
  const pid = await findPostmasterPid(folder)
  const idle = new pg.Client(url).on('error', () => {})
  await idle.connect()
  // A smart shutdown refuses new sessions until the present ones end.
  process.kill(pid, 'SIGTERM')
  await expect
    .poll(() => query(url, 'select 1').catch((error) => error.message))
    .toMatch(/shutting down/)
  const next = start(folder)
  await idle.end()
  await runningDatabases[0]?.stop()
  await next

  expect(await findPostmasterPid(folder)).not.toBe(pid)
})

test('a first start that is killed leaves no incomplete cluster', async () => {
  const folder = await createPrivateFolder()
  const product = spawnProduct(folder)
  await expect.poll(() => findDraft(folder), { interval: 5 }).toBeDefined()

  await kill(product)
  expect(existsSync(join(folder, 'cluster'))).toBe(false)

  const { url } = await start(folder)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await expect.poll(() => findDraft(folder)).toBeUndefined()
})

test('a lock file whose pid now belongs to another program does not prevent the start', async () => {
  const { url } = await start(folder)
  const lockFile = join(folder, 'cluster/data/postmaster.pid')
  const lock = await readFile(lockFile, 'utf8')
  await killDatabase(folder, url)
  await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)))
  const next = await start(folder)

  expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('two products that start at the same time for the first time share one database until the last one stops', async () => {
  const folder = await createPrivateFolder()
  const [first, second] = await Promise.all([start(folder), start(folder)])
  expect(second.url).toBe(first.url)

  await first.stop()
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])

  await second.stop()
  await expect(query(second.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
})

test('a product that starts while the last one stops gets a database that keeps running', async () => {
  const first = await start(folder)
  const [, second] = await Promise.all([first.stop(), start(folder)])

  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('another port is chosen if the previous port is in use', async () => {
  const previous = await start(folder)
  await previous.stop()
  const port = Number(new URL(previous.url).port)
  const stranger = createServer().listen(port, '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())

  expect((await start(folder)).url).not.toBe(previous.url)
})

test('the log of the server is limited in size', async () => {
  const log = join(folder, 'postgres.log')
  await writeFile(log, 'x'.repeat(6_000_000))
  await start(folder)

  expect((await stat(log)).size).toBeLessThan(10_000)
  expect((await stat(`${log}.old`)).size).toBe(6_000_000)
})

test('the error contains the reason if a server cannot start', async () => {
  await expect(start(folder, { shared_buffers: 'plenty' })).rejects.toThrow(
    /The database can't start: .*invalid value for parameter "shared_buffers".*postgres\.log/,
  )
})

async function start(
  folder: string,
  settings: Record<string, string> = {},
): Promise<RunningDatabase> {
  const database = await startEmbeddedPostgres({ folder, settings })
  runningDatabases.push(database)
  return database
}

function asSuperuser(url: string): string {
  return url.replace('//learnify:', '//postgres:')
}

/**
 * Turns a cluster into one of an earlier version: both roles have this password, and the locale is
 * C.
 */
async function downgradeCluster(folder: string, password: string): Promise<void> {
  const home = join(folder, 'cluster')
  await unlink(join(home, 'settings-2'))
  const programs = await findPostgresPrograms(home)
  const command = programs.command('postgres', ['--single', '-D', join(home, 'data'), 'postgres'])
  const single = spawn(...command, { ...programs.options, stdio: ['pipe', 'ignore', 'inherit'] })
  single.stdin.end(
    `ALTER ROLE postgres PASSWORD '${password}'\nUPDATE pg_database SET datctype = 'C'\n`,
  )
  await once(single, 'exit')
}

/** Creates a folder that only its owner may enter. */
async function createPrivateFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, 'closed '))
  await chmod(folder, 0o700)
  return folder
}

/** Runs one query in a connection of its own. */
async function query(url: string, text: string): Promise<object[]> {
  const client = new pg.Client(url).on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function countProducts(url: string): Promise<number> {
  const presence = `select from pg_stat_activity where application_name = 'learnify presence'`
  return (await query(url, presence)).length
}

async function findPostmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'cluster/data/postmaster.pid'), 'utf8'), 10)
}

async function findDraft(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => name.startsWith('cluster-draft-'))
}

/**
 * Starts a process that opens the database as the product does, in a process group as in a
 * terminal.
 */
function spawnProduct(folder: string): ChildProcess {
  const program = `
    import { runnerImport } from 'vite'
    const { module } = await runnerImport(process.argv[1])
    const { url } = await module.startEmbeddedPostgres({ folder: process.argv[2] })
    console.log(url)`
  const module = join(import.meta.dirname, 'embedded-postgres.server.ts')
  const product = spawn(process.execPath, ['--input-type=module', '-e', program, module, folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void product.kill('SIGKILL'))

  return product
}

async function startProduct(folder: string) {
  const product = spawnProduct(folder)
  const [url] = await once(
    createInterface({ input: product.stdout as NodeJS.ReadableStream }),
    'line',
  )
  return { process: product, url: String(url) }
}

async function kill(product: ChildProcess): Promise<void> {
  const exit = once(product, 'exit')
  product.kill('SIGKILL')
  await exit
}

/**
 * Kills the postmaster and its child processes, of which some end by themselves without the
 * postmaster.
 */
async function killDatabase(folder: string, url: string): Promise<void> {
  const children = await query(
    url,
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  )
  const pids = [
    await findPostmasterPid(folder),
    ...children.map((row) => Number('pid' in row && row.pid)),
  ]

  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
        throw error
      }
    }
  }
}
