import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { isForeign } from './content-folder.server'

/** A folder's hash, and the stamp of its files when it was taken: sizes, times and numbers of inodes. */
type StampedHash = { stamp: string; hash: string }
export type StampedHashes = ReadonlyMap<string, StampedHash>

/** SHA-256 over names and files; the same on every machine. */
export type ContentHashes = {
  /** Over all files. */
  whole: string
  /** Each over a course's folder, by id, in order. */
  courses: ReadonlyMap<string, string>
  /** By the name of their file. */
  portraits: ReadonlyMap<string, string>
  /** Of those courses whose files nobody has written just now. */
  stamped: StampedHashes
}

/** Deeper folders hold no content; it also ends a link that leads back up. */
const deepest = 6

/** A file that is written twice within so short a time may look the same both times. */
const settledMs = 2_000

/** Over all that a course's reading depends on: its folder and its instructor's portrait. */
export function hashOfCourse({ courses, portraits }: ContentHashes, id: string, portrait: string | null): string {
  return sha256(`${portraits.get(`${portrait}.webp`)}\0${courses.get(id)}`)
}

/**
 * Hashes the names of all files, the bytes of texts and the sizes of the others, links followed, foreign files left out.
 * It looks at files at once, without waiting for each in turn: 10,000 courses take a second if all look as before.
 *
 * @param options.known courses whose stamp is the same are not read.
 * @param options.unread courses that are not even looked at, with their hashes.
 */
export function hashContent(
  folder: string,
  {
    known = new Map(),
    unread = new Map(),
    now = Date.now(),
  }: { known?: StampedHashes; unread?: ReadonlyMap<string, string>; now?: number } = {},
): ContentHashes {
  const courses = new Map<string, string>()
  const stamped = new Map<string, StampedHash>()
  const whole = createHash('sha256')
  let portraits = new Map<string, string>()
  for (const name of listNames(folder)) {
    if (name === 'courses') {
      for (const id of listNames(path.join(folder, name))) {
        const entry = unread.has(id) ? null : look(path.join(folder, name, id), id, deepest - 1)
        const hash = entry ? hashByStamp(entry, { id, known, stamped, now }) : (unread.get(id) ?? '')
        whole.update(`${name}/${id}\0${hash}\0`)
        if (!entry?.stats?.isFile()) courses.set(id, hash)
      }
      continue
    }
    const entry = look(path.join(folder, name), name, deepest)
    if (name === 'instructors') portraits = new Map(entry.inside.map((inner) => [inner.name, hashOf(inner)]))
    whole.update(`${name}\0${hashOf(entry)}\0`)
  }
  return { whole: whole.digest('hex'), courses, portraits, stamped }
}

/** Only these courses are looked at again. */
export function hashAgain(folder: string, before: ContentHashes, ids: ReadonlySet<string>): ContentHashes {
  const unread = new Map([...before.courses].filter(([id]) => !ids.has(id)))
  const after = hashContent(folder, { known: before.stamped, unread })
  return { ...after, stamped: new Map([...before.stamped, ...after.stamped]) }
}

/** A file or folder; what is missing or closed has no `stats`. */
type Entry = { name: string; file: string; stats: Stats | null; inside: Entry[] }

function look(file: string, name: string, depth: number): Entry {
  const stats = orNull(() => statSync(file))
  const names = stats?.isDirectory() && depth > 0 ? listNames(file) : []
  return { name, file, stats, inside: names.map((inner) => look(path.join(file, inner), inner, depth - 1)) }
}

function hashByStamp(
  entry: Entry,
  { id, known, stamped, now }: { id: string; known: StampedHashes; stamped: Map<string, StampedHash>; now: number },
): string {
  const stamp = sha256(lookOf(entry))
  const before = known.get(id)
  const hash = before?.stamp === stamp ? before.hash : hashOf(entry)
  if (newestOf(entry) < now - settledMs) stamped.set(id, { stamp, hash })
  return hash
}

function lookOf({ name, stats, inside }: Entry): string {
  if (inside.length > 0 || stats?.isDirectory()) return `${name}/${inside.map(lookOf).join()}/..`
  return stats ? `${name}\0${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}` : name
}

function newestOf({ stats, inside }: Entry): number {
  return Math.max(stats?.ctimeMs ?? 0, ...inside.map(newestOf))
}

function hashOf({ name, file, stats, inside }: Entry): string {
  if (stats?.isDirectory()) return sha256(inside.map((inner) => `${inner.name}\0${hashOf(inner)}\0`).join(''))
  // A pipe or a device would be read without end.
  if (!stats?.isFile() || !/\.(yaml|md|vtt|svg)$/.test(name)) return String(stats?.size)
  return sha256(orNull(() => readFileSync(file)) ?? 'unreadable')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function listNames(folder: string): string[] {
  const names = orNull(() => readdirSync(folder)) ?? []
  return names.filter((name) => !isForeign(name)).sort()
}

/** What cannot be looked at is reported by whoever needs it. */
function orNull<Found>(look: () => Found): Found | null {
  try {
    return look()
  } catch {
    return null
  }
}
