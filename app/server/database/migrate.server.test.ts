import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { afterAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { urlOf } from '../../../tests/support/start-test-server'
import { connect } from './client.server'
import { buildIndexes, migrateDatabase, migrationsFolder, requireCurrentTables } from './migrate.server'
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

test('pages go on while a migration waits for a dump, and it is made when the dump ends', async () => {
  const folder = addMigration('alter table users add column later text')
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client)
    let migrated: Promise<void> | undefined
    await withDatabase(async (dump) => {
      await dump.database.transaction(async (transaction) => {
        await transaction.execute(sql`lock table users in access share mode`)
        migrated = withDatabase((upgrade) => migrateDatabase(upgrade.client, { folder, lockMs: 100, pauseMs: 50 }))
        for (let times = 0; times < 3; times++) {
          await expect.poll(() => database.execute(waitingForUsers), { interval: 5 }).toHaveLength(1)
          await database.execute(sql`select id from users`)
        }
      })
    })
    await migrated
    await database.execute(sql`select later from users`)
  })
})

test('a migration that waits too long for a dump changes nothing and says who is in its way', async () => {
  const folder = addMigration('create table extra (id int);--> statement-breakpoint\nalter table users add later text')
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client)
    await withDatabase((dump) =>
      dump.database.transaction(async (transaction) => {
        await transaction.execute(sql`lock table users in access share mode`)
        const [row] = await transaction.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        // Its patience ends also where somebody sets the clock back all the time.
        vi.useFakeTimers({ toFake: ['Date'] })
        onTestFinished(() => void vi.useRealTimers())
        const upgrade = migrateDatabase(client, { folder, lockMs: 50, pauseMs: 10, patienceMs: 100 })
        await expect(upgrade).rejects.toThrow(new RegExp(`tables are in use .*session ${row?.pid} .* start again`))
      }),
    )
    await expect(database.execute(sql`select from extra`)).rejects.toThrow()
  })
})

const laterIndex = 'create index concurrently later_index on users (first_name)'

test('an index that a migration builds concurrently stops nobody who writes, and no second start', async () => {
  const folder = addMigration(laterIndex)
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    let built: Promise<void> | undefined
    await withDatabase(async (writer) => {
      await writer.database.transaction(async (transaction) => {
        await transaction.execute(insertUser('ada'))
        built = withDatabase((upgrade) => buildIndexes(upgrade.client, folder))
        // It waits for this transaction, and nobody waits for it.
        await expect.poll(() => stateOf(database), { interval: 5 }).toBe('broken')
        await database.execute(insertUser('eve'))
        await withDatabase(async (second) => {
          await migrateDatabase(second.client, { folder })
          await buildIndexes(second.client, folder)
        })
        expect(await stateOf(database)).toBe('broken')
      })
    })
    await built
    expect(await stateOf(database)).toBe('whole')
  })
})

test('an index whose building was interrupted is built again, once, and one that was dropped is not', async () => {
  const folder = addMigration(`-- Their names\n${laterIndex}`)
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    await breakIndex(client)
    expect(await stateOf(database)).toBe('broken')
    const oid = await oidOfIndex(client)
    const starts = Array.from({ length: 3 }, () => withDatabase((one) => buildIndexes(one.client, folder)))
    await Promise.all(starts)
    expect(await stateOf(database)).toBe('whole')
    const built = await oidOfIndex(client)
    expect(built).not.toBe(oid)
    await buildIndexes(client, folder)
    expect(await oidOfIndex(client)).toBe(built)
    const dropped = addMigration(`${laterIndex};--> statement-breakpoint\ndrop index later_index`)
    await database.execute(sql`drop index later_index`)
    await buildIndexes(client, dropped)
    expect(await stateOf(database)).toBe('missing')
  })
})

test('an index that PostgreSQL still builds for a process that has ended is left to it', async () => {
  const folder = addMigration(laterIndex)
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    let orphan: Promise<unknown> | undefined
    await withDatabase(async (writer) => {
      await writer.database.transaction(async (transaction) => {
        await transaction.execute(insertUser('ada'))
        orphan = withDatabase((one) => one.client.unsafe(laterIndex))
        await expect.poll(() => stateOf(database), { interval: 5 }).toBe('broken')
        await buildIndexes(client, folder)
        expect(await stateOf(database)).toBe('broken')
      })
    })
    await orphan
    expect(await stateOf(database)).toBe('whole')
  })
})

test('a killed builder leaves its turn to the next start', async () => {
  const folder = addMigration(laterIndex)
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    await withDatabase(async (writer) => {
      await writer.database.transaction(async (transaction) => {
        await transaction.execute(insertUser('ada'))
        const killed = expect(withDatabase((one) => buildIndexes(one.client, folder))).rejects.toThrow()
        await expect.poll(() => stateOf(database), { interval: 5 }).toBe('broken')
        await client.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and (query ilike '%later_index%' or query like '%pg_try_advisory%')
            and pid <> pg_backend_pid()`)
        await killed
      })
    })
    expect(await stateOf(database)).toBe('broken')
    await buildIndexes(client, folder)
    expect(await stateOf(database)).toBe('whole')
  })
})

test('an index that can’t be built says why', async () => {
  const folder = addMigration(laterIndex.replace('first_name', '(1 / (length(first_name) - 1))'))
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    await database.execute(insertUser('ada'))
    await expect(buildIndexes(client, folder)).rejects.toThrow('division by zero')
  })
})

async function breakIndex(client: Sql): Promise<void> {
  for (const id of ['ada', 'eve'])
    await client.unsafe(`insert into users (id, name, first_name, email)
    values ('${id}', 'A', 'A', '${id}@test.example')`)
  await expect(client.unsafe(laterIndex.replace('index', 'unique index'))).rejects.toThrow('could not create')
}

async function oidOfIndex(client: Sql): Promise<number | undefined> {
  const [index] = await client<{ oid: number }[]>`select to_regclass('later_index')::oid::int as oid`
  return index?.oid
}

const insertUser = (id: string) =>
  sql`insert into users (id, name, first_name, email) values (${id}, 'A', 'A', ${`${id}@test.example`})`

async function stateOf(database: ReturnType<typeof connect>['database']): Promise<string> {
  const [index] = await database.execute<{ indisvalid: boolean }>(
    sql`select indisvalid from pg_index where indexrelid = to_regclass('later_index')`,
  )
  return index ? (index.indisvalid ? 'whole' : 'broken') : 'missing'
}

const waitingForUsers = sql`
  select from pg_locks l where l.relation = 'users'::regclass and l.mode = 'AccessExclusiveLock' and not l.granted`

/** @returns a folder with all migrations and a newer one. */
function addMigration(statement: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(path.join(folder, '9999_later.sql'), statement)
  const file = path.join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const { idx, when } = journal.entries.at(-1)
  journal.entries.push({ idx: idx + 1, version: '7', when: when + 1, tag: '9999_later', breakpoints: true })
  writeFileSync(file, JSON.stringify(journal))
  return folder
}

test('a former version starts again on tables to which a newer one only added', async () => {
  const folder = addMigration('alter table users add column later text')
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client, { folder })
    await migrateDatabase(client)
    await requireCurrentTables(database, 'here')
    expect(await database.execute(sql`select later from users`)).toHaveLength(0)
  })
})

test('tables from which a newer version took something are left alone', async () => {
  await withDatabase(async ({ client, database }) => {
    await migrateDatabase(client)
    const later = 99999999999999
    await database.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${later})`)
    const said = "select obj_description('drizzle'::regnamespace, 'pg_namespace') as words"
    const [row] = await client.unsafe<{ words: string }[]>(said)
    await client.unsafe(`comment on schema drizzle is '${row?.words.replace(/\d+$/, String(later))}'`)
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
