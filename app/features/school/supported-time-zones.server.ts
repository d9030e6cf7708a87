/**
 * Finds the names of time zones that both PostgreSQL and JavaScript support.
 *
 * Both calculate with a stored time zone, so a name is stored only if both support it. JavaScript
 * lists some zones by legacy names that a PostgreSQL server may not support. In this case, the
 * other name of the same zone is stored.
 */
import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { isTimeZone } from '~/server/site/site-values'

/** A row of PostgreSQL's view `pg_timezone_names`. */
export type DatabaseTimeZone = {
  name: string
  offsetMinutes: number
  isDaylightSavingTime: boolean
}

export async function listDatabaseTimeZones(
  db: Pick<Statements, 'execute'>,
): Promise<DatabaseTimeZone[]> {
  const { rows } = await db.execute<DatabaseTimeZone>(sql`
    select
      name,
      extract(epoch from utc_offset)::int / 60 as "offsetMinutes",
      is_dst as "isDaylightSavingTime"
    from pg_timezone_names
    order by name`)

  return rows
}

/**
 * Returns the name to store for a chosen time zone, or null if the database or JavaScript supports
 * none of the zone's names.
 */
export async function findSupportedTimeZone(
  db: Pick<Statements, 'execute'>,
  timeZone: string,
): Promise<string | null> {
  return findSupportedName(timeZone, await listDatabaseTimeZones(db))
}

/** Returns the first name of the zone that both the database and JavaScript support. */
export function findSupportedName(
  timeZone: string,
  databaseZones: readonly DatabaseTimeZone[],
): string | null {
  const databaseNames = new Set(databaseZones.map(({ name }) => name))
  const names = listNames(timeZone)
  return names.find((name) => databaseNames.has(name) && isTimeZone(name)) ?? null
}

/**
 * Lists the time zones to choose from, by name.
 *
 * @param currentZone a zone that is always in the list, so that a form does not change it by
 *   accident
 */
export function listTimeZones(currentZone: string): string[] {
  const currentNames = new Map<string, string>(renamedZones)
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => currentNames.get(zone) ?? zone)

  return [...new Set(['UTC', currentZone, ...zones])].sort()
}

/** The legacy names by which JavaScript still lists some zones, with their current names. */
const renamedZones: readonly [legacyName: string, currentName: string][] = [
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]

/** Returns a zone's name, followed by the other names of the same zone. */
function listNames(timeZone: string): string[] {
  const names = [timeZone, getIntlName(timeZone) ?? timeZone]
  const otherNames = renamedZones.filter((pair) => names.some((name) => pair.includes(name)))
  return [...names, ...otherNames.flat()]
}

/** Returns JavaScript's own name for the zone, or null if JavaScript does not support the zone. */
function getIntlName(timeZone: string): string | null {
  if (!isTimeZone(timeZone)) {
    return null
  }

  return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
}
