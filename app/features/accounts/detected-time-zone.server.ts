import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'

/**
 * Stores the time zone of a learner's browser, which decides when a day of learning begins.
 *
 * Both PostgreSQL and JavaScript calculate with the stored zone, so both must know its name. Browsers
 * report legacy names that a PostgreSQL server may lack, and new names that an older server lacks. The
 * other name of the same zone is stored then. For a zone without a known name, a zone with the same
 * offset from UTC is stored.
 */

type ReportedTimeZone = {
  name: string
  /** The current offset from UTC, east positive; null if the browser did not report it. */
  offsetMinutes: number | null
}

/**
 * Stores the time zone that the learner's browser reported. It counts until the learner chooses one.
 *
 * @returns false if neither its name nor its offset is known
 */
export async function recordDetectedTimezone(
  db: Database,
  uid: string,
  reportedZone: ReportedTimeZone,
): Promise<boolean> {
  const { rows: databaseZones } = await db.execute<DatabaseTimeZone>(sql`
    select
      name,
      extract(epoch from utc_offset)::int / 60 as "offsetMinutes",
      is_dst as "isDaylightSavingTime"
    from pg_timezone_names
    order by name`)

  const zoneName = chooseTimeZone(reportedZone, databaseZones)
  if (zoneName === null) {
    return false
  }

  await db.update(users).set({ detectedTimezone: zoneName }).where(eq(users.id, uid))

  return true
}

/** A row of PostgreSQL's view `pg_timezone_names`. */
type DatabaseTimeZone = {
  name: string
  offsetMinutes: number
  isDaylightSavingTime: boolean
}

/** Returns the name to store, or null if no known zone has the reported name or offset. */
export function chooseTimeZone(
  reportedZone: ReportedTimeZone,
  databaseZones: readonly DatabaseTimeZone[],
): string | null {
  const databaseNames = new Set(databaseZones.map(({ name }) => name))
  const knownName = listNames(reportedZone.name).find(
    (name) => databaseNames.has(name) && isKnownToIntl(name),
  )
  if (knownName !== undefined) {
    return knownName
  }

  const offsetMinutes = getIntlOffsetMinutes(reportedZone.name) ?? reportedZone.offsetMinutes
  const zonesWithSameOffset = databaseZones.filter(
    (zone) =>
      zone.offsetMinutes === offsetMinutes &&
      !zone.isDaylightSavingTime &&
      isKnownToIntl(zone.name),
  )
  // The zones below `Etc/` never change their offset.
  const replacement =
    zonesWithSameOffset.find(({ name }) => name.startsWith('Etc/')) ?? zonesWithSameOffset[0]
  log.warn(
    { timezone: reportedZone.name, offsetMinutes, storedTimezone: replacement?.name ?? null },
    'a browser reported an unknown time zone',
  )

  return replacement?.name ?? null
}

/** The zones that browsers report by a legacy name, with their current names. */
const renamedZones = [
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

/** Returns the reported name, followed by the other names of the same zone. */
function listNames(reportedName: string): string[] {
  const names = [reportedName, getIntlName(reportedName) ?? reportedName]
  const otherNames = renamedZones.filter((pair) => names.some((name) => pair.includes(name)))
  return [...names, ...otherNames.flat()]
}

/** Returns JavaScript's own name for the zone, or null if JavaScript does not know the zone. */
function getIntlName(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function isKnownToIntl(timeZone: string): boolean {
  return getIntlName(timeZone) !== null
}

/** Returns the zone's current offset from UTC, or null if JavaScript does not know the zone. */
function getIntlOffsetMinutes(timeZone: string): number | null {
  if (!isKnownToIntl(timeZone)) {
    return null
  }

  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'longOffset',
  }).formatToParts()
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  if (sign === undefined) {
    return 0
  }

  const absoluteMinutes = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -absoluteMinutes : absoluteMinutes
}
