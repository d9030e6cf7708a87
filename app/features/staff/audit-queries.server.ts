/** Reads the audit log, and formats its entries. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
} from '~/server/database/list-pages.server'
import type { Changes } from '~/server/database/schema'

export type AuditEntry = {
  id: string
  /** An ISO 8601 time in UTC. */
  at: string
  /** The same time, which the cursor of the next page contains. */
  cursorAt: string
  /** The name of an operator, or the uid of a member of staff. */
  actor: string
  /** The name of the account whose uid is in `actor`, or null if there is no such account. */
  actorName: string | null
  /** The action's name, such as 'learner disable'. */
  action: string
  /** The uid of a learner, or the ID of another changed object. */
  subject: string | null
  /** The name of the account whose uid is in `subject`, or null if there is no such account. */
  subjectName: string | null
  arguments: Record<string, unknown>
  /** Is null for an action without recorded changes. */
  changes: Changes | null
  outcome: string
}

export type AuditFilter = {
  subject?: string
  actor?: string
  /** The name of an action, or its beginning. */
  action?: string
  since?: Date
  before?: Date
  cursor?: Cursor | null
}

/** Lists the latest entries, newest first. */
export async function listAuditEntries(
  db: Pick<Database, 'execute'>,
  filter: AuditFilter,
  limit: number,
): Promise<AuditEntry[]> {
  const { rows } = await db.execute<AuditEntry>(sql`
    with page as materialized (
      select a.*
      from operator_acts a
      where ${sql.join(listConditions(filter), sql` and `)}
      order by a.at desc, a.id desc
      limit ${limit}
    )
    select a.id,
      ${formatCursorTime(sql`a.at`)} as at,
      ${formatCursorTime(sql`a.at`)} as "cursorAt",
      a.by as actor,
      actor.name as "actorName",
      a.act as action,
      a.subject,
      subject.name as "subjectName",
      a.arguments,
      a.changes,
      a.outcome
    from page a
      left join users actor on actor.id = a.by
      left join users subject on subject.id = a.subject
    order by a.at desc, a.id desc`)

  return rows
}

function listConditions(filter: AuditFilter): SQL[] {
  const { subject, actor, action, since, before, cursor = null } = filter

  const conditions = [createCursorCondition(cursor, sql`a.at`, sql`a.id`)]
  if (subject) {
    conditions.push(sql`a.subject = ${subject}`)
  }

  if (actor) {
    conditions.push(sql`a.by = ${actor}`)
  }

  if (action) {
    conditions.push(sql`starts_with(a.act, ${action})`)
  }

  if (since) {
    conditions.push(sql`a.at >= ${since.toISOString()}::timestamptz`)
  }

  if (before) {
    conditions.push(sql`a.at < ${before.toISOString()}::timestamptz`)
  }

  return conditions
}

/** Formats the arguments of an action in one line, such as 'course=python reason=Called back'. */
export function formatArguments(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(' ')
}

/** Formats changes in one line, such as 'role: manager → owner'. */
export function formatChanges(changes: Changes | null): string {
  return Object.entries(changes ?? {})
    .map(([name, { from, to }]) => `${name}: ${formatValue(from)} → ${formatValue(to)}`)
    .join('; ')
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
