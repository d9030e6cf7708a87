/**
 * Stores the time zone of a learner's browser, which decides when a day of learning begins.
 *
 * Both PostgreSQL and JavaScript calculate with the stored zone, so both must know its name.
 * Browsers report legacy names that a PostgreSQL server may lack, and new names that an older
 * server lacks. In these cases, the other name of the same zone is stored. For a zone without a
 * known name, a zone with the same offset from UTC is stored.
 */
import { eq } from 'drizzle-orm'
import {
  type DatabaseTimeZone,
  findSupportedName,
  listDatabaseTimeZones,
} from '~/features/school/supported-time-zones.server'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { isTimeZone } from '~/server/site/site-values'

type ReportedTimeZone = {
  name: string
  /** The current offset from UTC, east positive; null if the browser did not report it. */
  offsetMinutes: number | null
}

/**
 * Stores the time zone that the learner's browser reported. It counts until the learner chooses
 * one.
 *
 * @returns false if neither its name nor its offset is known
 */
export async function recordDetectedTimezone(
  db: Database,
  uid: string,
  reportedZone: ReportedTimeZone,
): Promise<boolean> {
  const databaseZones = await listDatabaseTimeZones(db)
  const zoneName = chooseTimeZone(reportedZone, databaseZones)
  if (zoneName === null) {
    return false
  }

  await db.update(users).set({ detectedTimezone: zoneName }).where(eq(users.id, uid))

  return true
}

/** Returns the name to store, or null if no known zone has the reported name or offset. */
export function chooseTimeZone(
  reportedZone: ReportedTimeZone,
  databaseZones: readonly DatabaseTimeZone[],
): string | null {
  const supportedName = findSupportedName(reportedZone.name, databaseZones)
  if (supportedName !== null) {
    return supportedName
  }

  const offsetMinutes = getIntlOffsetMinutes(reportedZone.name) ?? reportedZone.offsetMinutes
  const zonesWithSameOffset = databaseZones.filter(
    (zone) =>
      zone.offsetMinutes === offsetMinutes && !zone.isDaylightSavingTime && isTimeZone(zone.name),
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

/** Returns the zone's current offset from UTC, or null if JavaScript does not know the zone. */
function getIntlOffsetMinutes(timeZone: string): number | null {
  if (!isTimeZone(timeZone)) {
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
