import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { RequestTrace, withTrace } from '../http/request-trace.server'
import { connect } from './client.server'
import { type RunningDatabase, startEmbeddedPostgres } from './embedded-postgres.server'

let folder = ''
let server: RunningDatabase

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-pool-'))
  server = await startEmbeddedPostgres({ folder })
  const { database, pool } = connect(server.url)
  await database.execute(sql`create table notes (id int primary key, owner text)`)
  await pool.end()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the pool recovers after every session was terminated under load, and keeps all acknowledged rows', async () => {
  const { database, pool } = connect(server.url, { poolSize: 4 })
  const acknowledgedIds: number[] = []
  let nextId = 0
  let shouldWrite = true
  const write = async () => {
    while (shouldWrite) {
      const id = nextId++
      await database
        .transaction(async (transaction) => {
          await transaction.execute(sql`insert into notes values (${id}, 'load')`)
          await transaction.transaction((inner) => inner.execute(sql`select ${id}::int`))
        })
        .then(
          () => acknowledgedIds.push(id),
          () => {},
        )
    }
  }
  const writers = Promise.all(Array.from({ length: 12 }, write))
  const waitForMoreRows = async () => {
    const countBefore = acknowledgedIds.length
    await expect
      .poll(() => acknowledgedIds.length, { interval: 5 })
      .toBeGreaterThan(countBefore + 20)
  }
  const admin = connect(server.url, { poolSize: 2 })
  for (let termination = 0; termination < 8; termination++) {
    await waitForMoreRows()
    await admin.database.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'learnify' and pid <> pg_backend_pid()`)
  }

  await waitForMoreRows()

  shouldWrite = false
  await writers
  const { rows } = await admin.database.execute<{ id: number }>(
    sql`select id from notes where owner = 'load'`,
  )
  const storedIds = new Set(rows.map(({ id }) => id))
  expect(acknowledgedIds.filter((id) => !storedIds.has(id))).toEqual([])

  await pool.end()
  await admin.pool.end()
})

test('a transaction that loses its connection fails, and nothing of it is committed by the next one', async () => {
  const { database, pool } = connect(server.url, { poolSize: 2 })
  onTestFinished(() => pool.end())
  let hasContinued = false
  const transactionWithLoss = database.transaction(async (transaction) => {
    await transaction.execute(sql`insert into notes values (-1, 'lost')`)
    const {
      rows: [row],
    } = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.execute(sql`select pg_terminate_backend(${row?.pid})`)
    await expect
      .poll(() => transaction.execute(sql`select 1`).then(String, String))
      .toMatch(/Failed query/)
    hasContinued = true
    await transaction.execute(sql`insert into notes values (-2, 'lost')`)
  })

  await expect(transactionWithLoss).rejects.toThrow()
  await expect.poll(() => hasContinued).toBe(true)
  expect((await database.execute(sql`select id from notes where id < 0`)).rows).toHaveLength(0)
})

test('queries time out while the server hangs, and succeed when it continues', async () => {
  const proxy = await startProxy(server.url)
  const { database, pool } = connect(proxy.url, { poolSize: 2, timeoutMs: 500 })
  onTestFinished(() => pool.end())
  const selectOne = () =>
    database.execute(sql`select 1 as one`).then(
      ({ rows }) => rows,
      () => 'failed',
    )

  // A busy machine may take longer for the first connection than the pool waits.
  await expect.poll(selectOne).toEqual([{ one: 1 }])

  proxy.hang(true)
  const queries = Array.from({ length: 5 }, () =>
    database.execute(sql`select ${1}::int`).then(String, () => 'failed'),
  )
  const transaction = database
    .transaction((inner) => inner.execute(sql`select 1`))
    .then(String, () => 'failed')
  expect(await Promise.all([...queries, transaction])).toEqual(Array(6).fill('failed'))

  proxy.hang(false)
  await expect.poll(selectOne).toEqual([{ one: 1 }])
})

test('a transaction that can’t begin releases its connection', async () => {
  const { database, pool } = connect(server.url, { poolSize: 1 })
  onTestFinished(() => pool.end())
  for (let attempt = 0; attempt < 3; attempt++) {
    const refusedTransaction = database.transaction(async () => {}, {
      isolationLevel: 'no such level' as 'serializable',
    })
    await expect(refusedTransaction).rejects.toThrow()
  }

  expect(pool.usage).toEqual({ inUse: 0, waiting: 0, size: 1 })
  expect((await database.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
})

test('a statement that takes too long fails, with or without a transaction', async () => {
  const { database, pool } = connect(server.url, { poolSize: 1, timeoutMs: 2_000 })
  onTestFinished(() => pool.end())
  const slowStatement = sql`select pg_sleep(30)`
  await expect(database.execute(slowStatement)).rejects.toThrow()
  await expect(
    database.transaction((transaction) => transaction.execute(slowStatement)),
  ).rejects.toThrow()

  const selectOne = () => database.execute(sql`select 1 as one`).then(({ rows }) => rows, String)
  await expect.poll(selectOne).toEqual([{ one: 1 }])
})

test('the trace of a request has the time that its queries waited for a connection, and the time that they took', async () => {
  const { database, pool } = connect(server.url, { poolSize: 2 })
  const releaseConnections: (() => void)[] = []
  const transactions = [1, 2].map(() =>
    database.transaction(() => new Promise<void>((resolve) => releaseConnections.push(resolve))),
  )
  await expect.poll(() => releaseConnections.length).toBe(2)

  const trace = new RequestTrace('of a test')
  const queries = withTrace(trace, () =>
    Promise.all([database.execute(sql`select pg_sleep(0.02)`)]),
  )
  await expect.poll(() => pool.usage).toEqual({ inUse: 2, waiting: 1, size: 2 })

  const since = performance.now()
  await expect.poll(() => performance.now() - since).toBeGreaterThan(30)

  for (const release of releaseConnections) {
    release()
  }

  await Promise.all([...transactions, queries])
  expect(pool.usage).toEqual({ inUse: 0, waiting: 0, size: 2 })
  expect(trace.queryCount).toBe(1)
  expect(trace.poolWaitMs).toBeGreaterThanOrEqual(29)
  expect(trace.sqlMs).toBeGreaterThanOrEqual(19)

  await pool.end()
})

test('a proxy that closes every connection at once causes no endless loop', async () => {
  let connections = 0
  const closer = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listen(closer)
  const { database, pool } = connect(`postgres://a:b@127.0.0.1:${port}/c`, {
    poolSize: 2,
    timeoutMs: 500,
  })
  onTestFinished(() => pool.end())

  await expect(database.execute(sql`select 1`)).rejects.toThrow()
  expect(connections).toBeLessThan(100)
})

/**
 * Starts a proxy between pool and server. While it hangs, it holds data back, like a stopped
 * process.
 */
async function startProxy(url: string) {
  const { hostname, port: serverPort } = new URL(url)
  const sockets: Socket[] = []
  let isHanging = false
  const proxy = createServer((client) => {
    const upstream = dial(Number(serverPort), hostname)
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
    }

    if (isHanging) {
      client.pause()
    }

    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => client.write(chunk))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const proxyUrl = new URL(url)
  proxyUrl.port = String(await listen(proxy))
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy()
    }
  })

  return {
    url: proxyUrl.href,
    hang(shouldHang: boolean) {
      isHanging = shouldHang
      for (const socket of sockets) {
        if (shouldHang) {
          socket.pause()
        } else {
          socket.resume()
        }
      }
    },
  }
}

async function listen(listener: Server): Promise<number> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  const address = listener.address()

  return typeof address === 'object' && address ? address.port : 0
}
