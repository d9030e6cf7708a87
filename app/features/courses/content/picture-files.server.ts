import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sharp } from 'sharp'
import { loadSharp } from '~/server/drawing/sharp.server'
import { env } from '~/server/env.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { log } from '~/server/operations/log.server'
import { type ContentReader, explainFileError } from './content-reader.server'

/**
 * Kinds of pictures, in the order in which a file is looked for. Only WebP is sent as it is; others
 * are converted.
 */
const endings = ['webp', 'png', 'jpg', 'jpeg', 'avif', 'heic', 'heif']

const megabyte = 1_000_000
const maxWebp = { bytes: 2 * megabyte, megapixels: 25 }
/** Of a picture that is converted: a camera's photo fits. */
const maxSource = { bytes: 30 * megabyte, megapixels: 50 }

/** How a picture is shown: cut to a size, or at most so wide. */
type Size = { width: number; height?: number }

function sizeOf(file: string): Size {
  if (/^courses\/[^/]+\/cover\.\w+$/.test(file)) {
    return { width: 640, height: 360 }
  }

  if (/^courses\/[^/]+\/cover-1280\.\w+$/.test(file)) {
    return { width: 1280, height: 720 }
  }

  return file.startsWith('instructors/') ? { width: 320, height: 320 } : { width: 1600 }
}

/**
 * Finds the file of a picture: itself, or for `name.webp` a picture of this name and another kind.
 * The large cover may be made of the small one's file.
 *
 * @param file from the content folder on.
 * @returns likewise; null if there is none.
 */
export async function findPictureFile(folder: string, file: string): Promise<string | null> {
  const { dir, base } = path.posix.parse(file)
  const names = await readdir(path.join(folder, dir)).catch((): string[] => [])
  const found = findPictureName(names, base)

  return found && path.posix.join(dir, found)
}

/** The same among the names of the files of a folder. */
export function findPictureName(names: readonly string[], base: string): string | null {
  if (names.includes(base)) {
    return base
  }

  const { name, ext } = path.posix.parse(base)
  if (ext !== '.webp') {
    return null
  }

  const wanted = [name, ...(name === 'cover-1280' ? ['cover'] : [])].flatMap((each) =>
    endings.map((ending) => `${each}.${ending}`),
  )
  const fileOf = (each: string) => names.find((other) => other.toLowerCase() === each.toLowerCase())

  return wanted.flatMap((each) => fileOf(each) ?? [])[0] ?? null
}

/**
 * Finds a picture as browsers get it, as WebP. Other kinds are converted when they are first asked
 * for, and kept in `DATA_DIR`.
 *
 * @param file from the content folder on.
 * @returns the path of the file to send; null if there is none, or it can't be read as a picture.
 * @throws {BusyError} while many others are converted.
 */
export async function findPicture(folder: string, file: string): Promise<string | null> {
  const found = await findPictureFile(folder, file)
  if (!found) {
    return null
  }

  const source = path.join(folder, found)

  return found.toLowerCase().endsWith('.webp') ? source : convert(source, sizeOf(file))
}

const conversions = limitConcurrency(1, { name: 'pictures', waiting: 200 })
const running = new Map<string, Promise<string | null>>()
/** Files that can't be converted; each version of a picture is tried, and logged, once. */
const unreadable = new Set<string>()

async function convert(source: string, size: Size): Promise<string | null> {
  const { mtimeMs, size: bytes } = await stat(source)
  const picture = createHash('sha256')
    .update([source, size.width, size.height].join('\0'))
    .digest('hex')
    .slice(0, 40)
  const version = createHash('sha256').update(`${mtimeMs} ${bytes}`).digest('hex').slice(0, 16)
  const file = path.join(env.DATA_DIR, 'pictures', `${picture}-${version}.webp`)
  if (unreadable.has(file)) {
    return null
  }

  if (await stat(file).catch(() => null)) {
    return file
  }

  const conversion = running.get(file) ?? conversions.run(() => writeConverted(source, size, file))
  running.set(file, conversion)

  return conversion.finally(() => running.delete(file))
}

async function writeConverted(source: string, size: Size, file: string): Promise<string | null> {
  const picture = await drawConverted(source, size).catch((error) => {
    log.warn(
      { file: source, reason: (error as Error).message },
      'a picture of the content can’t be read',
    )
    unreadable.add(file)
    return null
  })

  if (!picture) {
    return null
  }

  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true })
  // Renamed when it is whole: another process may read it at once.
  const unfinished = `${file}.${process.pid}.tmp`
  await writeFile(unfinished, picture)
  await rename(unfinished, file)
  await removeEarlier(folder, path.basename(file))

  return file
}

/** Pictures that were made of earlier versions of a file. */
async function removeEarlier(folder: string, made: string): Promise<void> {
  const [picture = ''] = made.split('-')
  const others = (await readdir(folder)).filter(
    (name) => name.startsWith(`${picture}-`) && name !== made,
  )
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })))
}

async function drawConverted(source: string, { width, height }: Size): Promise<Buffer> {
  if ((await stat(source)).size > maxSource.bytes) {
    throw new Error('It is too large.')
  }

  const picture = await openSource(await readFile(source))

  return picture
    .autoOrient()
    .resize({ width, height, fit: 'cover', withoutEnlargement: height === undefined })
    .webp({ quality: 82 })
    .toBuffer()
}

/**
 * Opens a picture that is converted. HEIC, as iPhones take photos, is decoded by libheif: sharp's
 * own build has no HEVC.
 */
async function openSource(bytes: Buffer): Promise<Sharp> {
  const sharp = await loadSharp()
  const limits = { failOn: 'error', limitInputPixels: maxSource.megapixels * 1_000_000 } as const
  const picture = sharp(bytes, limits)
  const { compression, width, height } = await picture.metadata()
  if (compression !== 'hevc') {
    return picture
  }

  if (width * height > limits.limitInputPixels) {
    throw new Error('It has too many pixels.')
  }

  const { default: decodeHeic } = await import('heic-decode')
  const decoded = await decodeHeic({ buffer: bytes })

  return sharp(decoded.data, { raw: { width: decoded.width, height: decoded.height, channels: 4 } })
}

/**
 * Requirements for a picture; `shape` is width divided by height, which a converted picture is cut
 * to.
 */
type PictureRule = { minWidth: number; shape?: number; words: string }

const cover = (width: number): PictureRule => ({
  minWidth: width,
  shape: 16 / 9,
  words: `at least ${width} x ${(width * 9) / 16} pixels, at a ratio of 16:9`,
})
export const pictureRules = {
  cover: cover(640),
  largeCover: cover(1280),
  portrait: { minWidth: 160, shape: 1, words: 'a square of at least 160 x 160 pixels' },
  poster: { minWidth: 320, words: 'at least 320 pixels wide' },
  figure: { minWidth: 1, words: 'at least one pixel wide' },
} satisfies Record<string, PictureRule>

/** Reports what is wrong with a picture. @param repair what to do if it is missing. */
export async function checkPicture(
  reader: ContentReader,
  file: string,
  rule: PictureRule,
  repair: string,
) {
  const found = (await findPictureFile(reader.path(''), file)) ?? file
  if (!reader.expect(found, repair)) {
    return
  }

  try {
    const problem = await pictureProblem(reader.path(found), rule)
    if (problem) {
      reader.report(found, problem)
    }
  } catch (error) {
    reader.report(found, explainFileError(error))
  }
}

/**
 * Reads a picture to its last line.
 *
 * @returns a sentence with the repair, or null when it is good.
 */
async function pictureProblem(file: string, rule: PictureRule): Promise<string | null> {
  const isWebp = file.toLowerCase().endsWith('.webp')
  const most = isWebp ? maxWebp : maxSource
  // Pass bytes, because sharp caches by file name and would return the former picture.
  const bytes = await readFile(file)
  if (bytes.length > most.bytes) {
    return `The picture is ${(bytes.length / megabyte).toFixed(1)} MB; the limit is ${most.bytes / megabyte} MB. Make it smaller.`
  }

  const sharp = await loadSharp()
  const head = await sharp(bytes)
    .metadata()
    .catch(() => null)
  if (!head) {
    return 'This isn’t a readable picture, despite its name. Export it as PNG, JPEG or WebP.'
  }

  if (isWebp && head.format !== 'webp') {
    return `This is a ${head.format.toUpperCase()} picture with the wrong extension. Rename it, or convert it to WebP.`
  }

  const { width, height } = head.autoOrient
  if (width * height > most.megapixels * 1_000_000) {
    return `The picture has ${width} x ${height} pixels; the limit is ${most.megapixels} megapixels. Scale it down.`
  }

  if ((head.pages ?? 1) > 1) {
    return 'The picture is animated. Export a single frame.'
  }

  const { minWidth, shape } = rule
  const isSmall = width < minWidth || (shape !== undefined && height < Math.floor(minWidth / shape))
  if (isSmall || (isWebp && shape && Math.abs(width / height / shape - 1) > 0.02)) {
    return `The picture has ${width} x ${height} pixels. Make it ${rule.words}.`
  }

  const whole = await openSource(bytes)
    .then((picture) => picture.resize(32).raw().toBuffer())
    .catch(() => null)

  return whole ? null : 'The picture is cut off or damaged. Export or copy it again.'
}

export async function checkDrawing(reader: ContentReader, file: string) {
  const text = await reader.text(file)
  const problem = text === null ? null : drawingProblem(text)
  if (problem) {
    reader.report(file, problem)
  }
}

/**
 * An SVG can contain scripts and load from other hosts, which would run in a browser that opens its
 * address.
 *
 * @returns a sentence with the repair, or null when it is a still drawing.
 */
function drawingProblem(text: string): string | null {
  const plain = text.replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_, hex, decimal) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  if (!/<(?:\w+:)?svg[\s>]/i.test(plain)) {
    return 'This isn’t an SVG drawing, despite its name. Export it as SVG.'
  }

  if (/<!(doctype|entity)/i.test(plain)) {
    return 'The drawing defines entities. Export it as plain SVG.'
  }

  if (/<(?:[\w-]+:)?(script|foreignobject|iframe|object|embed|handler|listener)\b/i.test(plain)) {
    return 'The drawing contains a script or a page. Export it without one.'
  }

  if (/[\s"'/]on[a-z]+\s*=/i.test(plain)) {
    return 'The drawing has a script in an `on...` attribute. Delete the attribute.'
  }

  if (/j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(plain)) {
    return 'The drawing has a script in a link. Delete the link.'
  }

  const elsewhere =
    /(href|src)\s*=\s*["']?\s*(?!#|data:image\/(png|jpeg|webp))[^\s"'>]|url\(\s*["']?\s*(?!#)[^\s)]|@import/i

  return elsewhere.test(plain)
    ? 'The drawing refers to another file or host. Embed everything in it.'
    : null
}
