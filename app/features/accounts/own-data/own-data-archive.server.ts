import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, getTableColumns, inArray } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '~/server/database/client.server'
import { courseLessons, courses } from '~/server/database/schema/index'
import { type FileStore, fileNameOf } from '~/server/files.server'
import { type ArchiveFile, zipArchive } from '~/server/zip-archive.server'
import fields from '../../../../docs/own-data.md?raw'
import { isSharedDemo } from '../demo/shared-demo.server'
import { filesOfVisitors, type OwnDataTable, ownDataTables } from './own-data-tables.server'

type Row = Record<string, unknown>
type Reader = Pick<Database, 'select' | 'execute'>
/** IDs of the courses whose exam answers this learner may see; another feature's rule. */
export type AnsweredCourses = (db: Reader, uid: string) => Promise<ReadonlySet<string>>

/**
 * Everything that is stored about a learner, as one ZIP archive; docs/own-data.md describes it.
 *
 * @param shared for the demo account on a public address: without what other visitors did.
 * @param more files that other features make of a learner's rows, for example certificates.
 */
export async function ownDataArchive(
  { db, files, answeredCourses }: { db: Database; files: Pick<FileStore, 'read'>; answeredCourses: AnsweredCourses },
  uid: string,
  more: Promise<readonly ArchiveFile[]>,
  now: Date,
  shared = isSharedDemo(uid),
): Promise<Buffer> {
  const [own, others] = await Promise.all([listOwnData(db, uid, answeredCourses), more])
  const data = Object.fromEntries(Object.entries(own).filter(([file]) => !shared || !filesOfVisitors.has(file)))
  const json: ArchiveFile[] = []
  for (const [name, rows] of Object.entries(data)) json.push(await jsonFile(name, rows))
  const photo = await readPhoto(files, data.profile?.[0]?.image)
  const texts = [
    { name: 'README.txt', bytes: Buffer.from(readme(now)) },
    { name: 'FIELDS.md', bytes: Buffer.from(fields) },
  ]
  return zipArchive([...texts, ...json, ...photo, ...others], now)
}

const rowsAtOnce = 500

/** In parts: a hundred thousand rows as one text would keep everybody else waiting. */
export async function jsonFile(name: string, rows: Row[]): Promise<ArchiveFile> {
  const file = `${name}.json`
  // The profile is one record, everything else a list.
  if (name === 'profile') return { name: file, bytes: Buffer.from(`${JSON.stringify(rows[0], null, 2)}\n`) }
  const parts: Buffer[] = []
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const entries = JSON.stringify(rows.slice(from, from + rowsAtOnce), null, 2).slice('['.length, -'\n]'.length)
    parts.push(Buffer.from(`${from === 0 ? '[' : ','}${entries}`))
    await nextTurn()
  }
  return { name: file, bytes: Buffer.concat([...parts, Buffer.from(rows.length === 0 ? '[]\n' : '\n]\n')]) }
}

/** A learner's rows by file, all as of one moment. */
export function listOwnData(
  db: Database,
  uid: string,
  answeredCourses: AnsweredCourses,
): Promise<Record<string, Row[]>> {
  return db.transaction(
    async (transaction) => {
      // All queries are sent at once: on a busy machine, each wait costs time.
      const [answered, ...parts] = await Promise.all([
        answeredCourses(transaction, uid),
        ...ownDataTables.map(async (part) => [part.file, await listRows(transaction, part, uid)] as const),
      ])
      const data: Record<string, Row[]> = Object.fromEntries(parts)
      hideUnansweredPapers(data, answered)
      data.courses = await listTitles(transaction, data)
      return data
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** New columns are included automatically, unless they are secrets. */
async function listRows(
  db: Reader,
  { table, owner, secrets = [], derived = [] }: OwnDataTable,
  uid: string,
): Promise<Row[]> {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => ![...secrets, ...derived].includes(name))
  return db
    .select(Object.fromEntries(columns))
    .from(table as PgTable)
    .where(eq(owner, uid))
}

/**
 * Leaves out questions with their correct answers, and question IDs that might give them away, until the learner may
 * see them.
 */
function hideUnansweredPapers(data: Record<string, Row[]>, answered: ReadonlySet<string>): void {
  const hidden = (data['exam-attempts'] ?? []).filter(({ courseId }) => !answered.has(String(courseId)))
  const hiddenIds = new Set(hidden.map(({ id }) => id))
  for (const attempt of hidden) attempt.paper = null
  for (const answer of data['exam-answers'] ?? []) if (hiddenIds.has(answer.attemptId)) answer.questionId = null
}

/** Titles of the courses and lessons that the other files refer to by ID. */
async function listTitles(db: Reader, data: Record<string, Row[]>): Promise<Row[]> {
  const ids = new Set(Object.values(data).flatMap((rows) => rows.map(({ courseId }) => courseId)))
  const wanted = [...ids].filter((id): id is string => typeof id === 'string')
  if (wanted.length === 0) return []
  const lessons = await db
    .select({ courseId: courseLessons.courseId, id: courseLessons.id, title: courseLessons.title })
    .from(courseLessons)
    .where(inArray(courseLessons.courseId, wanted))
  const titles = await db
    .select({ id: courses.id, title: courses.title })
    .from(courses)
    .where(inArray(courses.id, wanted))
  const byCourse = new Map<string, { id: string; title: string }[]>(titles.map(({ id }) => [id, []]))
  for (const { courseId, id, title } of lessons) byCourse.get(courseId)?.push({ id, title })
  return titles.map((course) => ({ ...course, lessons: byCourse.get(course.id) }))
}

async function readPhoto(files: Pick<FileStore, 'read'>, address: unknown): Promise<ArchiveFile[]> {
  const name = typeof address === 'string' ? fileNameOf(address) : null
  const bytes = name && (await files.read(name))
  return bytes ? [{ name: 'photo.webp', bytes }] : []
}

function readme(now: Date): string {
  return `This is everything that Learnify stores about you, as of ${now.toISOString()}.

Each .json file holds one kind of record; times are in UTC. Files refer to courses and lessons by ID;
courses.json lists their titles. photo.webp is your photo. The certificates folder has your certificates as PDFs
and as signed Open Badges 3.0 credentials. Passwords and session keys are left out, because anyone who finds
this archive could use them.

FIELDS.md explains each file and field.
`
}
