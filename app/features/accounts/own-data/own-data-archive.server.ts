import type { Readable } from 'node:stream'
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { isOutage } from '~/server/database/outage.server'
import {
  announcementMails,
  announcements,
  courseLessons,
  courses,
  examAttempts,
  users,
} from '~/server/database/schema/index'
import { type FileStore, parseFileUrl } from '~/server/files/files.server'
import { type AddFile, createZipStream } from '~/server/files/zip-archive.server'
import { log } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import fieldsDocument from '../../../../docs/own-data.md?raw'
import { isSharedDemo } from '../demo-account.server'
import { formatJsonArray, type Row, readRows } from './own-data-rows.server'
import { filesOfVisitors, ownDataTables } from './own-data-tables.server'

/** A file of another feature, for example a certificate. It is read when the archive gets to it. */
export type ArchiveFile = {
  name: string
  /** Returns null if the file does not exist. */
  read(): Promise<Uint8Array | null>
}

type Reader = Pick<Database, 'select' | 'execute'>
type ArchiveSources = {
  db: Database
  files: Pick<FileStore, 'read'>
  /**
   * Returns the courses whose exam answers this learner may see. The exams feature decides that.
   */
  listAnsweredCourses(db: Reader, uid: string): Promise<ReadonlySet<string>>
  listMoreFiles(uid: string): AsyncIterable<ArchiveFile>
}

/** A download that takes longer is too slow or stalled, and is aborted. */
export const maxDownloadMs = 10 * 60_000

/**
 * Creates a ZIP archive with all data that is stored about a learner. docs/own-data.md describes
 * it.
 *
 * The archive is written as fast as the stream is read, so it needs little memory. All rows come
 * from one snapshot of the database. A file that can't be made, for example the PDF of a receipt,
 * does not break off the download: the archive says which one is missing.
 *
 * @param isShared whether other visitors use the account too; their data is left out
 */
export function createOwnDataArchive(
  sources: ArchiveSources,
  uid: string,
  now: Date,
  isShared = isSharedDemo(uid),
): Readable {
  const fillArchive = async (add: AddFile) => {
    await add('README.txt', [getReadme(now)])
    await add('FIELDS.md', [fieldsDocument])
    await sources.db.transaction(
      async (snapshot) => {
        // While a slow client downloads, the transaction is idle for longer than the default
        // timeout.
        await snapshot.execute(
          sql`set local idle_in_transaction_session_timeout = ${sql.raw(String(maxDownloadMs))}`,
        )
        await addRows(snapshot, sources, add, { uid, isShared })
      },
      {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      },
    )

    await addPhoto(sources, add, uid)
    await addMoreFiles(sources, add, uid)
  }

  return createZipStream(fillArchive, now)
}

async function addRows(
  snapshot: Reader,
  { listAnsweredCourses }: ArchiveSources,
  add: AddFile,
  { uid, isShared }: { uid: string; isShared: boolean },
): Promise<void> {
  const answeredCourses = await listAnsweredCourses(snapshot, uid)
  const hideExamAnswers = await createExamAnswerFilter(snapshot, uid, answeredCourses)
  const courseIds = new Set<string>()
  const announcementIds = new Set<string>()
  for (const table of ownDataTables) {
    if (isShared && filesOfVisitors.has(table.file)) {
      continue
    }

    // The row's IDs are collected, because the last two files contain their titles.
    const toArchiveRow = (row: Row) => {
      if (typeof row.courseId === 'string') {
        courseIds.add(row.courseId)
      }

      if (table.table === announcementMails) {
        announcementIds.add(String(row.announcementId))
      }

      return hideExamAnswers(table.file, row)
    }
    const rows = readRows(snapshot, table, uid, toArchiveRow)
    const isSingleRecord = table.file === 'profile'
    await add(`${table.file}.json`, isSingleRecord ? formatFirstRow(rows) : formatJsonArray(rows))
  }

  await add('courses.json', formatJsonArray(listTitles(snapshot, [...courseIds])))
  await add(
    'announcements.json',
    formatJsonArray(listAnnouncements(snapshot, [...announcementIds])),
  )
}

async function* formatFirstRow(batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  for await (const [row] of batches) {
    yield `${JSON.stringify(row, null, 2)}\n`
  }
}

/**
 * Returns a function that removes the questions with their correct answers from exam attempts, and
 * the question IDs that might reveal them, as long as the learner may not see the answers.
 */
async function createExamAnswerFilter(
  db: Reader,
  uid: string,
  answeredCourses: ReadonlySet<string>,
) {
  const hiddenAttempts = await db
    .select({ id: examAttempts.id })
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), notInArray(examAttempts.courseId, [...answeredCourses])))
  const hiddenIds = new Set(hiddenAttempts.map(({ id }) => id))

  return (file: string, row: Row): Row => {
    if (file === 'exam-attempts' && hiddenIds.has(String(row.id))) {
      return { ...row, paper: null }
    }

    if (file === 'exam-answers' && hiddenIds.has(String(row.attemptId))) {
      return { ...row, questionId: null }
    }

    return row
  }
}

const rowsPerQuery = 50

/** Yields the titles of the courses and lessons to which the other files refer by ID. */
async function* listTitles(db: Reader, ids: readonly string[]): AsyncGenerator<Row[]> {
  for (let start = 0; start < ids.length; start += rowsPerQuery) {
    const batch = ids.slice(start, start + rowsPerQuery)
    const titles = await db
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(inArray(courses.id, batch))
    const lessons = await db
      .select({
        courseId: courseLessons.courseId,
        id: courseLessons.id,
        title: courseLessons.title,
      })
      .from(courseLessons)
      .where(inArray(courseLessons.courseId, batch))

    yield titles.map((course) => ({
      ...course,
      lessons: lessons
        .filter(({ courseId }) => courseId === course.id)
        .map(({ id, title }) => ({ id, title })),
    }))
  }
}

/** Yields the announcements that the learner received. */
async function* listAnnouncements(db: Reader, ids: readonly string[]): AsyncGenerator<Row[]> {
  const { id, courseId, subject, body } = announcements
  for (let start = 0; start < ids.length; start += rowsPerQuery) {
    yield await db
      .select({ id, courseId, subject, body })
      .from(announcements)
      .where(inArray(id, ids.slice(start, start + rowsPerQuery)))
  }
}

async function addPhoto({ db, files }: ArchiveSources, add: AddFile, uid: string): Promise<void> {
  const [profile] = await db.select({ image: users.image }).from(users).where(eq(users.id, uid))
  const name = profile?.image ? parseFileUrl(profile.image) : null
  const bytes = name && (await files.read(name))
  if (bytes) {
    await add('photo.webp', [bytes])
  }
}

async function addMoreFiles(
  { listMoreFiles }: ArchiveSources,
  add: AddFile,
  uid: string,
): Promise<void> {
  const missingNames: string[] = []
  for await (const file of listMoreFiles(uid)) {
    const bytes = await file.read().catch((error) => {
      // Without the database, all other files would be missing, too.
      if (isOutage(error)) {
        throw error
      }

      log.error({ err: error, file: file.name }, 'a file is missing in a learner’s own data')
      missingNames.push(file.name)
      return null
    })
    if (bytes) {
      await add(file.name, [bytes])
    }
  }

  if (missingNames.length > 0) {
    await add('MISSING.txt', [describeMissingFiles(missingNames)])
  }
}

function describeMissingFiles(names: readonly string[]): string {
  return `${siteName()} couldn’t make these files, so they’re missing from this archive:

${names.join('\n')}

Everything else is here. Please contact us, and download your data again later.
`
}

function getReadme(now: Date): string {
  return `This is everything that ${siteName()} stores about you, as of ${now.toISOString()}.

Each .json file holds one kind of record; times are in UTC. Files refer to courses and lessons by ID;
courses.json lists their titles. photo.webp is your photo. The certificates folder has your certificates as PDFs
and as signed Open Badges 3.0 credentials. Passwords and session keys are left out, because anyone who finds
this archive could use them.

FIELDS.md explains each file and field.
`
}
