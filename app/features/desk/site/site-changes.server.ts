/**
 * Stores the versions of the site's parts, and reads them for the desk.
 *
 * A change is a new row in `site_versions`. It is stored only if the owner has seen the latest
 * version, so that two owners can't overwrite each other's changes. The value of a version is null
 * if the part has Learnify's own value since, or if a page was removed. Version 0 stands for the
 * time before the first change, and is not stored.
 */
import { sql } from 'drizzle-orm'
import { findChanges } from '~/features/staff/audit.server'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
} from '~/server/database/list-pages.server'
import { siteVersions } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { parseSiteValue, pictureParts } from '~/server/site/site-values'
import type { DeskChangeResult } from '../desk-form.server'
import { formatValue, getPartLabel } from './site-texts.server'

export type SiteChange = {
  part: string
  /** Null returns to Learnify's own value, or removes a page. */
  value: unknown
  /** The latest version when the owner opened the desk's page, or 0 if there was none. */
  seenVersion: number
  ownerUid: string
}

/** The largest number of stored versions of each part. Older versions are deleted. */
export const maxStoredVersions = 100

/**
 * Returns whether earlier versions of a part stay stored, so that changes of it can be undone. A
 * key of the payment provider that an owner has replaced or removed must not stay in the database.
 */
export function hasHistory(part: string): boolean {
  return part !== 'payments'
}

const changedBySomebodyElse =
  'Somebody has changed this in the meantime. Your entry is still here, and saving it again replaces theirs.'

/**
 * Stores a new version of a part of the site. Fails if nothing would change, or if another owner
 * has saved a newer version than the one that this owner saw.
 */
export async function changeSite(
  transaction: Transaction,
  { part, value, seenVersion, ownerUid }: SiteChange,
): Promise<Result<DeskChangeResult>> {
  const latestVersion = await findLatestVersion(transaction, part)
  if (seenVersion !== (latestVersion?.version ?? 0)) {
    return failure(changedBySomebodyElse)
  }

  const previousValue = latestVersion ? readStoredValue(part, latestVersion.value) : null
  // PostgreSQL compares, because the order of an object's keys doesn't matter to jsonb.
  const { rows } = await transaction.execute<{ isUnchanged: boolean }>(sql`
    select ${JSON.stringify(value)}::jsonb = ${JSON.stringify(previousValue)}::jsonb
      as "isUnchanged"`)
  if (rows[0]?.isUnchanged) {
    return failure('That’s how it is already, so nothing was changed.')
  }

  const version = seenVersion + 1
  // Another owner may have saved a version since this transaction read the latest one.
  const [storedVersion] = await transaction
    .insert(siteVersions)
    // The columns are part, version, value, by and at.
    .select(sql`
      select ${part}, ${version}::int, ${JSON.stringify(value)}::jsonb, ${ownerUid}, now()
      where ${seenVersion}::int = (
        select coalesce(max(version), 0)
        from site_versions
        where part = ${part}
      )`)
    .onConflictDoNothing()
    .returning({ version: siteVersions.version })
  if (!storedVersion) {
    return failure(changedBySomebodyElse)
  }

  await removeOldVersions(transaction, part, version)

  return success({
    subject: part,
    arguments: { version },
    changes: findChanges(
      { [part]: formatValue(part, previousValue) },
      { [part]: formatValue(part, value) },
    ),
    outcome: `${getPartLabel(part)}: saved. Pages show it within two seconds.`,
  })
}

/** Deletes old versions, and the pictures that no remaining version names. */
async function removeOldVersions(
  transaction: Transaction,
  part: string,
  latestVersion: number,
): Promise<void> {
  const maxVersions = hasHistory(part) ? maxStoredVersions : 1
  const { rowCount } = await transaction.execute(sql`
    delete from site_versions
    where part = ${part}
      and version <= ${latestVersion - maxVersions}::int`)
  if (!rowCount || !pictureParts.includes(part)) {
    return
  }

  await transaction.execute(sql`
    delete from site_pictures p
    where not exists (
      select
      from site_versions v
      where v.part = any(${sql.param(pictureParts)}::text[])
        and strpos(v.value::text, p.name) > 0
    )`)
}

/** Returns the value of an earlier version. Fails if that version was deleted meanwhile. */
export async function findVersionValue(
  db: Pick<Statements, 'execute'>,
  part: string,
  version: number,
): Promise<Result<unknown>> {
  const { rows } = await db.execute<{ value: unknown }>(sql`
    select value
    from site_versions
    where part = ${part} and version = ${version}`)
  const [row] = rows
  if (!row) {
    return failure(changedBySomebodyElse)
  }

  return success(readStoredValue(part, row.value))
}

/**
 * Returns a stored value, or null if an older release stored a value that isn't allowed any more.
 */
function readStoredValue(part: string, value: unknown): unknown {
  return value === null ? null : parseSiteValue(part, value)
}

/**
 * Returns the latest version of a part as it is stored, or null if nobody has changed the part yet.
 */
export async function findLatestVersion(db: Pick<Statements, 'execute'>, part: string) {
  const { rows } = await db.execute<{ version: number; value: unknown }>(
    sql`
      select version, value
      from site_versions
      where part = ${part}
      order by version desc
      limit 1`,
  )
  return rows[0] ?? null
}

export type LastChange = {
  version: number
  at: string
  /** The owner's name. Null once the account is deleted. */
  byName: string | null
}

/** Returns who changed each part last and when, by the name of the part. */
export async function listLastChanges(db: Database): Promise<Record<string, LastChange>> {
  const { rows } = await db.execute<LastChange & { part: string }>(sql`
    select distinct on (v.part) v.part,
      v.version,
      ${formatCursorTime(sql`v.at`)} as at,
      u.name as "byName"
    from site_versions v
      left join users u on u.id = v.by
    order by v.part, v.version desc`)

  return Object.fromEntries(rows.map(({ part, ...change }) => [part, change]))
}

export type VersionRow = {
  id: string
  /** The time of the change. */
  cursorAt: string
  part: string
  version: number
  value: unknown
  byName: string | null
  /** Whether this is the part's latest version. */
  isLatest: boolean
}

/** Lists the versions of all parts, newest first. */
export async function listVersions(
  db: Database,
  cursor: Cursor | null,
  limit: number,
): Promise<VersionRow[]> {
  const id = sql`v.part || '-' || v.version`
  const { rows } = await db.execute<VersionRow>(sql`
    select ${id} as id,
      ${formatCursorTime(sql`v.at`)} as "cursorAt",
      v.part,
      v.version,
      v.value,
      u.name as "byName",
      not exists (
        select
        from site_versions later
        where later.part = v.part and later.version > v.version
      ) as "isLatest"
    from site_versions v
      left join users u on u.id = v.by
    where ${createCursorCondition(cursor, sql`v.at`, id)}
    order by v.at desc, ${id} desc
    limit ${limit}`)

  return rows
}
