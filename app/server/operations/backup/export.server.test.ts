import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import { openLocalFileStore, RestoreTargets } from '../../../../tests/support/restore-targets'
import { createTestDatabase } from '../../../../tests/support/test-database'
import * as tables from '../../database/schema'
import { createFileName } from '../../files/files.server'
import { exportEverything, secretParts } from './export.server'

const targets = new RestoreTargets()
const hidden = 'never-to-be-seen'
const body = 'Tab\t, "quotes", \\n and \\\n a new line, \u0001\u0002 💫'
const photo = createFileName('photos')
let source: Parameters<typeof exportEverything>[0]

beforeAll(async () => {
  const { db, url } = await createTestDatabase()
  const dataDir = path.join(await targets.folder(), 'data')
  await mkdir(dataDir)
  await writeFile(path.join(dataDir, 'secrets.json'), JSON.stringify({ authSecret: hidden }))
  const files = openLocalFileStore(dataDir)
  await files.write(photo, Buffer.from('a photo'), 'image/webp')
  source = {
    databaseUrl: url,
    files,
    dataDir,
    contentDir: path.resolve('tests/content'),
    version: '0.1.0',
  }
  const person = {
    email: 'ada@test.example',
    name: 'Ada',
    firstName: 'Ada',
    image: `/files/${photo}`,
  }

  await db.insert(tables.users).values({ id: 'ada', ...person })
  const identity = { userId: 'ada', providerId: 'credential', accountId: 'ada' }
  const secrets = { password: hidden, accessToken: hidden, refreshToken: hidden, idToken: hidden }
  await db.insert(tables.identities).values({ id: 'i', ...identity, ...secrets })
  await db
    .insert(tables.sessions)
    .values({ id: 's', token: hidden, userId: 'ada', expiresAt: new Date() })
  await db
    .insert(tables.verifications)
    .values({ id: 'v', identifier: hidden, value: hidden, expiresAt: new Date() })
  const course = {
    courseId: 'python-from-zero',
    courseTitle: 'Python',
    currency: 'USD',
    listMinor: 1,
    totalMinor: 1,
  }

  await db
    .insert(tables.orders)
    .values({ id: 'GIFT', isGift: true, ...course, buyer: { name: 'Ada', email: '' } })
  await db.insert(tables.gifts).values({ orderId: 'GIFT', code: hidden, senderName: 'Ada' })
  const lesson = { courseId: 'python-from-zero', lessonId: 'names-and-values' }
  await db
    .insert(tables.lessonProgress)
    .values({ uid: 'ada', ...lesson, watchedMs: '{[0,1500)}', mark: 'done' })
  await db
    .insert(tables.notes)
    .values({ uid: 'ada', id: 'n', ...lesson, body, html: '', rendering: 1 })
})

async function exported(name: string, options = { withSecrets: false }) {
  const folder = path.join(await targets.folder(), name)
  await exportEverything(source, folder, options)
  const rows = async (table: string) =>
    (await readFile(path.join(folder, 'tables', `${table}.jsonl`), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  const everything = await Promise.all(
    names.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')),
  )

  return {
    folder,
    rows,
    text: everything.join('\n'),
    readme: await readFile(path.join(folder, 'README.md'), 'utf8'),
  }
}

it('an export contains rows as JSON, and files and content unchanged', async () => {
  const { folder, rows, readme } = await exported('open')
  expect(await rows('notes')).toMatchObject([{ uid: 'ada', body }])
  expect(await rows('lesson_progress')).toMatchObject([{ watched_ms: '{[0,1500)}', done: true }])
  expect((await rows('courses')).map(({ id }) => id)).toContain('python-from-zero')
  expect(await readFile(path.join(folder, 'files', photo), 'utf8')).toBe('a photo')

  const file = 'courses/python-from-zero/course.yaml'
  expect(await readFile(path.join(folder, 'content', file))).toEqual(
    await readFile(`tests/content/${file}`),
  )
  expect(readme).toContain('| lesson_progress | 1 |')
  expect(readme).toMatch(/The milliseconds of the lesson that were played[^*]*\*\/\s+watchedMs: /)
})

it('an export contains secrets only if they are requested', async () => {
  expect((await exported('plain')).text).not.toContain(hidden)

  const { rows, folder } = await exported('with-secrets', { withSecrets: true })
  expect(await rows('identities')).toMatchObject([{ password: hidden }])
  expect(await rows('sessions')).toMatchObject([{ token: hidden }])
  expect(await rows('gifts')).toMatchObject([{ code: hidden }])
  expect(await readFile(path.join(folder, 'secrets.json'), 'utf8')).toContain(hidden)
})

it('only the owner can read an export, also in a folder that everyone can open, and of read-only content', async () => {
  const contentDir = path.join(await targets.folder(), 'read-only')
  await cp(source.contentDir, contentDir, { recursive: true })
  await chmod(path.join(contentDir, 'courses'), 0o555)
  const folder = path.join(await targets.folder(), 'open-to-all')
  await mkdir(folder, { mode: 0o755 })
  await exportEverything({ ...source, contentDir }, folder, { withSecrets: true })
  const modes = await Promise.all(
    (await readdir(folder, { recursive: true })).map(async (name) => [
      name,
      (await stat(path.join(folder, name))).mode,
    ]),
  )
  const others = modes.filter(([, mode]) => Number(mode) & 0o077)

  expect(others).toEqual([])
  expect((await stat(path.join(folder, 'content/courses'))).mode & 0o700).toBe(0o700)
})

it('each column whose name sounds like a secret is listed as a secret or as harmless', () => {
  const known = [
    'verifications.value',
    'content_state.hash',
    'content_courses.hash',
    'content_history.hash',
    'passkeys.public_key',
    'site_versions.value',
  ]
  const suspicious = Object.values(tables)
    .filter((table) => is(table, PgTable))
    .flatMap((table) =>
      Object.values(getTableColumns(table)).map(({ name }) => [getTableName(table), name] as const),
    )
    .filter(([, name]) => /password|token|secret|hash|value|_key|^key$/.test(name))
  const open = suspicious.filter(([table, name]) => {
    const secret = secretParts[table]
    return (
      secret !== 'all' &&
      !secret?.includes(name) &&
      !name.endsWith('_expires_at') &&
      !known.includes(`${table}.${name}`)
    )
  })

  expect(open).toEqual([])
})

it('an export refuses a folder that is not empty', async () => {
  await expect(exportEverything(source, source.dataDir, { withSecrets: false })).rejects.toThrow(
    /isn’t empty/,
  )
})
