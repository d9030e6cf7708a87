import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Names that editors and systems leave behind: no content, wherever they lie. */
const foreignNames = [
  /^\./,
  /^#.*#$/,
  /~$/,
  /\.(sw[a-z]|tmp|temp|bak|orig|rej|part|crdownload)$/i,
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|node_modules|4913)$/i,
  /___jb_(tmp|old)___$/,
]

/** Whether a file or folder of this name is none of ours: `.DS_Store`, `Thumbs.db`, `course.yaml~`, `.git` ... */
export function isForeign(name: string): boolean {
  return foreignNames.some((pattern) => pattern.test(name))
}

/** The same for a path: one foreign part is enough. */
export function isForeignPath(file: string): boolean {
  return file.split(/[\\/]/).some(isForeign)
}

/** Deeper folders hold no content; it also ends a link that leads back up. */
const deepest = 6

/** `whole` stands for all files, `courses` for each folder of `courses/` with what it needs from outside. */
export type ContentHashes = { whole: string; courses: Map<string, string> }

/** SHA-256 over the content, see `hashContentByCourse`. */
export async function hashContent(folder: string): Promise<string> {
  return hashContentByCourse(folder).whole
}

/**
 * SHA-256 over the names of all files, the bytes of texts and the sizes of the others, links followed, foreign files left
 * out: quick to take, so that a start can skip the rest, and the same on every machine. It reads at once, without waiting
 * for each file in turn: 10,000 courses take two seconds.
 */
export function hashContentByCourse(folder: string): ContentHashes {
  const portraits = hashFolder(path.join(folder, 'instructors'), deepest)
  const courses = new Map<string, string>()
  const whole = createHash('sha256')
  for (const name of listNames(folder)) {
    if (name !== 'courses') {
      whole.update(`${name}\0${hashPath(path.join(folder, name), name, deepest)}\0`)
      continue
    }
    for (const id of listNames(path.join(folder, name))) {
      const hash = hashPath(path.join(folder, name, id), id, deepest - 1)
      whole.update(`${name}/${id}\0${hash}\0`)
      courses.set(id, createHash('sha256').update(`${portraits}\0${hash}`).digest('hex'))
    }
  }
  return { whole: whole.digest('hex'), courses }
}

function hashFolder(folder: string, depth: number): string {
  const hash = createHash('sha256')
  for (const name of depth === 0 ? [] : listNames(folder))
    hash.update(`${name}\0${hashPath(path.join(folder, name), name, depth - 1)}\0`)
  return hash.digest('hex')
}

function hashPath(file: string, name: string, depth: number): string {
  const found = orNull(() => statSync(file))
  if (found?.isDirectory()) return hashFolder(file, depth)
  // A pipe or a device would be read without end.
  if (!found?.isFile() || !/\.(yaml|md|vtt|svg)$/.test(name)) return String(found?.size)
  return createHash('sha256')
    .update(orNull(() => readFileSync(file)) ?? 'unreadable')
    .digest('hex')
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
