import { sql } from 'drizzle-orm'
import { changesBetween } from '~/features/staff/audit.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { db, type Statements } from '~/server/database/client.server'
import { type Cursor, cursorTime, isAfter } from '~/server/database/list-pages.server'
import { siteVersions } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { refreshSite } from '~/server/site/site.server'
import { pictureParts, readValue } from '~/server/site/site-values'
import type { ActionOutcome } from '../desk-form.server'
import { partLabel, valueText } from './site-texts.server'

/** `seen` is the version that the owner's page showed. */
export type SiteChange = { part: string; value: unknown; seen: number; by: string }

/** Older versions of a part are deleted. */
export const versionsKept = 100

const changedMeanwhile =
  'Somebody has changed this in the meantime. Your entry is still here, and saving it again replaces theirs.'

/**
 * Stores a new version of a part of the site.
 *
 * @param change.value null for Learnify's own.
 * @throws {StartError} if the value is the same as before, or another owner was faster.
 */
export async function changeSite(
  transaction: Transaction,
  { part, value, seen, by }: SiteChange,
): Promise<ActionOutcome & { before: unknown }> {
  const before = seen === 0 ? null : await findValue(transaction, part, seen)
  const { rows } = await transaction.execute<{ same: boolean }>(
    sql`select ${JSON.stringify(value)}::jsonb = ${JSON.stringify(before)}::jsonb as same`,
  )
  if (rows[0]?.same) {
    throw new StartError('That’s how it is already, so nothing was changed.')
  }

  const version = seen + 1
  const [latest] = await transaction
    .insert(siteVersions)
    .select(sql`select ${part}, ${version}::int, ${JSON.stringify(value)}::jsonb, ${by}, now()
      where ${seen}::int = (select coalesce(max(version), 0) from site_versions where part = ${part})`)
    .onConflictDoNothing()
    .returning({ version: siteVersions.version })

  if (!latest) {
    throw new StartError(changedMeanwhile)
  }

  await removeOldVersions(transaction, part, version)

  return {
    subject: part,
    arguments: { version },
    changes: changesBetween(
      { [part]: valueText(part, before) },
      { [part]: valueText(part, value) },
    ),
    outcome: `${partLabel(part)}: saved. Pages show it within two seconds.`,
    before,
    // Other processes notice within a second.
    after: () => refreshSite(db),
  }
}

/** Also removes pictures that no version names any more. */
async function removeOldVersions(
  transaction: Transaction,
  part: string,
  latest: number,
): Promise<void> {
  const { rowCount } = await transaction.execute(
    sql`delete from site_versions where part = ${part} and version <= ${latest - versionsKept}::int`,
  )
  if (!rowCount || !pictureParts.includes(part)) {
    return
  }

  await transaction.execute(sql`
    delete from site_pictures p where not exists (
      select from site_versions v where v.part = any(${sql.param(pictureParts)}::text[]) and strpos(v.value::text, p.name) > 0)`)
}

/** @throws {StartError} if there is no such version. */
export async function findValue(
  db: Pick<Statements, 'execute'>,
  part: string,
  version: number,
): Promise<unknown> {
  const { rows } = await db.execute<{ value: unknown }>(
    sql`select value from site_versions where part = ${part} and version = ${version}`,
  )
  const [row] = rows
  if (!row) {
    throw new StartError(changedMeanwhile)
  }

  // An older release may have stored a value that isn't allowed any more.
  return row.value === null ? null : readValue(part, row.value)
}

/**
 * The latest version of a part, with null for Learnify's own or a removed page.
 *
 * @returns null for a part without versions.
 */
export async function findLatest(db: Pick<Statements, 'execute'>, part: string) {
  const { rows } = await db.execute<{ version: number; value: unknown }>(
    sql`select version, value from site_versions where part = ${part} order by version desc limit 1`,
  )
  return rows[0] ?? null
}

export type LastChange = { version: number; at: string; byName: string | null }

/** The last version of each part. */
export async function listLastChanges(db: Database): Promise<Record<string, LastChange>> {
  const { rows } = await db.execute<LastChange & { part: string }>(sql`
    select distinct on (part) part, version, ${cursorTime(sql`at`)} as at, u.name as "byName"
    from site_versions v left join users u on u.id = v.by order by part, version desc`)
  return Object.fromEntries(rows.map(({ part, ...change }) => [part, change]))
}

export type VersionRow = {
  id: string
  cursorAt: string
  part: string
  version: number
  value: unknown
  byName: string | null
  isLast: boolean
}

/** Versions, newest first. */
export async function listVersions(
  db: Database,
  cursor: Cursor | null,
  limit: number,
): Promise<VersionRow[]> {
  const id = sql`v.part || '-' || v.version`
  const { rows } = await db.execute<VersionRow>(sql`
    select ${id} as id, ${cursorTime(sql`v.at`)} as "cursorAt", v.part, v.version, v.value, u.name as "byName",
      not exists (select from site_versions later where later.part = v.part and later.version > v.version) as "isLast"
    from site_versions v left join users u on u.id = v.by
    where ${isAfter(cursor, sql`v.at`, id)} order by v.at desc, ${id} desc limit ${limit}`)

  return rows
}
