/** How many backups of each kind are kept: the newest of each of so many days, weeks, months and years that have one. */
export type KeepRule = Partial<Record<Unit, number>>
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

/** @param text for example `7d4w6m`: seven daily ones, four weekly ones, six monthly ones. @returns null if it is none. */
export function parseKeepRule(text: string): KeepRule | null {
  if (!/^(\d{1,4}[dwmy])+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+)([dwmy])/g)].map(([, count, unit]) => [unit, Number(count)] as const)
  const isOnce = new Set(parts.map(([unit]) => unit)).size === parts.length
  return isOnce && parts.some(([, count]) => count > 0) ? Object.fromEntries(parts) : null
}

/**
 * Which backups a rule lets go, by UTC. Periods without a backup don't count, so that the old ones stay when no new ones are
 * made. The newest always stays.
 */
export function listOutdated(moments: readonly Date[], rule: KeepRule): Date[] {
  const newestFirst = moments.toSorted((one, other) => other.getTime() - one.getTime())
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [unit, count] of Object.entries(rule) as [Unit, number][]) {
    const seen = new Set<string>()
    for (const moment of newestFirst) {
      const period = periodOf[unit](moment)
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      kept.add(moment)
    }
  }
  return newestFirst.filter((moment) => !kept.has(moment))
}

/** For example `learnify-2026-11-22T031500Z.tar.gz.age`; sorted by name is sorted by time. */
export function archiveName(at: Date): string {
  return `learnify-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.tar.gz.age`
}

/** When an archive was begun, by its name. @returns null for a file that isn't one. */
export function momentOfArchive(name: string): Date | null {
  const [, day, hours, minutes, seconds] =
    /^learnify-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz\.age$/.exec(name) ?? []
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(moment.getTime()) || archiveName(moment) !== name ? null : moment
}
