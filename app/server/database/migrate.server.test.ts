import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { urlOf } from '../../../tests/support/start-test-server'
import { connect } from './client.server'
import { migrateDatabase, requireCurrentTables } from './migrate.server'
import { lockForStart } from './start-lock.server'

const admin = connect(inject('databaseUrl'), { poolSize: 2 })
const made: string[] = []
let url = ''

beforeEach(async () => {
  const name = `test_${randomBytes(6).toString('hex')}`
  made.push(name)
  await admin.client.unsafe(`create database ${name}`)
  url = urlOf(inject('databaseUrl'), name)
})
afterAll(async () => {
  for (const name of made) await admin.client.unsafe(`drop database if exists ${name} with (force)`)
  await admin.pool.end()
})

async function withDatabase<Result>(use: (opened: ReturnType<typeof connect>) => Promise<Result>): Promise<Result> {
  const opened = connect(url, { poolSize: 2 })
  try {
    return await use(opened)
  } finally {
    await opened.pool.end({ timeout: 1 })
  }
}

test('three products that start at once for the first time all come up, and keep no lock', async () => {
  await Promise.all(Array.from({ length: 3 }, () => withDatabase(({ client }) => migrateDatabase(client))))
  await withDatabase(async ({ database }) => {
    await requireCurrentTables(database, 'here')
    const locks = sql`
      select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`
    expect(await database.execute(locks)).toHaveLength(0)
  })
})

test('a start that waits too long says who holds the lock', async () => {
  await withDatabase(({ database }) =>
    database.transaction(async (holder) => {
      await lockForStart(holder, 'tables')
      const [row] = await holder.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await withDatabase(async (second) => {
        const waiting = second.database.transaction((transaction) =>
          lockForStart(transaction, 'tables', { patience: 1 }),
        )
        await expect(waiting).rejects.toThrow(
          new RegExp(`changing the tables .* session ${row?.pid} from .* start again`),
        )
      })
    }),
  )
})

test('tables of a newer version are left alone', async () => {
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client)
    await database.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`,
    )
    await expect(migrateDatabase(client)).rejects.toThrow(/A newer version of Learnify/)
  })
})

test('tables that somebody else made are left alone, and named', async () => {
  await withDatabase(async ({ client, database }) => {
    await database.execute(sql`create table users (id int)`)
    await expect(migrateDatabase(client)).rejects.toThrow(
      /has tables that this version of Learnify didn’t create \(relation "users" already exists\).* Use an empty database/,
    )
  })
})

test('a database without tables is none for a command', async () => {
  await withDatabase(async ({ database }) => {
    await expect(requireCurrentTables(database, 'db.example/school')).rejects.toThrow(
      'db.example/school isn’t set up for Learnify yet',
    )
  })
})
