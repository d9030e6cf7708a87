import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { lockForStart } from '~/server/database/start-lock.server'
import { everything, recordPublicChange } from '~/server/product-state.server'
import { IndexBuilder } from '../search/index-builder'
import { removeSegment, storeSegment } from '../search/index-store.server'
import { makeSampleCourse, type SampleCourse } from './sample-courses'

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
type Asking = Pick<Statements, 'execute'>

const coursesAtOnce = 2_000
const coursesStoredAtOnce = 500
export const mostSampleCourses = 2_000_000

/**
 * Fills the database with sample courses beside those of the content, or takes them away: all or nothing, while the
 * product goes on.
 *
 * @param count 0 takes away all but those that learners chose, which are only hidden.
 * @param folder the content, whose portraits sample instructors have.
 * @param say hears of every hundred thousand.
 */
export async function loadSample(
  db: Database,
  count: number,
  folder: string,
  say: (done: number) => void = () => {},
): Promise<void> {
  const portraits = (await readdir(path.join(folder, 'instructors')))
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.parse(name).name)
  await db.transaction(async (transaction) => {
    await lockForStart(transaction, 'content')
    await removeSample(transaction)
    if (count === 0) return recordPublicChange(transaction, [everything])
    const builder = new IndexBuilder()
    await storeCourses(transaction, listSample(count, portraits), (course) => {
      const done = builder.add(indexed(course))
      if (done % 100_000 === 0) say(done)
    })
    await storeSegment(transaction, 'sample', builder)
    await recordPublicChange(transaction, [everything])
  })
  for (const table of ['courses', 'search_places', 'search_sets'])
    await db.execute(sql`analyze ${sql.identifier(table)}`)
}

async function removeSample(transaction: Asking): Promise<void> {
  await removeSegment(transaction, 'sample')
  const chosen = sql.join(
    ['enrollments', 'wishes', 'reviews', 'exam_attempts', 'certificates', 'certificate_register'].map(
      (table) => sql`select course_id from ${sql.identifier(table)}`,
    ),
    sql` union `,
  )
  await transaction.execute(sql`update courses set published = false where sample and id in (${chosen})`)
  // In parts: a database that is silent for long counts as gone.
  for (let last: string | null = ''; last !== null; ) {
    const part: { rows: { last: string | null }[] } = await transaction.execute<{ last: string | null }>(sql`
      with part as (select id, published from courses where id > ${last} and sample order by id limit ${coursesAtOnce}),
        gone as (delete from courses where id in (select id from part where published and id not in (${chosen})))
      select max(id) as last from part`)
    last = part.rows[0]?.last ?? null
  }
}

function* listSample(count: number, portraits: readonly string[]): Generator<SampleCourse> {
  for (let rank = 0; rank < count; rank++) yield makeSampleCourse(rank, portraits)
}

/**
 * Stores courses; of those that learners had chosen the rows are there.
 *
 * @param see is shown each course while the database stores those before.
 */
async function storeCourses(
  transaction: Transaction,
  courses: Iterable<SampleCourse>,
  see: (course: SampleCourse) => void,
): Promise<void> {
  const { rows } = await transaction.execute<{ id: string }>(sql`select id from courses where sample`)
  const there = new Set(rows.map(({ id }) => id))
  const again: string[] = []
  let storing = Promise.resolve()
  let part: SampleCourse[] = []
  const store = async () => {
    await storing
    storing = insertCourses(transaction, part)
    storing.catch(() => {})
    part = []
  }
  for (const course of courses) {
    see(course)
    if (there.has(course.id)) again.push(course.id)
    else if (part.push(course) === coursesStoredAtOnce) await store()
  }
  await store()
  await storing
  await transaction.execute(sql`update courses set published = true where id = any(${sql.param(again)}::text[])`)
}

async function insertCourses(transaction: Transaction, courses: readonly SampleCourse[]): Promise<void> {
  const [first] = courses
  if (!first) return
  const columns = sql.raw(Object.keys(first).join(', '))
  await transaction.execute(sql`
    insert into courses (${columns})
    select ${columns} from jsonb_populate_recordset(null::courses, ${JSON.stringify(courses)}::text::jsonb)`)
}

function indexed(course: SampleCourse) {
  return {
    ...course,
    instructorName: course.instructor_name,
    lessonTitles: [],
    durationHours: course.duration_hours,
    priceCents: course.price_cents,
    lastUpdated: course.last_updated,
    inCatalogue: course.in_catalogue,
  }
}
