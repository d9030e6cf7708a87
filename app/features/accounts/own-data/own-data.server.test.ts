import { readFile } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { readZip } from '../../../../tests/support/read-zip'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { deleteOwnAccount } from './account-deletion.server'
import { type ArchiveFile, createOwnDataArchive } from './own-data-archive.server'
import { formatJsonArray } from './own-data-rows.server'
import { keptAfterDeletion, ownDataTables } from './own-data-tables.server'

const uid = 'ada-uid-5f1c'
const email = 'ada-5f1c@test.example'
const course = { courseId: 'python-from-zero' }
const lesson = { ...course, lessonId: 'names-and-values' }
const now = new Date('2026-11-20T12:00:00Z')
const photoFile = 'photos/AAAAAAAAAAAAAAAAAAAAAAAA.webp'
let db: Database

/**
 * The tables without data of learners, or with none that belongs into a learner's archive, and the
 * reason.
 */
const tablesWithoutOwnData: Readonly<Record<string, string>> = {
  courses: 'content',
  course_sections: 'content',
  course_lessons: 'content',
  course_reviews: 'content: sample reviews by invented people',
  exams: 'content',
  testimonials: 'content',
  categories: 'content',
  content_state: 'content',
  content_courses: 'content',
  product_state: 'which courses changed last',
  background_lease: 'which process does the background work',
  content_history: 'hashes of content that was loaded',
  course_aliases: 'content',
  price_history: 'content: what courses cost before',
  course_offers: 'what the school says about courses',
  home_courses: 'which courses Home shows',
  lesson_aliases: 'content',
  certificate_register: keptAfterDeletion.certificate_register,
  imports: 'tables of people that staff uploaded, for 30 days',
  import_rows:
    'lines of these that wait or have a problem, for 30 days: what somebody wrote about people who may have no account',
  coupons: 'codes of the operator; which one an order used is in the order',
  payments: 'how orders were paid, known by their number only',
  refunds: 'what was given back of orders',
  receipts: 'what orders say; without the person once the account is deleted',
  receipt_files: 'receipts as they were drawn; gone with the account',
  receipt_counter: 'the number of the last receipt',
  ledger: 'the amounts of orders',
  payment_events: 'which events of the payment provider were handled',
  catalog_counts: 'counts of the content',
  course_search: 'index of the content',
  desk_courses: 'how many learners did what in a course',
  desk_figures: 'how many learners did what',
  site_pictures: 'pictures of the school',
  site_versions:
    'the school’s name, look, pages and encrypted keys of Stripe; owners by their random ID only',
  search_words: 'index of the content',
  search_names: 'index of the content',
  search_categories: 'index of the content',
  search_languages: 'index of the content',
  search_synonyms: 'content',
  build_files: 'scripts and styles of the product',
  last_backup: 'when the operator’s last backup was made',
  rate_limits: 'keyed hashes, which can’t be turned back into a person; gone after a day',
  verifications: 'hashes of secrets on their way by mail; removed with the account',
}

/** Makes the IDs of orders, gifts and announcements unique. */
let rowCount = 0

/**
 * Adds a row of the learner to every table that has data of learners. Add rows of new tables here.
 */
async function addLearner(id = uid, learnerEmail = email) {
  const certificate = { ...course, id: `certificate-of-${id}`, issuedAt: now }
  await db.insert(tables.users).values({
    id,
    email: learnerEmail,
    name: 'Ada Unmistakable',
    firstName: 'Ada',
    lastName: 'Unmistakable',
    image: `/files/${photoFile}`,
  })

  await db
    .insert(tables.sessions)
    .values({ id: `s-${id}`, token: `token-of-${id}`, userId: id, expiresAt: now })
  await db.insert(tables.identities).values({
    id: `i-${id}`,
    userId: id,
    providerId: 'credential',
    accountId: id,
    password: `hash-of-${id}`,
  })
  const passkey = {
    publicKey: 'key',
    credentialID: `credential-${id}`,
    counter: 0,
    deviceType: 'x',
    backedUp: true,
  }

  await db.insert(tables.passkeys).values({ id: `p-${id}`, userId: id, ...passkey })
  const app = {
    secret: `secret-of-${id}`,
    createdAt: now,
    recoveryHashes: [`recovery-of-${id}`],
    recoverySalt: 'salt',
  }

  await db.insert(tables.twoFactor).values({ uid: id, ...app })
  await db
    .insert(tables.securityEvents)
    .values({ uid: id, kind: 'signed-in', at: now, id: 'e', way: 'password' })
  const link = {
    tokenHash: `hash-of-${id}`,
    uid: id,
    since: now,
    email: learnerEmail,
    expiresAt: now,
  }
  await db.insert(tables.securityLinks).values(link)
  await db
    .insert(tables.verifications)
    .values({ id: `v-${id}`, identifier: `x-${id}`, value: id, expiresAt: now })
  await db
    .insert(tables.outbox)
    .values({ id: `m-${id}`, uid: id, kind: 'reset', createdAt: now, dueAt: now, giveUpAt: now })
  await db.insert(tables.enrollments).values({ uid: id, ...course })
  await db.insert(tables.staff).values({ uid: id, role: 'teacher' })
  await db.insert(tables.staffCourses).values({ uid: id, ...course })
  const announcement = {
    id: `announcement-${++rowCount}`,
    author: id,
    audience: 'all',
    subject: 'News',
    body: 'Hello',
  } as const

  await db.insert(tables.announcements).values(announcement)
  await db
    .insert(tables.announcementMails)
    .values({ uid: id, announcementId: announcement.id, at: now })
  await db.insert(tables.lessonProgress).values({ uid: id, ...lesson, watchedMs: '{[0,1500)}' })
  await db.insert(tables.studyDays).values({ uid: id, day: '2026-11-20', studied: '{}' })
  const paper = [{ question: { secretAnswer: 'the right one' }, order: [] }] as never
  const attempt = { uid: id, ...course, title: 'Final exam', maxScore: 8, paper }
  await db.insert(tables.examAttempts).values([
    { ...attempt, id: 'open' },
    { ...attempt, id: 'done', score: 7, submittedAt: now },
  ])
  await db.insert(tables.examAnswers).values({
    uid: id,
    attemptId: 'open',
    questionId: 'q1',
    answer: 'forty-two',
    revision: 1,
    answeredAt: now,
  })

  await db.insert(tables.certificateRegister).values({
    ...certificate,
    courseTitle: 'Python from Zero',
    lessons: 3,
    materialSeconds: 1200,
    examScore: 7,
    examMaxScore: 8,
    statusListNumber: 1,
    statusIndex: id.length,
  })

  await db
    .insert(tables.certificates)
    .values({ uid: id, ...certificate, learnerName: 'Ada Unmistakable' })
  await db.insert(tables.achievements).values({ uid: id, achievementId: 'bookworm' })
  await db
    .insert(tables.activities)
    .values({ uid: id, id: 'lesson:x', type: 'lesson', text: 'Finished a lesson' })
  await db.insert(tables.practiceCards).values({
    uid: id,
    ...course,
    questionId: '0a1b2c3d4e5f',
    stability: 1,
    difficulty: 5,
    seenAt: new Date(),
    seenOn: '2026-11-20',
    dueOn: '2026-11-21',
  })

  await db.insert(tables.studyPlans).values({ uid: id, weekdays: [1, 3] })
  await db
    .insert(tables.notes)
    .values({ uid: id, ...lesson, id: `n-${id}`, body: 'My **note**', html: '', rendering: 0 })
  await db.insert(tables.bookmarks).values({ uid: id, ...lesson })
  await db.insert(tables.wishes).values({ uid: id, ...course })
  const price = { currency: 'USD', listMinor: 8900, totalMinor: 8900 }
  const buyer = { name: id, email: learnerEmail, vatNumber: 'V-1' }
  const orderId = `order-${++rowCount}`
  await db
    .insert(tables.orders)
    .values({ id: orderId, uid: id, ...course, courseTitle: 'Python', ...price, buyer })
  const gift = {
    recipientEmail: `of-${learnerEmail}`,
    senderName: id,
    redeemedBy: id,
    redeemedAt: now,
  }
  await db.insert(tables.gifts).values({ orderId, uid: id, code: `GIFT${rowCount}`, ...gift })
  const request = {
    id: `request-of-${id}`,
    orderId,
    uid: id,
    kind: 'refund',
    reason: 'Too easy',
  } as const

  await db.insert(tables.refundRequests).values(request)
  await db
    .insert(tables.reviews)
    .values({ uid: id, ...course, id: `review-of-${id}`, rating: 4, comment: 'Good.' })
  await db.insert(tables.reviewVotes).values({ uid: id, ...course, reviewId: 'labels-not-boxes' })
  const report = {
    uid: id,
    reviewId: `review-of-${id}`,
    reason: 'spam',
    comment: 'Shoes',
  } as const

  await db.insert(tables.reviewReports).values(report)
  const act = { by: 'op', act: 'learner enroll', subject: id, arguments: {}, outcome: 'Enrolled.' }
  await db.insert(tables.operatorActs).values({ id: `act-${++rowCount}`, ...act })
}

/** Lists the tables that the database has. */
async function listTables(): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Lists the tables that are in neither list, and those that are listed without data of learners but
 * have some.
 */
async function listForgottenTables(): Promise<string[]> {
  const listedTables = new Set([
    ...ownDataTables.map(({ table }) => getTableName(table)),
    ...Object.keys(tablesWithoutOwnData),
  ])
  const { rows: tablesOfLearners } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('uid', 'user_id', 'email', 'learner_name')
    union select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'users'::regclass`)

  return [
    ...(await listTables()).filter((name) => !listedTables.has(name)),
    ...tablesOfLearners.map(({ name }) => name).filter((name) => name in tablesWithoutOwnData),
  ]
}

/** Lists the tables with a row that contains one of the words in any column. */
async function listTablesContaining(...words: string[]): Promise<string[]> {
  const tablesWithWord: string[] = []
  for (const name of await listTables()) {
    const {
      rows: [row],
    } = await db.execute<{ rows: number }>(sql`
      select count(*)::int as rows from ${sql.identifier(name)} t
      where ${sql.join(
        words.map((word) => sql`position(${word} in to_jsonb(t)::text) > 0`),
        sql` or `,
      )}`)

    if (row && row.rows > 0) {
      tablesWithWord.push(name)
    }
  }

  return tablesWithWord
}

/** A file store in memory. */
const files = {
  stored: new Map<string, Buffer>(),
  async read(name: string) {
    return this.stored.get(name) ?? null
  },
  async remove(name: string) {
    this.stored.delete(name)
  },
}

/** Lists the transactions of other sessions that are reading rows for an archive. */
async function listArchiveTransactions() {
  const { rows } = await db.execute(sql`
    select pid from pg_stat_activity
    where datname = current_database()
      and state = 'idle in transaction'
      and query like '%own_rows%'`)
  return rows
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function measureHeapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const noCourses = async () => new Set<string>()
async function* noFiles(): AsyncGenerator<ArchiveFile> {}

/** Starts an archive, which is a stream. */
function openArchive(
  id: string,
  {
    listAnsweredCourses = noCourses,
    listMoreFiles = noFiles,
    isShared = false,
  }: {
    listAnsweredCourses?: Parameters<typeof createOwnDataArchive>[0]['listAnsweredCourses']
    listMoreFiles?: typeof noFiles
    isShared?: boolean
  } = {},
) {
  const context = { db, files, listAnsweredCourses, listMoreFiles }
  return createOwnDataArchive(context, id, now, isShared)
}

/** Returns the files of an archive by name. */
async function readArchive(id: string, options: Parameters<typeof openArchive>[1] = {}) {
  return readZip(await buffer(openArchive(id, options)))
}

type Row = Record<string, unknown>

/** Returns the rows in the JSON files of the archive, by the name of the file. */
async function listOwnData(
  id: string,
  listAnsweredCourses = noCourses,
): Promise<Record<string, Row[]>> {
  const archive = await readArchive(id, { listAnsweredCourses })
  const jsonFiles = [...archive].filter(([name]) => name.endsWith('.json'))

  return Object.fromEntries(
    jsonFiles.map(([name, bytes]) => [
      name.replace('.json', ''),
      [JSON.parse(bytes.toString())].flat(),
    ]),
  )
}

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  await db.delete(tables.gifts)
  await db.delete(tables.orders)
  await db.delete(tables.certificateRegister)
  await db.delete(tables.verifications)
  files.stored.set(photoFile, Buffer.from('a picture'))
})

describe('every table with learners’ data', () => {
  it('is either exported and removed, or listed without data of learners', async () => {
    expect(await listForgottenTables()).toEqual([])

    // Gifts are in two files, one for the giver and one for the recipient, so names are made
    // unique.
    const exported = new Set(ownDataTables.map(({ table }) => getTableName(table)))

    expect([...exported, ...Object.keys(tablesWithoutOwnData)].toSorted()).toEqual(
      await listTables(),
    )

    const schema = Object.values(tables).filter((value) => is(value, PgTable))

    expect(schema.map((table) => getTableName(table)).toSorted()).toEqual(await listTables())
  })

  it('is reported if it is in no list', async () => {
    await db.execute(sql`create table diaries (uid text references users (id), body text)`)

    expect(await listForgottenTables()).toEqual(['diaries'])

    await db.execute(sql`drop table diaries`)
  })

  it('loses the rows of a deleted learner by a foreign key', async () => {
    const { rows } = await db.execute<{ name: string; rule: string }>(sql`
      select conrelid::regclass::text as name, confdeltype as rule from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass and confdeltype <> 'c'`)
    // These references become null ('n'). The law requires orders, which are anonymized. A gift
    // stays valid without its giver, and announcements belong to the school.
    expect(rows.map(({ name, rule }) => `${name} ${rule}`).sort()).toEqual([
      'announcements n',
      'gifts n',
      'gifts n',
      'orders n',
    ])
  })
})

describe('the archive', () => {
  it('of the shared demo account has no data of its other visitors', async () => {
    await addLearner()
    const archive = await readArchive(uid, { isShared: true })
    const names = [...archive.keys()]
    expect(names).toContain('profile.json')

    for (const file of ['sessions', 'sign-in-methods', 'notes', 'reviews', 'exam-answers']) {
      expect(names).not.toContain(`${file}.json`)
    }
  })

  it("has a learner's rows of every table, and nobody else's", async () => {
    await addLearner()
    await addLearner('eve-uid', 'eve@test.example')
    const data = await listOwnData(uid)
    for (const {
      file,
      table,
      owner,
      secrets = [],
      derived = [],
      fileNames = {},
      extraValues = {},
    } of ownDataTables) {
      const rows = data[file] ?? []

      expect(rows.length, file).toBeGreaterThan(0)

      const [ownerName] = Object.entries(getTableColumns(table)).find(
        ([, column]) => column === owner,
      ) ?? ['']

      expect(rows.every((row) => row[ownerName] === uid)).toBe(true)

      const expected = Object.keys(getTableColumns(table))
        .filter((name) => ![...secrets, ...derived].includes(name))
        .map((name) => fileNames[name] ?? name)

      expect(Object.keys(rows[0] ?? {}).toSorted(), file).toEqual(
        [...expected, ...Object.keys(extraValues)].toSorted(),
      )
    }

    expect(JSON.stringify(data)).not.toContain('eve-uid')
  })

  it('has the titles of courses and lessons', async () => {
    await addLearner()
    const { courses } = await listOwnData(uid)

    expect(courses).toMatchObject([{ id: 'python-from-zero', title: 'Python from Zero' }])
    expect(courses?.[0]?.lessons).toContainEqual({
      id: 'names-and-values',
      title: 'Names Are Labels',
    })
  })

  it('has the announcements that were sent to the learner', async () => {
    await addLearner()
    const { announcements } = await listOwnData(uid)

    expect(announcements).toMatchObject([{ subject: 'News', body: 'Hello' }])
  })

  it('has no secret, and no correct answer of an exam before its learner may see it', async () => {
    await addLearner()
    const data = await listOwnData(uid)
    expect(JSON.stringify(data)).not.toMatch(/token-of|hash-of/)

    const attempts = data['exam-attempts'] ?? []
    expect(attempts.map(({ paper }) => paper)).toEqual([null, null])
    expect(data['exam-answers']).toMatchObject([{ questionId: null, answer: 'forty-two' }])
    expect(JSON.stringify(data)).not.toContain('the right one')

    const dataWithAnswers = await listOwnData(uid, async () => new Set([course.courseId]))
    expect(JSON.stringify(dataWithAnswers['exam-attempts'])).toContain('the right one')
    expect(dataWithAnswers['exam-answers']).toMatchObject([{ questionId: 'q1' }])
  })

  it('has only fields that docs/own-data.md describes', async () => {
    const documentation = await readFile('docs/own-data.md', 'utf8')
    for (const { file, table, secrets = [], derived = [], fileNames = {} } of ownDataTables) {
      const section = documentation.split(`\n### \`${file}.json\`\n`)[1]?.split('\n#')[0] ?? ''
      const fields = Object.keys(getTableColumns(table))
        .filter((name) => ![...secrets, ...derived].includes(name))
        .map((name) => fileNames[name] ?? name)

      expect(
        fields.filter((name) => !section.includes(`\`${name}\``)),
        file,
      ).toEqual([])
    }
  })

  it('is a ZIP with the photo and the files of other features', async () => {
    await addLearner()
    const bytes = Buffer.from('%PDF')
    async function* listMoreFiles() {
      yield { name: 'certificates/x.pdf', read: async () => bytes }
    }

    const archive = await readArchive(uid, { listMoreFiles })
    for (const name of ['README.txt', 'FIELDS.md', 'profile.json', 'notes.json']) {
      expect(archive.has(name)).toBe(true)
    }

    expect(archive.get('photo.webp')?.toString()).toBe('a picture')
    expect(archive.get('certificates/x.pdf')).toEqual(bytes)
  })

  it('has the values of the tables', async () => {
    await addLearner()
    const data = await listOwnData(uid, async () => new Set([course.courseId]))
    const [attempt] = data['exam-attempts'] ?? []
    const [row] = await db.select().from(tables.examAttempts).where(sql`id = ${attempt?.id}`)
    const { percent: _percent, passed: _passed, ...expected } = JSON.parse(JSON.stringify(row))

    expect(attempt).toEqual(expected)
    expect(data.sessions).toMatchObject([{ expiresAt: now.toISOString() }])
  })

  it.each([0, 1, 500, 1_201])(
    'has %i rows as one JSON list, although the rows are read in parts',
    async (count) => {
      const rows = Array.from({ length: count }, (_, number) => ({
        number,
        text: 'One\n"two"',
        at: now,
        tags: ['a'],
      }))

      async function* parts() {
        for (let from = 0; from < rows.length; from += 500) {
          yield rows.slice(from, from + 500)
        }

        yield []
      }

      expect(await text(formatJsonArray(parts()))).toBe(`${JSON.stringify(rows, null, 2)}\n`)
    },
  )

  it('has all of 40,000 rows, of which few are in memory at the same time', async () => {
    await addLearner()
    await db.execute(sql`
      insert into activities (uid, id, type, text)
      select ${uid}, 'lesson:' || n, 'lesson', md5(n::text) from generate_series(1, 40000) n`)
    const heapBytesBefore = measureHeapBytes()
    const addedHeapBytes: number[] = []
    const parts: Buffer[] = []
    for await (const part of openArchive(uid)) {
      // The bytes of the parts are outside the heap. The objects of all rows would take 20 MB of
      // it.
      if (parts.push(part) % 16 === 0) {
        addedHeapBytes.push(measureHeapBytes() - heapBytesBefore)
      }
    }

    expect(addedHeapBytes.length).toBeGreaterThan(2)
    expect(Math.max(...addedHeapBytes)).toBeLessThan(8_000_000)

    const archive = readZip(Buffer.concat(parts))
    const activities = JSON.parse(String(archive.get('activities.json'))) as Row[]
    expect(new Set(activities.map(({ id }) => id)).size).toBe(40_001)
  })

  it('has all other files if one can’t be made, and says which one is missing', async () => {
    await addLearner()
    async function* listMoreFiles(): AsyncGenerator<ArchiveFile> {
      yield { name: 'receipts/1.pdf', read: async () => Promise.reject(new Error('No font.')) }
      yield { name: 'receipts/2.pdf', read: async () => Buffer.from('%PDF') }
      yield { name: 'receipts/3.pdf', read: async () => null }
    }
    const logError = vi.spyOn(log, 'error').mockImplementation(() => {})

    const archive = await readArchive(uid, { listMoreFiles })

    expect(archive.get('receipts/2.pdf')?.toString()).toBe('%PDF')
    expect(archive.has('receipts/1.pdf')).toBe(false)
    expect(archive.has('receipts/3.pdf')).toBe(false)
    expect(archive.get('MISSING.txt')?.toString()).toMatch(/missing.*\nreceipts\/1\.pdf\n\n/s)
    expect(logError.mock.calls).toEqual([
      [
        expect.objectContaining({ file: 'receipts/1.pdf' }),
        'a file is missing in a learner’s own data',
      ],
    ])
    logError.mockRestore()
  })

  it('ends with an error if the database fails, and releases its connection', async () => {
    await addLearner()
    const lostConnection = Object.assign(new Error('The database is gone.'), { code: '57P01' })
    async function* listMoreFiles(): AsyncGenerator<ArchiveFile> {
      yield { name: 'certificates/x.pdf', read: () => Promise.reject(lostConnection) }
    }
    await expect(readArchive(uid, { listMoreFiles })).rejects.toThrow('The database is gone.')

    const listAnsweredCourses = async () => {
      throw new Error('The rows are gone.')
    }
    await expect(readArchive(uid, { listAnsweredCourses })).rejects.toThrow('The rows are gone.')

    expect(await listArchiveTransactions()).toEqual([])
  })

  it('has a longer transaction timeout than the rest of the product, for slow downloads', async () => {
    await addLearner()
    let timeout: unknown
    await readArchive(uid, {
      async listAnsweredCourses(snapshot) {
        const { rows } = await snapshot.execute(sql`show idle_in_transaction_session_timeout`)
        timeout = rows[0]
        return new Set()
      },
    })

    expect(timeout).toEqual({ idle_in_transaction_session_timeout: '10min' })
  })

  it('ends its transaction if the download is canceled', async () => {
    await addLearner()
    await db.execute(sql`
      insert into activities (uid, id, type, text)
      select ${uid}, 'lesson:' || n, 'lesson', md5(n::text) || md5((n + 1)::text) from generate_series(1, 20000) n`)
    const archive = openArchive(uid)
    await vi.waitFor(async () => expect(await listArchiveTransactions()).toHaveLength(1))

    archive.destroy()

    await vi.waitFor(async () => expect(await listArchiveTransactions()).toEqual([]))
  })

  it('is complete for a learner who has only an account', async () => {
    await db.insert(tables.users).values({ id: uid, email, name: 'Ada', firstName: 'Ada' })
    const data = await listOwnData(uid)

    expect(data.profile).toHaveLength(1)
    expect(data.courses).toEqual([])
  })
})

describe('deleting an account', () => {
  const listTablesWithTraces = () => listTablesContaining(uid, email, 'Unmistakable')
  const updateRatings = vi.fn(async () => {})
  const deleteAccount = (id: string) =>
    deleteOwnAccount({ db, files, updateRatings, isOnlyOwner: async () => false }, id)
  beforeEach(() => {
    updateRatings.mockClear()
  })

  it('leaves no trace of the person in any table, and no photo', async () => {
    await addLearner()
    await addLearner('eve-uid', 'eve@test.example')
    await db
      .insert(tables.reviewVotes)
      .values({ uid: 'eve-uid', ...course, reviewId: `review-of-${uid}` })
    await db
      .update(tables.users)
      .set({ name: 'Eve', lastName: '', image: null })
      .where(sql`id = 'eve-uid'`)
    await db.update(tables.certificates).set({ learnerName: 'Eve' }).where(sql`uid = 'eve-uid'`)
    // The product's IDs in the register are random. This one contains the uid, so that the search
    // for traces finds the row.
    await db
      .update(tables.certificateRegister)
      .set({ courseTitle: 'kept' })
      .where(sql`id like '%ada%'`)
    const exportedTables = new Set(ownDataTables.map(({ table }) => getTableName(table)))
    expect(await listTablesWithTraces()).toEqual(
      [...exportedTables, 'verifications', 'certificate_register'].toSorted(),
    )

    expect(await deleteAccount(uid)).toBeNull()
    expect(await listTablesWithTraces()).toEqual(Object.keys(keptAfterDeletion).toSorted())
    expect(
      await db.select().from(tables.certificateRegister).where(sql`course_title = 'kept'`),
    ).toHaveLength(1)
    expect(files.stored.size).toBe(0)

    const { profile: _, courses: _courses, ...dataOfOtherLearner } = await listOwnData('eve-uid')
    expect(Object.values(dataOfOtherLearner).every((rows) => rows.length > 0)).toBe(true)
    expect(await db.select().from(tables.reviewVotes)).toHaveLength(1)
  })

  it('succeeds once for two requests at the same time, and fails for an unknown account', async () => {
    await addLearner()
    const results = await Promise.all([deleteAccount(uid), deleteAccount(uid)])

    expect(results.toSorted()).toEqual([null, 'user-not-found'])
    expect(await deleteAccount('nobody')).toBe('user-not-found')
  })

  it('updates the ratings of courses once if the learner has written reviews', async () => {
    await addLearner()
    await deleteAccount(uid)
    expect(updateRatings).toHaveBeenCalledTimes(1)

    await db
      .insert(tables.users)
      .values({ id: 'eve-uid', email: 'eve@test.example', name: 'Eve', firstName: 'Eve' })
    await deleteAccount('eve-uid')
    expect(updateRatings).toHaveBeenCalledTimes(1)
  })

  it('removes nothing if it fails', async () => {
    await addLearner()
    await db.execute(sql`create table locks (uid text references users (id))`)
    await db.execute(sql`insert into locks values (${uid})`)

    await expect(deleteAccount(uid)).rejects.toThrow()

    await db.execute(sql`drop table locks`)

    expect((await listOwnData(uid)).notes).toHaveLength(1)
    expect(files.stored.size).toBe(1)
  })
})
