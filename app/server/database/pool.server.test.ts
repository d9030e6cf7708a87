import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from './client.server'
import { type RunningDatabase, startEmbeddedPostgres } from './embedded-postgres.server'
import { executePrepared } from './prepared.server'

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

test('the pool comes back after every session was ended under load, and keeps what it acknowledged', async () => {
  const { database, pool } = connect(server.url, { poolSize: 4 })
  const acknowledged: number[] = []
  let next = 0
  let busy = true
  const write = async () => {
    while (busy) {
      const id = next++
      await database
        .transaction(async (transaction) => {
          await transaction.execute(sql`insert into notes values (${id}, 'load')`)
          await transaction.transaction((inner) => inner.execute(sql`select ${id}::int`))
        })
        .then(
          () => acknowledged.push(id),
          () => {},
        )
    }
  }
  const load = Promise.all(Array.from({ length: 12 }, write))
  const admin = connect(server.url, { poolSize: 2 })
  for (let round = 0; round < 8; round++) {
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 15_000, interval: 5 }).toBeGreaterThan(before + 20)
    await admin.database.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'learnify' and pid <> pg_backend_pid()`)
  }
  const before = acknowledged.length
  await expect.poll(() => acknowledged.length, { timeout: 15_000, interval: 5 }).toBeGreaterThan(before + 20)
  busy = false
  await load
  const rows = await admin.database.execute<{ id: number }>(sql`select id from notes where owner = 'load'`)
  const stored = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  await pool.end()
  await admin.pool.end()
})

test('a transaction that loses its connection fails, and nothing of it reaches the next one', async () => {
  const { database, pool } = connect(server.url, { poolSize: 2 })
  onTestFinished(() => pool.end())
  let ran = false
  const lost = database.transaction(async (transaction) => {
    await transaction.execute(sql`insert into notes values (-1, 'lost')`)
    const [row] = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.execute(sql`select pg_terminate_backend(${row?.pid})`)
    await expect.poll(() => transaction.execute(sql`select 1`).then(String, String)).toMatch(/Failed query/)
    ran = true
    await transaction.execute(sql`insert into notes values (-2, 'lost')`)
  })
  await expect(lost).rejects.toThrow()
  await expect.poll(() => ran).toBe(true)
  expect(await database.execute(sql`select id from notes where id < 0`)).toHaveLength(0)
})

test('a server that hangs is given up on in time, and used again when it goes on', async () => {
  const proxy = await startProxy(server.url)
  const { database, pool } = connect(proxy.url, { poolSize: 2, patience: 500 })
  onTestFinished(() => pool.end())
  await database.execute(sql`select 1`)
  proxy.hang(true)
  const startedAt = Date.now()
  const asked = Array.from({ length: 5 }, () => database.execute(sql`select ${1}::int`).then(String, () => 'failed'))
  const transaction = database.transaction((inner) => inner.execute(sql`select 1`)).then(String, () => 'failed')
  expect(await Promise.all([...asked, transaction])).toEqual(Array(6).fill('failed'))
  expect(Date.now() - startedAt).toBeLessThan(5_000)
  proxy.hang(false)
  expect(await database.execute(sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('a proxy that closes every connection at once is no endless loop', async () => {
  let connections = 0
  const closer = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listen(closer)
  const { database, pool } = connect(`postgres://a:b@127.0.0.1:${port}/c`, { poolSize: 2, patience: 500 })
  onTestFinished(() => pool.end({ timeout: 0 }))
  await expect(database.execute(sql`select 1`)).rejects.toThrow()
  expect(connections).toBeLessThan(100)
})

test('a statement that a pooler has forgotten runs all the same, and no more is prepared', async () => {
  const { database, pool } = connect(server.url, { poolSize: 1 })
  onTestFinished(() => pool.end())
  const ask = () => executePrepared<{ one: number }>(database, sql`select ${1}::int as one`)
  expect(await ask()).toEqual([{ one: 1 }])
  await database.execute(sql`deallocate all`)
  expect(await ask()).toEqual([{ one: 1 }])
  expect(await ask()).toEqual([{ one: 1 }])
})

/** Between pool and server; what hangs is kept, as by a stopped process. */
async function startProxy(url: string) {
  const { hostname, port: serverPort } = new URL(url)
  const sockets: Socket[] = []
  let hanging = false
  const proxy = createServer((client) => {
    const upstream = dial(Number(serverPort), hostname)
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    if (hanging) client.pause()
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => client.write(chunk))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const address = new URL(url)
  address.port = String(await listen(proxy))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: address.href,
    hang(on: boolean) {
      hanging = on
      for (const socket of sockets)
        if (on) socket.pause()
        else socket.resume()
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

test('without prepared statements, nothing is asked on a connection before it has answered', async () => {
  let early = 0
  const pooler = createServer((near) => {
    const far = dial(Number(new URL(server.url).port), '127.0.0.1')
    let open = 0
    const ask = messageReader(true, (letter) => {
      if (open > 0) early++
      // Sync, and a question without parameters: the server says that it is ready again.
      if (letter === 'S' || letter === 'Q') open++
    })
    const answer = messageReader(false, (letter) => {
      if (letter === 'Z' && open > 0) open--
    })
    near.on('data', (data) => {
      ask(data)
      far.write(data)
    })
    far.on('data', (data) => {
      answer(data)
      near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void pooler.close())
  await once(pooler, 'listening')
  const { port } = pooler.address() as { port: number }
  const { database, pool } = connect(server.url.replace(/:\d+\//, `:${port}/`), { poolSize: 2, prepare: false })
  const questions = Array.from({ length: 60 }, (_, id) =>
    database.execute<{ id: number }>(id % 2 === 0 ? sql.raw(`select ${id} as id`) : sql`select ${id}::int as id`),
  )
  const transactions = questions.map((_, id) =>
    database.transaction(async (transaction) => {
      const [row] = await transaction.execute<{ id: number }>(sql`select ${id}::int as id`)
      return row?.id
    }),
  )
  const ids = questions.map((_, id) => id)
  expect((await Promise.all(questions)).map(([row]) => row?.id)).toEqual(ids)
  expect(await Promise.all(transactions)).toEqual(ids)
  await pool.end()
  expect(early).toBe(0)
})

/** Tells the letter of each message; a client's first one has none. */
function messageReader(client: boolean, tell: (letter: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let letters = client ? 0 : 1
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= letters + 4 && rest.length >= letters + rest.readUInt32BE(letters)) {
      if (letters === 1) tell(rest.toString('latin1', 0, 1))
      rest = rest.subarray(letters + rest.readUInt32BE(letters))
      letters = 1
    }
  }
}
