import { sql } from 'drizzle-orm'
import type { LessonProgress } from './lesson-progress'
import { fromMultirange, toMultirange } from './watched-intervals'

/**
 * A learner's progress in a lesson as the database stores it. Rows that are read have their times
 * in milliseconds since 1970, as text. Rows that are written have them as ISO strings.
 */
export type ProgressRow = {
  watched: string
  position_ms: number
  position_at: string | null
  mark: 'done' | 'undone' | null
  marked_at: string | null
  answered: string[]
  read_to_end: boolean
}

/** The columns of `lesson_progress p` that `toLessonProgress` reads. */
export const progressColumns = sql`
  p.watched_ms::text as watched,
  p.position_ms,
  (extract(epoch from p.position_at) * 1000)::bigint::text as position_at,
  p.mark,
  (extract(epoch from p.marked_at) * 1000)::bigint::text as marked_at,
  p.answered,
  p.read_to_end`

export function toLessonProgress(row: ProgressRow): LessonProgress {
  const hasPosition = row.position_at !== null
  const hasMark = row.mark !== null && row.marked_at !== null

  return {
    watched: fromMultirange(row.watched),
    position: hasPosition ? { ms: row.position_ms, at: Number(row.position_at) } : null,
    mark: row.mark && hasMark ? { value: row.mark, at: Number(row.marked_at) } : null,
    answered: row.answered,
    readToEnd: row.read_to_end,
  }
}

export function toProgressRow({
  watched,
  position,
  mark,
  answered,
  readToEnd,
}: LessonProgress): ProgressRow {
  return {
    watched: toMultirange(watched),
    position_ms: position?.ms ?? 0,
    position_at: position && new Date(position.at).toISOString(),
    mark: mark?.value ?? null,
    marked_at: mark && new Date(mark.at).toISOString(),
    answered: [...answered],
    read_to_end: readToEnd,
  }
}
