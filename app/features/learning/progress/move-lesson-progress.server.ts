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

/**
 * Moves everything that learners have stored under a lesson's old id to its new id. If a learner
 * has progress under both ids, `mergeProgress` merges it.
 */
export async function moveLessonProgress(
  transaction: Transaction,
  { courseId, alias: oldId, lessonId: newId }: MovedLesson,
): Promise<void> {
  const oldLesson = sql`course_id = ${courseId} and lesson_id = ${oldId}`
  const newLesson = sql`course_id = ${courseId} and lesson_id = ${newId}`

  await mergeDuplicateProgress(transaction, oldLesson, newLesson)
  await transaction.execute(sql`
    update lesson_progress set lesson_id = ${newId} where ${oldLesson}`)

  await transaction.execute(sql`
    update practice_cards set lesson_id = ${newId} where ${oldLesson}`)
  await transaction.execute(sql`
    update notes set lesson_id = ${newId} where ${oldLesson}`)

  await transaction.execute(sql`
    delete from bookmarks
    where ${oldLesson} and uid in (select uid from bookmarks where ${newLesson})`)
  await transaction.execute(sql`
    update bookmarks set lesson_id = ${newId} where ${oldLesson}`)

  const oldActivity = `lesson:${courseId}:${oldId}`
  const newActivity = `lesson:${courseId}:${newId}`
  await transaction.execute(sql`
    delete from activities
    where id = ${oldActivity} and uid in (select uid from activities where id = ${newActivity})`)
  await transaction.execute(sql`
    update activities set id = ${newActivity} where id = ${oldActivity}`)
}

type DuplicateRow = ProgressRow & { uid: string; earned_at: string | null }

/**
 * Merges the progress of learners who have a row for both lessons into the row of the new lesson,
 * and deletes the row of the old one. The earlier of two dates of earning a lesson counts.
 */
async function mergeDuplicateProgress(
  transaction: Transaction,
  oldLesson: SQL,
  newLesson: SQL,
): Promise<void> {
  const oldRows = await lockDuplicateRows(transaction, oldLesson, newLesson)
  const newRows = await lockDuplicateRows(transaction, newLesson, oldLesson)

  const oldRowByUid = new Map(oldRows.map((row) => [row.uid, row]))
  const mergedRows = newRows.map((newRow) => {
    const oldRow = oldRowByUid.get(newRow.uid) ?? newRow
    const merged = mergeProgress(toLessonProgress(oldRow), toLessonProgress(newRow))
    return { uid: newRow.uid, old_earned_at: oldRow.earned_at, ...toProgressRow(merged) }
  })

  await transaction.execute(sql`
    delete from lesson_progress
    where ${oldLesson} and uid in (select uid from lesson_progress where ${newLesson})`)
  await transaction.execute(sql`
    update lesson_progress p set
      watched_ms = m.watched,
      position_ms = m.position_ms,
      position_at = m.position_at,
      answered = m.answered,
      read_to_end = m.read_to_end,
      mark = m.mark,
      marked_at = m.marked_at,
      earned_at = least(p.earned_at, m.old_earned_at)
    from jsonb_to_recordset(${JSON.stringify(mergedRows)}::text::jsonb) as m (
      uid text, old_earned_at timestamptz, watched int4multirange,
      position_ms int, position_at timestamptz, answered text[],
      read_to_end boolean, mark text, marked_at timestamptz)
    where p.uid = m.uid and ${newLesson}`)
}

/** Locks the progress in a lesson of learners who have progress in another lesson, too. */
async function lockDuplicateRows(
  transaction: Transaction,
  lesson: SQL,
  otherLesson: SQL,
): Promise<DuplicateRow[]> {
  const { rows } = await transaction.execute<DuplicateRow>(sql`
    select p.uid, p.earned_at::text, ${progressColumns}
    from lesson_progress p
    where ${lesson} and uid in (select uid from lesson_progress where ${otherLesson})
    order by uid
    for update`)

  return rows
}
