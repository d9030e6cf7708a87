import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { lockForStart } from '~/server/database/start-lock.server'
import { everything, recordPublicChange } from '~/server/product-state.server'
import { IndexBuilder } from '../search/index-builder'
import { removeSegment, storeSegment } from '../search/index-store.server'
import { makeSampleCourse, type SampleCourse } from './sample-courses'

type Transaction = Pick<Statements, 'execute'>

const coursesAtOnce = 2_000
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
    for (let from = 0; from < count; from += coursesAtOnce) {
      const length = Math.min(coursesAtOnce, count - from)
      const courses = Array.from({ length }, (_, index) => makeSampleCourse(from + index, portraits))
      const storing = transaction.execute(sql`
        insert into courses select * from json_populate_recordset(null::courses, ${JSON.stringify(courses)}::text::json)
        on conflict (id) do update set published = true`)
      // While the database stores them.
      for (const course of courses) builder.add(indexed(course))
      await storing
      if ((from + length) % 100_000 === 0) say(from + length)
    }
    await storeSegment(transaction, 'sample', builder)
    await recordPublicChange(transaction, [everything])
  })
  for (const table of ['courses', 'search_places', 'search_sets'])
    await db.execute(sql`analyze ${sql.identifier(table)}`)
}

async function removeSample(transaction: Transaction): Promise<void> {
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
    const [row]: { last: string | null }[] = await transaction.execute(sql`
      with part as (select id, published from courses where id > ${last} and sample order by id limit ${coursesAtOnce}),
        gone as (delete from courses where id in (select id from part where published and id not in (${chosen})))
      select max(id) as last from part`)
    last = row?.last ?? null
  }
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
