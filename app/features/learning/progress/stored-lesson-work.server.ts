import { sql } from 'drizzle-orm'
import type { LessonWork } from './lesson-work'
import { fromMultirange, toMultirange } from './watched-intervals'

export type StoredWork = {
  watched: string
  position_ms: number
  position_at: string | null
  mark: 'done' | 'undone' | null
  marked_at: string | null
  answered: string[]
  read_to_end: boolean
}

/** A stored row as the rules see it; its times are milliseconds since 1970, as text. */
export function lessonWorkOf(row: StoredWork): LessonWork {
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

/** Columns of `lesson_progress p` for `lessonWorkOf`. */
export const workColumns = sql`p.watched_ms::text as watched, p.position_ms, p.mark, p.answered, p.read_to_end,
  (extract(epoch from p.position_at) * 1000)::bigint::text as position_at,
  (extract(epoch from p.marked_at) * 1000)::bigint::text as marked_at`

/** What `lessonWorkOf` reads, ready to be written; its times are ISO texts. */
export function rowOf(work: LessonWork): StoredWork {
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
