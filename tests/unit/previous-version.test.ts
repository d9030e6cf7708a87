import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findCourseDetail } from '~/features/catalog/course-page/course-queries.server'
import { emptyCatalogQuery } from '~/features/catalog/search/catalog-query'
import { searchCatalog } from '~/features/catalog/search/search-catalog.server'
import { indexContent } from '~/features/catalog/search/search-index.server'
import { findCertificate } from '~/features/certificates/certificate-queries.server'
import { findExamResult } from '~/features/exams/result/result-queries.server'
import { getLearnerRecord } from '~/features/profile/learner-record-queries.server'
import { connect } from '~/server/database/client.server'
import {
  migrateDatabase,
  migrationsFolder,
  requireCurrentTables,
} from '~/server/database/migrate.server'
import { findLessonPage } from '../../app/features/learning/lessons/lesson-queries.server'
import { databaseUrl } from '../support/start-test-postgres'

type ReleasedMigration = { hash: string; file: string }

/** The released migrations, from a file in the format of `sha256sum`. */
const releasedMigrations: ReleasedMigration[] = readFileSync(
  'tests/fixtures/released-migrations.sha256',
  'utf8',
)
  .split('\n')
  .filter((line) => /^[0-9a-f]{64} /.test(line))
  .map((line) => ({ hash: line.slice(0, 64), file: line.slice(66) }))

/** Lists the released migrations whose files have changed or do not exist any more. */
function listChangedFiles(migrations: readonly ReleasedMigration[]): string[] {
  const hashFile = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  return migrations
    .filter(({ file, hash }) => !existsSync(file) || hashFile(file) !== hash)
    .map(({ file }) => file)
}

describe('a released migration', () => {
  it('never changes', () => {
    expect(listChangedFiles(releasedMigrations)).toEqual([])
  })

  it('is reported if it has changed or is missing', () => {
    const firstFile = path.relative('.', path.join(migrationsFolder, '0000_start.sql'))
    const wrongHash = '0'.repeat(64)
    const changed = { file: firstFile, hash: wrongHash }
    const missing = { file: firstFile.replace('start', 'missing'), hash: wrongHash }

    expect(listChangedFiles([changed, missing])).toEqual([changed.file, missing.file])
  })
})

describe('a database of commit 9355d95, which had run 45 migrations,', () => {
  const admin = connect(inject('databaseUrl'), { poolSize: 1 })
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = databaseUrl(inject('databaseUrl'), name)
  const { database: db, pool } = connect(url, { poolSize: 2 })
  let emptyTables: string[] = []

  beforeAll(async () => {
    await admin.pool.query(`create database ${name}`)
    await pool.query(readFileSync('tests/fixtures/previous-tables.sql', 'utf8'))
    await pool.query(readFileSync('tests/fixtures/previous-version.sql', 'utf8'))
    emptyTables = await listEmptyTables()
    await migrateDatabase(url)
  })

  afterAll(async () => {
    await pool.end()
    await admin.pool.query(`drop database if exists ${name} with (force)`)
    await admin.pool.end()
  })

  async function listEmptyTables() {
    const { rows: tables } = await db.execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    )
    const counts = await Promise.all(tables.map(({ name }) => db.$count(sql.identifier(name))))
    return tables.filter((_, index) => counts[index] === 0).map(({ name }) => name)
  }

  it('has rows in every table', () => {
    expect(emptyTables).toEqual([])
  })

  it('has the tables of this version after its migration', async () => {
    await expect(requireCurrentTables(db, 'here')).resolves.toBeUndefined()
  })

  it('still shows the course with its reviews', async () => {
    await db.transaction((transaction) => indexContent(transaction, []))
    expect(await searchCatalog(db, emptyCatalogQuery)).toMatchObject({
      total: 1,
      courses: [{ id: 'chess', title: 'Chess' }],
    })

    const course = await findCourseDetail(db, 'chess')
    expect(course?.reviewsList.map(({ comment }) => comment)).toEqual([
      'Clear',
      'Well explained from the first move on',
    ])
  })

  it('still has what a learner did', async () => {
    const record = await getLearnerRecord(db, 'ada', new Date('2026-11-01T08:00:00Z'))
    expect(record).toMatchObject({
      email: 'ada@example.org',
      enrolledCourses: [{ id: 'chess', progress: 100, completedLessons: 3 }],
      studyHours: 1.5,
      bookmarks: [{ lessonId: 'rules' }],
      achievements: [{ id: 'first-certificate' }],
      examScores: [{ id: 'a1', score: 1, maxScore: 1 }],
    })
  })

  it('still opens a lesson with its progress and notes', async () => {
    const lessonKey = { uid: 'ada', courseId: 'chess', lessonId: 'board' }
    const lesson = await findLessonPage(db, lessonKey, { scope: 'lesson', from: 0 })

    expect(lesson?.page.lesson).toMatchObject({
      done: true,
      progress: {
        watched: [
          [0, 20_000],
          [25_000, 60_000],
        ],
      },
    })

    expect(lesson?.page.notes.list).toMatchObject([{ body: 'Light on the **right**' }])
  })

  it('still has exam results and certificates', async () => {
    const attempt = { uid: 'ada', courseId: 'chess', attemptId: 'a1' }

    expect(
      await findExamResult(db, attempt, { openAttemptId: null, canSeeAnswers: true }, new Date()),
    ).toMatchObject({
      score: 1,
      passed: true,
    })

    expect(await findCertificate(db, 'certificate-of-ada')).toMatchObject({
      name: 'Ada Lovelace',
      status: 'valid',
    })
  })
})
