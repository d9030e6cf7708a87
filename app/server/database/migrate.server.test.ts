import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { databaseUrl } from '../../../tests/support/start-test-postgres'
import { connect } from './client.server'
import {
  listMigrations,
  migrateDatabase,
  migrateEmptyDatabase,
  migrationsFolder,
  requireCurrentTables,
  requireKnownColumns,
} from './migrate.server'

const admin = connect(inject('databaseUrl'), { poolSize: 2 })
const createdDatabases: string[] = []
let url = ''
let opened: ReturnType<typeof connect>

beforeEach(async () => {
  const name = `test_${randomBytes(6).toString('hex')}`
  createdDatabases.push(name)
  await admin.pool.query(`create database ${name}`)
  url = databaseUrl(inject('databaseUrl'), name)
  opened = connect(url, { poolSize: 2 })

  return () => opened.pool.end()
})
afterAll(async () => {
  for (const name of createdDatabases) {
    await admin.pool.query(`drop database if exists ${name} with (force)`)
  }

  await admin.pool.end()
})

const countMigrations = async () =>
  (await opened.pool.query('select from drizzle.__drizzle_migrations')).rowCount

test('three processes that start at the same time all start, and migrate once', async () => {
  await Promise.all(Array.from({ length: 3 }, () => migrateDatabase(url)))
  await requireCurrentTables(opened.database, 'here')

  expect(await countMigrations()).toBe(listMigrations().length)
})

test('a start fails with a sentence if another process migrates for too long', async () => {
  await opened.database.transaction(async (other) => {
    await other.execute(sql`select pg_advisory_xact_lock(7301001)`)
    await expect(migrateDatabase(url, { processTimeoutMs: 50 })).rejects.toThrow(
      /^Another process .* start again/,
    )
  })
})

test('a migration is tried again if a table is in use', async () => {
  const folder = addMigration('alter table users add later text')
  await migrateDatabase(url)
  const dump = await opened.pool.connect()
  await dump.query('begin; lock table users in access share mode')
  const pause = vi.fn(() => dump.query('commit'))
  await migrateDatabase(url, { folder, tableTimeoutMs: 50, pause })
  dump.release()
  expect(pause).toHaveBeenCalledOnce()

  await opened.database.execute(sql`select later from users`)
})

test('a migration that waits too long for a dump names the dump and changes nothing, and a later start runs it', async () => {
  const folder = addMigration(
    'create table extra (id int);--> statement-breakpoint\nalter table users add later text',
  )
  await migrateDatabase(url)
  await opened.database.transaction(async (dump) => {
    await dump.execute(sql`lock table users in access share mode`)
    await expect(
      migrateDatabase(url, { folder, tableTimeoutMs: 50, pause: async () => {} }),
    ).rejects.toThrow(/in use by 'learnify' \(process \d+ of PostgreSQL, for \d+ s\)\. Wait for it/)
  })

  await expect(opened.database.execute(sql`select from extra`)).rejects.toThrow()

  await migrateDatabase(url, { folder })
  await opened.database.execute(sql`select later from users`)
})

test('a migration that leaves the transaction can create an index while its table is written to', async () => {
  const statements = [
    'commit',
    'drop index concurrently if exists later_index',
    'create index concurrently later_index on users (first_name)',
    'begin',
  ]
  const folder = addMigration(statements.join(';--> statement-breakpoint\n'))
  await migrateDatabase(url)
  let migrated = Promise.resolve()
  await opened.database.transaction(async (writer) => {
    await writer.execute(insertUser('ada'))
    migrated = migrateDatabase(url, { folder })
    // It waits for this transaction, and other writers don't wait for it.
    await expect.poll(() => isIndexValid(), { interval: 5 }).toBe(false)
    await opened.database.execute(insertUser('eve'))
  })

  await migrated
  expect(await isIndexValid()).toBe(true)

  await migrateDatabase(url, { folder })
  expect(await countMigrations()).toBe(listMigrations(folder).length)
})

const insertUser = (id: string) =>
  sql`insert into users (id, name, first_name, email) values (${id}, 'A', 'A', ${`${id}@test.example`})`

/** Undefined without the index. */
async function isIndexValid(): Promise<boolean | undefined> {
  const { rows } = await opened.database.execute<{ valid: boolean }>(
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('later_index')`,
  )
  return rows[0]?.valid
}

/** Creates a folder with all migrations and a newer one. */
function addMigration(statement: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'learnify-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(path.join(folder, '9999_later.sql'), statement)
  const file = path.join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const { idx, when } = journal.entries.at(-1)
  journal.entries.push({
    idx: idx + 1,
    version: '7',
    when: when + 1,
    tag: '9999_later',
    breakpoints: true,
  })

  writeFileSync(file, JSON.stringify(journal))

  return folder
}

test('an older version starts on tables to which a newer version has added a column', async () => {
  const folder = addMigration('alter table users add column later text')
  await migrateDatabase(url, { folder })
  await migrateDatabase(url)
  await requireCurrentTables(opened.database, 'here')

  expect(await countMigrations()).toBe(listMigrations(folder).length)
})

test('an older version names the column that a newer version has removed', async () => {
  const folder = addMigration('alter table users drop column phone')
  await migrateDatabase(url, { folder })
  await migrateDatabase(url)
  const lacks =
    /no users\.phone, which this version of Learnify \(.+\) needs\. .* restore a backup from before the upgrade/

  await expect(requireKnownColumns(opened.database)).rejects.toThrow(lacks)
  await expect(requireCurrentTables(opened.database, 'here')).rejects.toThrow(lacks)
})

test('a database of an earlier migration gets only the later migrations', async () => {
  const folder = addMigration('alter table users add column later text')
  const [first = 0] = listMigrations(folder)
  await migrateEmptyDatabase(opened.pool, first, folder)
  expect(await countMigrations()).toBe(1)

  await migrateDatabase(url, { folder })
  expect(await countMigrations()).toBe(listMigrations(folder).length)
})

test('a command refuses tables of an older version', async () => {
  await migrateDatabase(url)
  await opened.pool.query('update drizzle.__drizzle_migrations set created_at = created_at - 1')

  await expect(requireCurrentTables(opened.database, 'here')).rejects.toThrow(
    'here was made by an older version',
  )
})

test('tables of another program stay unchanged, and the error names them', async () => {
  await opened.database.execute(sql`create table users (id int)`)
  await expect(migrateDatabase(url)).rejects.toThrow(
    /has tables that this version of Learnify didn’t create \(relation "users" already exists\).* Use an empty database/,
  )
})

test('a command refuses a database without tables', async () => {
  await expect(requireCurrentTables(opened.database, 'db.example/school')).rejects.toThrow(
    'db.example/school isn’t set up for Learnify yet',
  )
})
