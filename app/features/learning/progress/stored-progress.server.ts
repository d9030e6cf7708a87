import { sql } from 'drizzle-orm'
import type { LessonProgress } from './lesson-progress'
import { fromMultirange, toMultirange } from './watched-intervals'

export type ProgressRow = {
  watched: string
  position_ms: number
  position_at: string | null
  mark: 'done' | 'undone' | null
  marked_at: string | null
  answered: string[]
  read_to_end: boolean
}

/** A stored row as the rules see it; its times are milliseconds since 1970, as text. */
export function toLessonProgress(row: ProgressRow): LessonProgress {
  return {
    watched: fromMultirange(row.watched),
    position:
      row.position_at === null ? null : { ms: row.position_ms, at: Number(row.position_at) },
    mark:
      row.mark && row.marked_at !== null ? { value: row.mark, at: Number(row.marked_at) } : null,
    answered: row.answered,
    readToEnd: row.read_to_end,
  }
}

/** Columns of `lesson_progress p` for `toLessonProgress`. */
export const progressColumns = sql`p.watched_ms::text as watched, p.position_ms, p.mark, p.answered, p.read_to_end,
  (extract(epoch from p.position_at) * 1000)::bigint::text as position_at,
  (extract(epoch from p.marked_at) * 1000)::bigint::text as marked_at`

/** What `toLessonProgress` reads, ready to be written; its times are ISO texts. */
export function toProgressRow(work: LessonProgress): ProgressRow {
  const timeOf = (part: { at: number } | null) => part && new Date(part.at).toISOString()
  return {
    watched: toMultirange(work.watched),
    position_ms: work.position?.ms ?? 0,
    position_at: timeOf(work.position),
    mark: work.mark?.value ?? null,
    marked_at: timeOf(work.mark),
    answered: [...work.answered],
    read_to_end: work.readToEnd,
  }
}
