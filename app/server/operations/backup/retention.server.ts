import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** How many days, weeks, months and years keep their newest backup. */
export type RetentionRule = Partial<Record<Unit, number>>
type Unit = keyof typeof periodOf

const periodOf = {
  d: (at: Date) => at.toISOString().slice(0, 10),
  w: (at: Date) => mondayOf(at).toISOString().slice(0, 10),
  m: (at: Date) => at.toISOString().slice(0, 7),
  y: (at: Date) => at.toISOString().slice(0, 4),
}

const dayMs = 24 * 60 * 60_000

function mondayOf(at: Date): Date {
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs)
}

/** @param text for example `7d4w6m`: seven daily, four weekly, six monthly backups. @returns null if it is malformed. */
export function parseRetentionRule(text: string): RetentionRule | null {
  if (!/^(\d{1,4}[dwmy])+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+)([dwmy])/g)].map(([, count, unit]) => [unit, Number(count)] as const)
  const isOnce = new Set(parts.map(([unit]) => unit)).size === parts.length
  return isOnce && parts.some(([, count]) => count > 0) ? Object.fromEntries(parts) : null
}

/**
 * Which backups a rule removes, by UTC. Only periods that have a backup count, so that old ones stay if backups stop. The
 * newest always stays.
 */
export function listOutdated(times: readonly Date[], rule: RetentionRule): Date[] {
  const newestFirst = times.toSorted((one, other) => other.getTime() - one.getTime())
  const retained = new Set(newestFirst.slice(0, 1))
  for (const [unit, count] of Object.entries(rule) as [Unit, number][]) {
    const seen = new Set<string>()
    for (const time of newestFirst) {
      const period = periodOf[unit](time)
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      retained.add(time)
    }
  }
  return newestFirst.filter((time) => !retained.has(time))
}

/** Removes the archives of `folder` that the rule doesn't retain, and no other file. @returns their names. */
export async function pruneArchives(folder: string, rule: RetentionRule): Promise<string[]> {
  const times = (await readdir(folder)).map(archiveTime).filter((time) => time !== null)
  const names = listOutdated(times, rule).map(archiveName)
  for (const name of names) await rm(path.join(folder, name))
  return names
}

/** For example `learnify-2026-11-22T031500Z.tar.gz.age`; sorted by name is sorted by time. */
export function archiveName(at: Date): string {
  return `learnify-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.tar.gz.age`
}

/** When an archive was begun, by its name. @returns null for a file that isn't one. */
export function archiveTime(name: string): Date | null {
  const [, day, hours, minutes, seconds] =
    /^learnify-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz\.age$/.exec(name) ?? []
  const time = new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(time.getTime()) || archiveName(time) !== name ? null : time
}
