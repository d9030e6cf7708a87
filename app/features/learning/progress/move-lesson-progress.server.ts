import { type SQL, sql } from 'drizzle-orm'
import type { MovedLesson } from '~/features/courses/content/content-renames.server'
import type { Transaction } from '~/server/database/client.server'
import { mergeProgress } from './lesson-progress'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
  toProgressRow,
} from './stored-progress.server'

/** Moves learners' work to a lesson's new id; work under both ids is merged by `mergeProgress`. */
export async function moveLessonProgress(
  transaction: Transaction,
  { courseId, alias, lessonId }: MovedLesson,
): Promise<void> {
  const lesson = (id: string) => sql`course_id = ${courseId} and lesson_id = ${id}`
  await mergeDoubles(transaction, lesson(alias), lesson(lessonId))
  await transaction.execute(
    sql`update lesson_progress set lesson_id = ${lessonId} where ${lesson(alias)}`,
  )
  await transaction.execute(
    sql`update practice_cards set lesson_id = ${lessonId} where ${lesson(alias)}`,
  )
  await transaction.execute(sql`update notes set lesson_id = ${lessonId} where ${lesson(alias)}`)
  await transaction.execute(sql`
    delete from bookmarks where ${lesson(alias)} and uid in (select uid from bookmarks where ${lesson(lessonId)})`)
  await transaction.execute(
    sql`update bookmarks set lesson_id = ${lessonId} where ${lesson(alias)}`,
  )
  const [oldEvent, event] = [`lesson:${courseId}:${alias}`, `lesson:${courseId}:${lessonId}`]
  await transaction.execute(sql`
    delete from activities where id = ${oldEvent} and uid in (select uid from activities where id = ${event})`)
  await transaction.execute(sql`update activities set id = ${event} where id = ${oldEvent}`)
}

/**
 * Leaves no learner with work under both ids; a lesson that was earned once stays earned since
 * then.
 */
async function mergeDoubles(transaction: Transaction, old: SQL, current: SQL): Promise<void> {
  type Row = ProgressRow & { uid: string; earned_at: string | null }
  const read = async (lesson: SQL, other: SQL) => {
    const { rows } = await transaction.execute<Row>(sql`
      select p.uid, p.earned_at::text, ${progressColumns} from lesson_progress p
      where ${lesson} and uid in (select uid from lesson_progress where ${other}) order by uid for update`)
    return rows
  }
  const before = new Map((await read(old, current)).map((row) => [row.uid, row]))
  const merged = (await read(current, old)).map((row) => {
    const twin = before.get(row.uid) ?? row
    return {
      uid: row.uid,
      old_earned_at: twin.earned_at,
      ...toProgressRow(mergeProgress(toLessonProgress(twin), toLessonProgress(row))),
    }
  })

  await transaction.execute(
    sql`delete from lesson_progress where ${old} and uid in (select uid from lesson_progress where ${current})`,
  )
  await transaction.execute(sql`
    update lesson_progress p set watched_ms = m.watched, position_ms = m.position_ms, position_at = m.position_at,
      answered = m.answered, read_to_end = m.read_to_end, mark = m.mark, marked_at = m.marked_at,
      earned_at = least(p.earned_at, m.old_earned_at)
    from jsonb_to_recordset(${JSON.stringify(merged)}::text::jsonb) as m (uid text, old_earned_at timestamptz,
      watched int4multirange, position_ms int, position_at timestamptz, answered text[], read_to_end boolean, mark text,
      marked_at timestamptz)
    where p.uid = m.uid and ${current}`)
}
