import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { type Cursor, cursorTime, isAfter } from '~/server/database/list-pages.server'
import type { Changes } from '~/server/database/schema'

export type AuditEntry = {
  id: string
  /** ISO 8601, UTC. */
  at: string
  cursorAt: string
  /** The operator of a command, or the uid of a member of staff. */
  by: string
  /**
   * The name of the account that `by` or `subject` is the uid of; null if there is none any more.
   */
  byName: string | null
  subjectName: string | null
  act: string
  subject: string | null
  arguments: Record<string, unknown>
  /** Null for an act without recorded changes. */
  changes: Changes | null
  outcome: string
}

export type AuditFilter = {
  /** The uid of a learner, or the ID of another affected object. */
  subject?: string
  by?: string
  /** Like 'learner disable', or its beginning. */
  act?: string
  since?: Date
  before?: Date
  cursor?: Cursor | null
}

/** The latest entries, newest first. */
export async function listAuditEntries(
  db: Pick<Database, 'execute'>,
  { subject, by, act, since, before, cursor = null }: AuditFilter,
  limit: number,
): Promise<AuditEntry[]> {
  const wanted: SQL[] = [isAfter(cursor, sql`a.at`, sql`a.id`)]
  if (subject) {
    wanted.push(sql`a.subject = ${subject}`)
  }

  if (by) {
    wanted.push(sql`a.by = ${by}`)
  }

  if (act) {
    wanted.push(sql`starts_with(a.act, ${act})`)
  }

  if (since) {
    wanted.push(sql`a.at >= ${since.toISOString()}::timestamptz`)
  }

  if (before) {
    wanted.push(sql`a.at < ${before.toISOString()}::timestamptz`)
  }

  const { rows } = await db.execute<AuditEntry>(sql`
    with page as materialized (
      select a.* from operator_acts a where ${sql.join(wanted, sql` and `)} order by a.at desc, a.id desc limit ${limit})
    select a.id, ${cursorTime(sql`a.at`)} as at, ${cursorTime(sql`a.at`)} as "cursorAt", a.by, a.act, a.subject,
      a.arguments, a.changes, a.outcome, w.name as "byName", u.name as "subjectName"
    from page a left join users w on w.id = a.by left join users u on u.id = a.subject
    order by a.at desc, a.id desc`)

  return rows
}

/** The arguments of an act in a line. */
export function argumentText(given: Record<string, unknown>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ')
}

/** An act's changes in one line. */
export function changesText(changes: Changes | null): string {
  return Object.entries(changes ?? {})
    .map(([name, { from, to }]) => `${name}: ${valueText(from)} → ${valueText(to)}`)
    .join('; ')
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
