import { cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createTestDecrypter,
  createTestEncrypter,
  openLocalFileStore,
  RestoreTargets,
} from '../../../../tests/support/restore-targets'
import { startS3Server } from '../../../../tests/support/s3-server'
import { readEnvironment } from '../../../../tests/support/settings'
import { createTestDatabase } from '../../../../tests/support/test-database'
import type { Database } from '../../database/client.server'
import {
  listMigrations,
  migrateDatabase,
  migrateEmptyDatabase,
  migrationsFolder,
} from '../../database/migrate.server'
import * as tables from '../../database/schema'
import { createFileName, openFileStore } from '../../files/files.server'
import { readArchive, writeArchive } from './archive.server'
import { makeBackup, pruneArchives } from './backup.server'
import { createDecrypter } from './backup-keys.server'
import type { BackupSource } from './backup-source.server'
import { restoreArchive } from './restore.server'
import { derivedTables, listTables, openSession } from './tables.server'

const targets = new RestoreTargets()
type RestoreTarget = Awaited<ReturnType<typeof targets.create>>
let db: Database
let source: BackupSource
let backups: string

beforeAll(async () => {
  const opened = await createTestDatabase()
  db = opened.db
  const dataDir = path.join(await targets.folder(), 'data')
  backups = path.join(await targets.folder(), 'backups')
  await mkdir(path.join(dataDir, 'secrets'), { recursive: true })
  await writeFile(
    path.join(dataDir, 'secrets.json'),
    JSON.stringify({ authSecret: 'x'.repeat(43) }),
  )
  await writeFile(path.join(dataDir, 'secrets/certificate-keys.json'), '{"keys":[]}')
  source = {
    databaseUrl: opened.url,
    files: openLocalFileStore(dataDir),
    dataDir,
    version: '0.1.0',
  }
})

async function addLearner(id: string, files = source.files) {
  const photo = createFileName('photos')
  await files.write(photo, Buffer.from(`photo of ${id}`), 'image/webp')
  await db.insert(tables.users).values({
    id,
    email: `${id}@test.example`,
    name: 'Ada\\ "Tab\t" \n Lovelace 💫',
    firstName: 'Ada',
    lastName: '\\N',
    image: `/files/${photo}`,
  })

  await db.insert(tables.enrollments).values({ uid: id, courseId: 'python-from-zero' })

  return photo
}

function connectTo(databaseUrl: string) {
  const session = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => session.end())
  return { query: async (text: string) => (await session.query(text)).rows }
}

/** Returns the number and the hash of the rows of every table in the database. */
async function summarizeTables(databaseUrl: string) {
  const session = await openSession(databaseUrl, 'test')
  onTestFinished(() => session.end())
  const contents: Record<string, { rows: number; md5: string }> = {}
  for (const { name } of await listTables(session)) {
    const hash = 'md5(string_agg(t::text, chr(10) order by t::text collate "C"))'
    const { rows } = await session.query(
      `select count(*)::int as rows, ${hash} as md5 from "${name}" t`,
    )
    contents[name] = rows[0]
  }

  return contents
}

/** Reads the files below a folder, by their paths. */
async function readFiles(folder: string) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    await Promise.all(
      names.map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name)
        return [path.relative(folder, file), await readFile(file, 'utf8')] as const
      }),
    ),
  )
}

async function expectUntouched({ databaseUrl, dataDir }: RestoreTarget): Promise<void> {
  const sql = connectTo(databaseUrl)
  expect(
    await sql.query("select from pg_class where relnamespace = 'public'::regnamespace"),
  ).toHaveLength(0)
  expect(await readFiles(dataDir)).toEqual({})
}

describe('a backup', () => {
  it('is restored with every row, file and secret, and with the references between rows', async () => {
    await addLearner('ada')
    const { file, manifest } = await makeBackup(source, backups, createTestEncrypter())
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const target = await targets.create()
    const { skipped } = await restoreArchive(file, createTestDecrypter(), target)
    expect(skipped).toEqual([])
    expect(await summarizeTables(target.databaseUrl)).toEqual(
      await summarizeTables(source.databaseUrl),
    )

    const rows = Object.entries(await summarizeTables(source.databaseUrl)).map(
      ([name, { rows }]) => [name, { rows }],
    )
    expect(manifest.tables).toEqual(Object.fromEntries(rows))
    expect(await readFiles(target.dataDir)).toEqual(await readFiles(source.dataDir))

    const references =
      "select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'f' order by 1"
    const restored = await connectTo(target.databaseUrl).query(references)
    expect(restored).toEqual(await connectTo(source.databaseUrl).query(references))
  })

  it('contains every table of the schema except those that are created again', async () => {
    const { manifest } = await makeBackup(source, backups, createTestEncrypter())
    const names = Object.values(tables)
      .filter((table) => is(table, PgTable))
      .map(getTableName)

    expect(Object.keys(manifest.tables).toSorted()).toEqual(
      names.filter((name) => !derivedTables.includes(name)).toSorted(),
    )
    expect(names).toEqual(expect.arrayContaining([...derivedTables]))
  })

  it('of an S3 store is restored into a folder', async () => {
    const keys = {
      accessKeyId: 'learnify',
      secretAccessKey: 'a secret of the store',
      region: 'us-east-1',
    }
    const store = await startS3Server(keys)
    onTestFinished(() => void store.stop())
    const files = openFileStore(
      readEnvironment({
        S3_ENDPOINT: store.url,
        S3_BUCKET: 'bucket',
        S3_ACCESS_KEY_ID: keys.accessKeyId,
        S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      }),
    )
    const photo = await addLearner('eve', files)
    const { file, manifest } = await makeBackup(
      { ...source, files },
      backups,
      createTestEncrypter(),
    )
    const target = await targets.create()
    await restoreArchive(file, createTestDecrypter(), target)

    expect(await target.files.read(photo)).toEqual(Buffer.from('photo of eve'))
    // The photo of a learner of another test.
    expect(manifest.missingFiles).toBe(1)
  })

  it('has the rows of a table that an upgrade rewrites while it waits for another one', async () => {
    await addLearner('mary')
    const target = await targets.create()
    const { file: first } = await makeBackup(source, backups, createTestEncrypter())
    await restoreArchive(first, createTestDecrypter(), target)
    const [holder, upgrade] = [connectTo(target.databaseUrl), connectTo(target.databaseUrl)]
    const waiting = () =>
      upgrade.query(
        "select from pg_locks where not granted and relation = 'achievements'::regclass",
      )
    await holder.query('begin; lock table achievements in access exclusive mode')
    const backup = makeBackup({ ...source, ...target }, backups, createTestEncrypter())
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), 10_000)
    await upgrade.query('alter table enrollments add column luck float8 not null default random()')
    await holder.query('commit')
    const [enrollments] = await upgrade.query('select count(*)::int as rows from enrollments')

    expect((await backup).manifest.tables.enrollments?.rows).toBe(enrollments?.rows)
    expect(enrollments?.rows).toBeGreaterThan(0)
  })

  it('that is interrupted leaves nothing', async () => {
    const folder = path.join(await targets.folder(), 'interrupted')
    const stop = new AbortController()
    const files = {
      ...source.files,
      read: async (name: string) => {
        stop.abort()
        return source.files.read(name)
      },
    }

    await addLearner('grace')
    const backup = makeBackup({ ...source, files }, folder, createTestEncrypter(), stop.signal)

    await expect(backup).rejects.toThrow('The backup was interrupted. Nothing was kept.')
    expect(await readdir(folder)).toEqual([])
  })

  it('that was killed is removed by the next one after an hour, but one that is running is not', async () => {
    const folder = path.join(await targets.folder(), 'killed')
    await mkdir(folder)
    const [killed, running] = ['.learnify-0123456789ab.part', '.learnify-ba9876543210.part']
    for (const name of [killed, running]) {
      await writeFile(path.join(folder, name), '')
    }

    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(path.join(folder, killed), longAgo, longAgo)
    const { file } = await makeBackup(source, folder, createTestEncrypter())

    expect((await readdir(folder)).toSorted()).toEqual([running, path.basename(file)])
  })

  it('that fails halfway leaves nothing', async () => {
    const folder = path.join(await targets.folder(), 'failed')
    const files = {
      ...source.files,
      read: () => Promise.reject(new Error('The file store is gone.')),
    }

    await expect(makeBackup({ ...source, files }, folder, createTestEncrypter())).rejects.toThrow(
      'The file store is gone.',
    )
    expect(await readdir(folder)).toEqual([])
  })
})

describe('tables of other versions', () => {
  /** The product's migrations and one more, with all that makes loading hard. */
  async function laterMigrations(): Promise<string> {
    const folder = path.join(await targets.folder(), 'later')
    await cp(migrationsFolder, folder, { recursive: true })
    const journal = JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8'))
    const futureTimestamp = Math.max(...listMigrations()) + 1
    journal.entries.push({
      idx: journal.entries.length,
      version: '7',
      when: futureTimestamp,
      tag: '9999_later',
      breakpoints: true,
    })

    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal))
    await writeFile(
      path.join(folder, '9999_later.sql'),
      `create table egg (id bigint primary key, chicken bigint, double bigint generated always as (id * 2) stored);
create table chicken (id bigint primary key, egg bigint references egg, data bytea, "odd name" jsonb);
alter table egg add constraint egg_chicken foreign key (chicken) references chicken;
insert into egg (id) values (1);`,
    )

    return folder
  }

  async function createTargetAsOf(migration: number, folder?: string): Promise<RestoreTarget> {
    const target = await targets.create()
    const session = await openSession(target.databaseUrl, 'test')
    await migrateEmptyDatabase(session, migration, folder)
    await session.end()

    return target
  }

  it('a table that is added later is in a backup without being listed', async () => {
    const migrations = await laterMigrations()
    const target = await createTargetAsOf(Math.max(...listMigrations(migrations)), migrations)
    await connectTo(target.databaseUrl).query(`
      insert into chicken (id, data, "odd name")
      select n, decode(repeat('00ff0a5c', 20000), 'hex'), '{"a": "\\\\n"}' from generate_series(1, 30) n;
      insert into egg (id, chicken) values (2, 2), (3, null);
      update chicken set egg = 2`)
    const { file } = await makeBackup(
      { ...source, databaseUrl: target.databaseUrl },
      backups,
      createTestEncrypter(),
    )
    const restored = await targets.create()
    await restoreArchive(file, createTestDecrypter(), { ...restored, migrations })
    expect(await summarizeTables(restored.databaseUrl)).toEqual(
      await summarizeTables(target.databaseUrl),
    )

    const after = connectTo(restored.databaseUrl)
    expect(await after.query('select id, double from egg where id = 3')).toEqual([
      { id: '3', double: '6' },
    ])
    await expect(after.query('insert into egg (id, chicken) values (4, 99)')).rejects.toThrow(
      'egg_chicken',
    )
  })

  it('no table uses a sequence, because an archive does not contain sequences', async () => {
    const sequences = "select sequencename from pg_sequences where schemaname = 'public'"
    expect(await connectTo(source.databaseUrl).query(sequences)).toEqual([])
  })

  it('a backup of an older version is restored as it was, and the next start migrates it', async () => {
    const first = listMigrations()[0] ?? 0
    const target = await createTargetAsOf(first)
    const old = connectTo(target.databaseUrl)
    await old.query(
      "insert into users (id, name, first_name, email) values ('ada', 'Ada', 'Ada', 'ada@test.example')",
    )
    const { file } = await makeBackup(
      { ...source, databaseUrl: target.databaseUrl },
      backups,
      createTestEncrypter(),
    )
    const restored = await targets.create()
    await restoreArchive(file, createTestDecrypter(), restored)
    const sql = connectTo(restored.databaseUrl)
    await migrateDatabase(restored.databaseUrl)

    expect(await sql.query('select id from users')).toEqual([{ id: 'ada' }])
  })

  it('an archive of commit 9355d95 is restored with its rows and files, and the next start migrates it', async () => {
    const key = await readFile('tests/fixtures/previous-archive.key', 'utf8')
    const target = await targets.create()
    const { manifest } = await restoreArchive(
      path.resolve('tests/fixtures/previous-archive.tar.gz.age'),
      createDecrypter(key, {}),
      target,
    )

    expect(Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0)).toBe(509)
    expect(await target.files.read('photos/AbCdEfGhIjKlMnOpQrStUvWx.webp')).toEqual(
      Buffer.from('a photo'),
    )
    expect(await readFiles(target.dataDir)).toHaveProperty(['secrets.json'])

    const sql = connectTo(target.databaseUrl)
    await migrateDatabase(target.databaseUrl)
    expect(await sql.query('select name, last_name from users')).toEqual([
      { name: 'Ada\\ "Tab\t" \n Lovelace 💫', last_name: '\\N' },
    ])
    expect(await sql.query('select watched_ms::text, done from lesson_progress')).toEqual([
      { watched_ms: '{[0,1500),[2000,3000)}', done: true },
    ])
  })

  it('a backup of a newer version is refused with its number, and nothing is restored', async () => {
    const migrations = await laterMigrations()
    const target = await createTargetAsOf(Math.max(...listMigrations(migrations)), migrations)
    const newer = { ...source, databaseUrl: target.databaseUrl, version: '7.0.0' }
    const { file } = await makeBackup(newer, backups, createTestEncrypter())
    const empty = await targets.create()

    await expect(restoreArchive(file, createTestDecrypter(), empty)).rejects.toThrow(
      'The archive was made by a newer version of Learnify (7.0.0). Restore it with that one.',
    )
    await expectUntouched(empty)
  })
})

describe('an archive', () => {
  let file: string
  let bytes: Buffer
  beforeAll(async () => {
    file = (
      await makeBackup(source, path.join(await targets.folder(), 'whole'), createTestEncrypter())
    ).file
    bytes = await readFile(file)
  })
  const verify = async (archive: string) => {
    for await (const part of readArchive(archive, createTestDecrypter())) {
      if (part.kind === 'end') {
        return part
      }
    }

    throw new Error('The archive has no end.')
  }

  it('can’t be opened with another passphrase', async () => {
    const target = await targets.create()
    const restoring = restoreArchive(file, createTestDecrypter('another passphrase'), target)

    await expect(restoring).rejects.toThrow(/can’t be opened with this key/)
    await expectUntouched(target)
  })

  it('that was cut off or changed anywhere is refused', async () => {
    const spoiled = path.join(await targets.folder(), 'spoiled.age')
    const change = fc.record({ at: fc.nat(bytes.length - 1), isCut: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, isCut }) => {
        const copy = Buffer.from(isCut ? bytes.subarray(0, at) : bytes)
        if (!isCut) {
          copy[at] = (copy[at] ?? 0) ^ 1
        }

        await writeFile(spoiled, copy)
        await expect(verify(spoiled)).rejects.toThrow(/damaged|can’t be opened/)
      }),
      {
        numRuns: 40,
        examples: [[{ at: bytes.length - 1, isCut: true }], [{ at: 0, isCut: true }]],
      },
    )
  })

  it('that turns out to be cut off after half of its rows leaves nothing behind', async () => {
    const cut = path.join(await targets.folder(), 'cut.age')
    await writeFile(cut, bytes.subarray(0, bytes.length - 20))
    const target = await targets.create()

    await expect(restoreArchive(cut, createTestDecrypter(), target)).rejects.toThrow(
      /damaged or cut off/,
    )
    await expectUntouched(target)
  })

  it('whose rows differ from its manifest is refused', async () => {
    const forged = path.join(await targets.folder(), 'forged.age')
    const json = (value: unknown) => Buffer.from(JSON.stringify(value))
    await writeArchive(forged, createTestEncrypter(), async (add) => {
      await add(
        'learnify-backup.json',
        json({ format: 2, learnify: '0.1.0', migration: 0, startedAt: '' }),
      )
      await add('tables.json', json({ tables: [{ name: 'users', columns: ['id'] }] }))
      await add('tables/users/000001.copy', Buffer.from('ada\n'))
      await add(
        'manifest.json',
        json({ takenAt: '', tables: { users: { rows: 2 } }, files: { rows: 0 }, missingFiles: 0 }),
      )
    })

    await expect(verify(forged)).rejects.toThrow(
      'The archive doesn’t have the rows of the table users that it says.',
    )
  })

  /** Forges an archive with the public key. Its third entry has this name. */
  async function forgeArchive(entryName: string): Promise<string> {
    const archive = path.join(await targets.folder(), `foreign-${entryName.length}.age`)
    const head = {
      format: 1,
      learnify: '0.1.0',
      migration: Math.max(...listMigrations()),
      startedAt: '',
    }

    await rm(archive, { force: true })
    await writeArchive(archive, createTestEncrypter(), async (add) => {
      await add('learnify-backup.json', Buffer.from(JSON.stringify(head)))
      await add('secrets.json', Buffer.from('{}'))
      await add(entryName, Buffer.from('mine'))
    })

    return archive
  }

  it.each([
    '../outside.json',
    '/tmp/outside.json',
    'files/../../outside.webp',
    'secrets/../../outside.json',
    'files/photos/x',
  ])('that wants to write to %s is refused, and nothing is left', async (name) => {
    const target = await targets.create()
    const before = await readdir(path.dirname(target.dataDir))
    const restoring = restoreArchive(await forgeArchive(name), createTestDecrypter(), target)

    await expect(restoring).rejects.toThrow(
      `The archive has a file that this version of Learnify doesn’t know: ${name}.`,
    )
    await expectUntouched(target)
    expect(await readdir(path.dirname(target.dataDir))).toEqual(expect.arrayContaining(before))
    expect(
      (await readdir(path.dirname(target.dataDir))).filter((one) => one.startsWith('outside')),
    ).toEqual([])
  })

  it('whose parts are not JSON, or too large, is refused with a message', async () => {
    const target = await targets.create()
    await expect(
      restoreArchive(await forgeArchive('tables.json'), createTestDecrypter(), target),
    ).rejects.toThrow(/damaged/)

    const header = Buffer.alloc(512)
    header.write('learnify-backup.json')
    header.write('0000600\0', 100)
    header.write('77777777777\0', 124)
    header.write('00000000000\0', 136)
    header.write('        0', 148)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const huge = path.join(await targets.folder(), 'huge.age')
    await writeFile(
      huge,
      await createTestEncrypter().encrypt(gzipSync(Buffer.concat([header, Buffer.alloc(1024)]))),
    )
    await expect(verify(huge)).rejects.toThrow(/larger than/)
    await expectUntouched(target)
  })

  it('that can’t be restored into this database reports how to allow it', async () => {
    const target = await targets.create()
    const sql = connectTo(target.databaseUrl)
    const database = new URL(target.databaseUrl).pathname.slice(1)
    await sql.query(`revoke create on database ${database} from current_user`)

    await expect(restoreArchive(file, createTestDecrypter(), target)).rejects.toThrow(
      `permission denied for database ${database}. The user must own the database: alter database "${database}" owner to`,
    )
    await expectUntouched(target)
  })

  it('that PostgreSQL refuses leaves nothing behind', async () => {
    const target = await targets.create()
    const sql = connectTo(target.databaseUrl)
    await sql.query('create table users (id int)')
    await expect(restoreArchive(file, createTestDecrypter(), target)).rejects.toThrow()

    await sql.query('drop table users')
    await expectUntouched(target)
  })
})

it('a restore that is interrupted reports this, and leaves nothing behind', async () => {
  await addLearner('hedy')
  const { file } = await makeBackup(source, backups, createTestEncrypter())
  const target = await targets.create()
  const stop = new AbortController()
  const files = {
    ...target.files,
    write: async (...file: Parameters<typeof target.files.write>) => {
      stop.abort()
      await target.files.write(...file)
    },
  }
  const restoring = restoreArchive(file, createTestDecrypter(), { ...target, files }, stop.signal)

  await expect(restoring).rejects.toThrow('The restore was interrupted. Nothing was restored.')
  await expectUntouched(target)
})

it('a restore that loses its database in the middle reports this once, and leaves nothing behind', async () => {
  await addLearner('margaret')
  await db.execute(sql`
    insert into activities (uid, id, type, text)
    select 'margaret', 'lesson:' || n, 'lesson', repeat(md5(n::text), 20) from generate_series(1, 40000) n`)
  const { file } = await makeBackup(source, backups, createTestEncrypter())
  const target = await targets.create()
  const restoring = restoreArchive(file, createTestDecrypter(), target)
  const ended = expect(restoring).rejects.toThrow(/^The database .* can’t be used: /)
  const other = connectTo(target.databaseUrl)
  await vi.waitFor(async () => {
    const copying = await other.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'learnify restore' and query like 'copy%activities%'`)
    expect(copying).toHaveLength(1)
  }, 20_000)

  await ended

  await expectUntouched(target)
})

it('pruning removes all archives of the product except the newest, and no other files', async () => {
  const folder = path.join(await targets.folder(), 'nightly')
  await mkdir(folder)
  const archives = Array.from(
    { length: 20 },
    (_, day) => `learnify-2026-11-${day + 10}T031500Z.tar.gz.age`,
  )
  const foreign = [
    'notes.txt',
    'learnify-2020-01-01.tar.gz.age',
    'learnify-2020-01-01T000000Z.tar.gz.age.copy',
  ]

  for (const name of [...archives, ...foreign]) {
    await writeFile(path.join(folder, name), '')
  }

  expect(await pruneArchives(folder, 2)).toHaveLength(18)
  expect((await readdir(folder)).toSorted()).toEqual([...foreign, ...archives.slice(-2)].toSorted())
})
