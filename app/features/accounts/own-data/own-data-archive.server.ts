import type { Readable } from 'node:stream'
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  announcementMails,
  announcements,
  courseLessons,
  courses,
  examAttempts,
  users,
} from '~/server/database/schema/index'
import { type FileStore, fileNameOf } from '~/server/files/files.server'
import { type AddFile, zipArchive } from '~/server/files/zip-archive.server'
import { siteName } from '~/server/site/site.server'
import fields from '../../../../docs/own-data.md?raw'
import { isSharedDemo } from '../demo-account.server'
import {
  filesOfVisitors,
  jsonList,
  ownDataTables,
  type Row,
  readRows,
} from './own-data-tables.server'

type Reader = Pick<Database, 'select' | 'execute'>
type Parts = {
  db: Database
  files: Pick<FileStore, 'read'>
  /** IDs of the courses whose exam answers this learner may see; another feature's rule. */
  answeredCourses(db: Reader, uid: string): Promise<ReadonlySet<string>>
  /** Files that other features make of a learner's rows, for example certificates. */
  more(uid: string): AsyncIterable<{ name: string; bytes: Uint8Array }>
}

/** Longer downloads are aborted: they are too slow, or stalled. */
export const mostDownloadMs = 10 * 60_000

/**
 * All data stored about a learner, as one ZIP archive; docs/own-data.md describes it. It is read
 * and written in parts, as fast as the stream is read, and the rows all come from one snapshot.
 *
 * @param shared for the demo account on a public address: leaves out the actions of other visitors.
 */
export function ownDataArchive(
  parts: Parts,
  uid: string,
  now: Date,
  shared = isSharedDemo(uid),
): Readable {
  const fill = async (add: AddFile) => {
    await add('README.txt', [readme(now)])
    await add('FIELDS.md', [fields])
    await parts.db.transaction(
      async (snapshot) => {
        // While a slow client downloads, the connection is idle for longer than the default timeout
        // allows.
        await snapshot.execute(
          sql`set local idle_in_transaction_session_timeout = ${sql.raw(String(mostDownloadMs))}`,
        )
        await addRows(snapshot, parts, add, uid, shared)
      },
      {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      },
    )

    await addPhoto(parts, add, uid)
    for await (const { name, bytes } of parts.more(uid)) {
      await add(name, [bytes])
    }
  }

  return zipArchive(fill, now)
}

async function addRows(
  snapshot: Reader,
  { answeredCourses }: Parts,
  add: AddFile,
  uid: string,
  shared: boolean,
) {
  const hide = await unansweredPapers(snapshot, uid, await answeredCourses(snapshot, uid))
  const courseIds = new Set<string>()
  const announcementIds = new Set<string>()
  for (const table of ownDataTables) {
    if (shared && filesOfVisitors.has(table.file)) {
      continue
    }

    const shown = (row: Row) => {
      if (typeof row.courseId === 'string') {
        courseIds.add(row.courseId)
      }

      if (table.table === announcementMails) {
        announcementIds.add(String(row.announcementId))
      }

      return hide(table.file, row)
    }
    const rows = readRows(snapshot, table, uid, shown)
    // The profile is one record, everything else a list.
    await add(`${table.file}.json`, table.file === 'profile' ? firstOf(rows) : jsonList(rows))
  }

  await add('courses.json', jsonList(listTitles(snapshot, [...courseIds])))
  await add('announcements.json', jsonList(listAnnouncements(snapshot, [...announcementIds])))
}

async function* firstOf(parts: AsyncIterable<Row[]>): AsyncGenerator<string> {
  for await (const [row] of parts) {
    yield `${JSON.stringify(row, null, 2)}\n`
  }
}

/**
 * Leaves out questions with their correct answers, and question IDs that might give them away,
 * until the learner may see them.
 */
async function unansweredPapers(db: Reader, uid: string, answered: ReadonlySet<string>) {
  const hidden = await db
    .select({ id: examAttempts.id })
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), notInArray(examAttempts.courseId, [...answered])))
  const ids = new Set(hidden.map(({ id }) => id))

  return (file: string, row: Row): Row => {
    if (file === 'exam-attempts' && ids.has(String(row.id))) {
      return { ...row, paper: null }
    }

    if (file === 'exam-answers' && ids.has(String(row.attemptId))) {
      return { ...row, questionId: null }
    }

    return row
  }
}

const rowsAtOnce = 50

/** Titles of the courses and lessons that the other files refer to by ID. */
async function* listTitles(db: Reader, ids: readonly string[]): AsyncGenerator<Row[]> {
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const wanted = ids.slice(from, from + rowsAtOnce)
    const titles = await db
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(inArray(courses.id, wanted))
    const lessons = await db
      .select({
        courseId: courseLessons.courseId,
        id: courseLessons.id,
        title: courseLessons.title,
      })
      .from(courseLessons)
      .where(inArray(courseLessons.courseId, wanted))
    const lessonsOf = (course: string) => lessons.filter(({ courseId }) => courseId === course)
    yield titles.map((course) => ({
      ...course,
      lessons: lessonsOf(course.id).map(({ id, title }) => ({ id, title })),
    }))
  }
}

/** The announcements that the learner was sent. */
async function* listAnnouncements(db: Reader, ids: readonly string[]): AsyncGenerator<Row[]> {
  const { id, courseId, subject, body } = announcements
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    yield await db
      .select({ id, courseId, subject, body })
      .from(announcements)
      .where(inArray(id, ids.slice(from, from + rowsAtOnce)))
  }
}

async function addPhoto({ db, files }: Parts, add: AddFile, uid: string): Promise<void> {
  const [profile] = await db.select({ image: users.image }).from(users).where(eq(users.id, uid))
  const name = profile?.image ? fileNameOf(profile.image) : null
  const bytes = name && (await files.read(name))
  if (bytes) {
    await add('photo.webp', [bytes])
  }
}

function readme(now: Date): string {
  return `This is everything that ${siteName()} stores about you, as of ${now.toISOString()}.

Each .json file holds one kind of record; times are in UTC. Files refer to courses and lessons by ID;
courses.json lists their titles. photo.webp is your photo. The certificates folder has your certificates as PDFs
and as signed Open Badges 3.0 credentials. Passwords and session keys are left out, because anyone who finds
this archive could use them.

FIELDS.md explains each file and field.
`
}
