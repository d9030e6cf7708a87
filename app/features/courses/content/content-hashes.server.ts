import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { getCurrencyDecimals } from '~/features/school/money'
import { siteCurrency } from '~/server/site/site.server'
import { isSystemFile } from './content-reader.server'

/** SHA-256 over names and files; the same on every machine. */
export type ContentHashes = {
  /** Over all files, with the decimal places of the currency that their prices are in. */
  whole: string
  /** Each over a course's folder, by id, in order. */
  courses: ReadonlyMap<string, string>
  /** By the name of their file, without its ending. */
  portraits: ReadonlyMap<string, string>
}

/** Deeper folders hold no content; it also ends a link that leads back up. */
const deepest = 6

/**
 * Over the files a course is read from, its folder and its instructor's portrait, and the
 * currency's decimal places.
 */
export function hashCourse(
  { courses, portraits }: ContentHashes,
  id: string,
  portrait: string | null,
): string {
  return sha256(
    `${portraits.get(`${portrait}`)}\0${courses.get(id)}\0${getCurrencyDecimals(siteCurrency())}`,
  )
}

/**
 * Hashes the names of all files, the bytes of texts and the sizes of the others, links followed,
 * foreign files left out.
 */
export function hashContent(folder: string): ContentHashes {
  const courses = new Map<string, string>()
  const portraits = new Map<string, string>()
  const whole = createHash('sha256')
  for (const name of listNames(folder)) {
    const place = path.join(folder, name)
    if (name === 'courses') {
      for (const id of listNames(place)) {
        const hash = hashOf(path.join(place, id), deepest - 1)
        whole.update(`${name}/${id}\0${hash}\0`)
        if (!orNull(() => statSync(path.join(place, id)))?.isFile()) {
          courses.set(id, hash)
        }
      }

      continue
    }

    if (name === 'instructors') {
      for (const inner of listNames(place)) {
        const { name: base } = path.parse(inner)
        portraits.set(
          base,
          `${portraits.get(base) ?? ''}${inner}\0${hashOf(path.join(place, inner), deepest - 1)}\0`,
        )
      }
    }

    whole.update(`${name}\0${hashOf(place, deepest)}\0`)
  }

  return {
    whole: `${whole.digest('hex')}.${getCurrencyDecimals(siteCurrency())}`,
    courses,
    portraits,
  }
}

/** The decimal places in a hash over all files; none in one from before they were part of it. */
export function getDecimalPlaces(whole: string): string | undefined {
  return whole.split('.')[1]
}

function hashOf(file: string, depth: number): string {
  const stats = orNull(() => statSync(file))
  if (stats?.isDirectory()) {
    const names = depth > 0 ? listNames(file) : []
    return sha256(
      names.map((name) => `${name}\0${hashOf(path.join(file, name), depth - 1)}\0`).join(''),
    )
  }

  // A pipe or a device would be read without end.
  if (!stats?.isFile() || !/\.(yaml|md|vtt|svg)$/.test(file)) {
    return String(stats?.size)
  }

  return sha256(orNull(() => readFileSync(file)) ?? 'unreadable')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function listNames(folder: string): string[] {
  const names = orNull(() => readdirSync(folder)) ?? []
  return names.filter((name) => !isSystemFile(name)).sort()
}

/** Unreadable files are reported when they are read. */
function orNull<Found>(look: () => Found): Found | null {
  try {
    return look()
  } catch {
    return null
  }
}
