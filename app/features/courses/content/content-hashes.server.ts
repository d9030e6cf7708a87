import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { getCurrencyDecimals } from '~/features/school/money'
import { siteCurrency } from '~/server/site/site.server'
import { isSystemFile } from './content-reader.server'

/** SHA-256 hashes over file names and contents. They are the same on every machine. */
export type ContentHashes = {
  /**
   * The hash over all files, followed by the number of decimal places of the site's currency.
   * Prices are read with that number, so another number makes other content.
   */
  content: string
  /** The hashes of the courses' folders, by course ID, in alphabetical order. */
  courses: ReadonlyMap<string, string>
  /** The hashes of the instructors' portraits, by file name without its extension. */
  portraits: ReadonlyMap<string, string>
  /** The number of decimal places of the site's currency. */
  decimalPlaces: number
}

/** Deeper folders hold no content. The limit also stops at a link that leads to its own parent. */
const maxFolderDepth = 6

/**
 * Hashes the names of all files, the bytes of text files and the sizes of other files. Links are
 * followed, and files of editors and operating systems are ignored.
 */
export function hashContent(folder: string): ContentHashes {
  const courses = new Map<string, string>()
  const portraits = new Map<string, string>()
  const decimalPlaces = getCurrencyDecimals(siteCurrency())
  const allFiles = createHash('sha256')

  for (const name of listNames(folder)) {
    const file = path.join(folder, name)
    if (name === 'courses') {
      hashCourseFolders(file, allFiles, courses)
      continue
    }

    if (name === 'instructors') {
      hashPortraits(file, portraits)
    }

    allFiles.update(`${name}\0${hashFile(file, maxFolderDepth)}\0`)
  }

  return {
    content: `${allFiles.digest('hex')}.${decimalPlaces}`,
    courses,
    portraits,
    decimalPlaces,
  }
}

/** Adds each entry of the folder to the hash of all files, and each folder in it to `courses`. */
function hashCourseFolders(
  coursesFolder: string,
  allFiles: Hash,
  courses: Map<string, string>,
): void {
  for (const id of listNames(coursesFolder)) {
    const courseFolder = path.join(coursesFolder, id)
    const hash = hashFile(courseFolder, maxFolderDepth - 1)
    allFiles.update(`courses/${id}\0${hash}\0`)

    const stats = nullIfUnreadable(() => statSync(courseFolder))
    if (!stats?.isFile()) {
      courses.set(id, hash)
    }
  }
}

/** Adds each portrait to `portraits`. Files that differ only in their extension share one entry. */
function hashPortraits(portraitsFolder: string, portraits: Map<string, string>): void {
  for (const fileName of listNames(portraitsFolder)) {
    const { name: portrait } = path.parse(fileName)
    const previousHash = portraits.get(portrait) ?? ''
    const hash = hashFile(path.join(portraitsFolder, fileName), maxFolderDepth - 1)
    portraits.set(portrait, `${previousHash}${fileName}\0${hash}\0`)
  }
}

/**
 * Hashes everything that a course is read from: its folder, its instructor's portrait and the
 * number of decimal places of the currency. If the currency changes while courses are read, their
 * hashes keep the previous number, so that the next load reads them again.
 */
export function hashCourse(
  { courses, portraits, decimalPlaces }: ContentHashes,
  id: string,
  portrait: string | null,
): string {
  return sha256(`${portraits.get(`${portrait}`)}\0${courses.get(id)}\0${decimalPlaces}`)
}

/**
 * Returns the number of decimal places at the end of the content's hash, or undefined for a
 * stored hash that was made before the number was added to it.
 */
export function getDecimalPlaces(contentHash: string): number | undefined {
  const [, decimalPlaces] = contentHash.split('.')
  return decimalPlaces === undefined ? undefined : Number(decimalPlaces)
}

function hashFile(file: string, remainingDepth: number): string {
  const stats = nullIfUnreadable(() => statSync(file))
  if (stats?.isDirectory()) {
    const names = remainingDepth > 0 ? listNames(file) : []
    const entries = names.map(
      (name) => `${name}\0${hashFile(path.join(file, name), remainingDepth - 1)}\0`,
    )
    return sha256(entries.join(''))
  }

  // Only regular files are read, because reading a pipe or a device would never end.
  if (!stats?.isFile() || !/\.(yaml|md|vtt|svg)$/.test(file)) {
    return String(stats?.size)
  }

  const bytes = nullIfUnreadable(() => readFileSync(file))
  return sha256(bytes ?? 'unreadable')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function listNames(folder: string): string[] {
  const names = nullIfUnreadable(() => readdirSync(folder)) ?? []
  return names.filter((name) => !isSystemFile(name)).sort()
}

/** Ignores errors here, because the content reader reports files that it can't read. */
function nullIfUnreadable<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch {
    return null
  }
}
