/**
 * Pictures of the content folder.
 *
 * Browsers always get WebP. Pictures of other formats are converted at the first request, and the
 * result is kept in `DATA_DIR`. The check of the content makes sure that every picture can be read
 * and is large enough, and that no SVG drawing has scripts or loads anything.
 */

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sharp } from 'sharp'
import { loadSharp } from '~/server/drawing/sharp.server'
import { env } from '~/server/env.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { log } from '~/server/operations/log.server'
import { type ContentReader, explainFileError } from './content-reader.server'

/** In the order in which a file is looked for. */
const pictureExtensions = ['webp', 'png', 'jpg', 'jpeg', 'avif', 'heic', 'heif']

const bytesPerMegabyte = 1_000_000
const pixelsPerMegapixel = 1_000_000

const maxWebp = { bytes: 2 * bytesPerMegabyte, megapixels: 25 }
/** The limits of a picture that is converted. They are large enough for a camera's photo. */
const maxSource = { bytes: 30 * bytesPerMegabyte, megapixels: 50 }

/**
 * Returns the path of a picture as browsers get it, which is a WebP file.
 *
 * @param file the path in the content folder
 * @returns null if there is no such picture, or it can't be read
 * @throws {BusyError} while many other pictures are converted
 */
export async function findPicture(contentFolder: string, file: string): Promise<string | null> {
  const pictureFile = await findPictureFile(contentFolder, file)
  if (!pictureFile) {
    return null
  }

  const source = path.join(contentFolder, pictureFile)
  const isWebp = pictureFile.toLowerCase().endsWith('.webp')

  return isWebp ? source : convertPicture(source, getDisplaySize(file))
}

/**
 * Finds the file from which a picture is made. For `name.webp` this may be a picture of the same
 * name in another format. A large cover may be made from the smaller cover.
 *
 * @param file the path in the content folder
 * @returns the path of the file in the content folder, or null if there is none
 */
export async function findPictureFile(contentFolder: string, file: string): Promise<string | null> {
  const { dir, base } = path.posix.parse(file)
  const names = await readdir(path.join(contentFolder, dir)).catch((): string[] => [])
  const name = findPictureName(names, base)

  return name && path.posix.join(dir, name)
}

/** Finds the picture as `findPictureFile` does, among the names of the files in its folder. */
export function findPictureName(names: readonly string[], pictureName: string): string | null {
  if (names.includes(pictureName)) {
    return pictureName
  }

  const { name: baseName, ext } = path.posix.parse(pictureName)
  if (ext !== '.webp') {
    return null
  }

  const baseNames = baseName === 'cover-1280' ? [baseName, 'cover'] : [baseName]
  const possibleNames = baseNames.flatMap((possibleBaseName) =>
    pictureExtensions.map((extension) => `${possibleBaseName}.${extension}`.toLowerCase()),
  )
  for (const possibleName of possibleNames) {
    const matchingName = names.find((name) => name.toLowerCase() === possibleName)
    if (matchingName !== undefined) {
      return matchingName
    }
  }

  return null
}

/** A picture with a height is cut to this size. Without a height, it is at most this wide. */
type DisplaySize = { width: number; height?: number }

function getDisplaySize(file: string): DisplaySize {
  if (/^courses\/[^/]+\/cover\.\w+$/.test(file)) {
    return { width: 640, height: 360 }
  }

  if (/^courses\/[^/]+\/cover-1280\.\w+$/.test(file)) {
    return { width: 1280, height: 720 }
  }

  return file.startsWith('instructors/') ? { width: 320, height: 320 } : { width: 1600 }
}

const conversionQueue = limitConcurrency(1, { name: 'pictures', maxWaiting: 200 })
/** The conversions in progress, by the path of the converted file. */
const currentConversions = new Map<string, Promise<string | null>>()
/** The converted files that can't be made. Each version of a picture is tried and logged once. */
const failedConversions = new Set<string>()

/** Returns the path of the converted picture; null if it can't be read. */
async function convertPicture(source: string, size: DisplaySize): Promise<string | null> {
  const convertedFile = await getConvertedFile(source, size)
  if (failedConversions.has(convertedFile)) {
    return null
  }

  if (await stat(convertedFile).catch(() => null)) {
    return convertedFile
  }

  const conversion =
    currentConversions.get(convertedFile) ??
    conversionQueue.run(() => writeConvertedPicture(source, size, convertedFile))
  currentConversions.set(convertedFile, conversion)

  return conversion.finally(() => currentConversions.delete(convertedFile))
}

/** The file's name has a hash of the picture and a hash of its version, with a hyphen between. */
async function getConvertedFile(source: string, { width, height }: DisplaySize): Promise<string> {
  const { mtimeMs, size: bytes } = await stat(source)
  const pictureHash = sha256([source, width, height].join('\0')).slice(0, 40)
  const versionHash = sha256(`${mtimeMs} ${bytes}`).slice(0, 16)

  return path.join(env.DATA_DIR, 'pictures', `${pictureHash}-${versionHash}.webp`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function writeConvertedPicture(
  source: string,
  size: DisplaySize,
  convertedFile: string,
): Promise<string | null> {
  let picture: Buffer
  try {
    picture = await drawConvertedPicture(source, size)
  } catch (error) {
    log.warn(
      { file: source, reason: (error as Error).message },
      'a picture of the content can’t be read',
    )
    failedConversions.add(convertedFile)
    return null
  }

  const folder = path.dirname(convertedFile)
  await mkdir(folder, { recursive: true })
  // The file gets its name when it is complete, because another process may read it at any time.
  const temporaryFile = `${convertedFile}.${process.pid}.tmp`
  await writeFile(temporaryFile, picture)
  await rename(temporaryFile, convertedFile)
  await removeEarlierVersions(folder, path.basename(convertedFile))

  return convertedFile
}

async function drawConvertedPicture(
  source: string,
  { width, height }: DisplaySize,
): Promise<Buffer> {
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
 * Opens a picture that is to be converted. HEIC, the format of photos from iPhones, is decoded by
 * libheif, because sharp is built without HEVC.
 */
async function openSource(bytes: Buffer): Promise<Sharp> {
  const sharp = await loadSharp()
  const maxPixels = maxSource.megapixels * pixelsPerMegapixel
  const picture = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels })
  const { compression, width, height } = await picture.metadata()
  if (compression !== 'hevc') {
    return picture
  }

  if (width * height > maxPixels) {
    throw new Error('It has too many pixels.')
  }

  const { default: decodeHeic } = await import('heic-decode')
  const decoded = await decodeHeic({ buffer: bytes })

  return sharp(decoded.data, { raw: { width: decoded.width, height: decoded.height, channels: 4 } })
}

async function removeEarlierVersions(folder: string, convertedName: string): Promise<void> {
  const [pictureHash] = convertedName.split('-')
  const names = await readdir(folder)
  const earlierNames = names.filter(
    (name) => name.startsWith(`${pictureHash}-`) && name !== convertedName,
  )

  await Promise.all(earlierNames.map((name) => rm(path.join(folder, name), { force: true })))
}

type PictureRule = {
  minWidth: number
  /** The width divided by the height. A converted picture is cut to it. */
  aspectRatio?: number
  description: string
}

/** How far the aspect ratio of a WebP picture may be off, because it is not cut. */
const aspectRatioTolerance = 0.02

function coverRule(minWidth: number): PictureRule {
  return {
    minWidth,
    aspectRatio: 16 / 9,
    description: `at least ${minWidth} x ${(minWidth * 9) / 16} pixels, at a ratio of 16:9`,
  }
}

export const pictureRules = {
  cover: coverRule(640),
  largeCover: coverRule(1280),
  portrait: {
    minWidth: 160,
    aspectRatio: 1,
    description: 'a square of at least 160 x 160 pixels',
  },
  poster: { minWidth: 320, description: 'at least 320 pixels wide' },
  figure: { minWidth: 1, description: 'at least one pixel wide' },
} satisfies Record<string, PictureRule>

/** Reports what is wrong with a picture. @param repair what to do if the picture is missing */
export async function checkPicture(
  reader: ContentReader,
  file: string,
  rule: PictureRule,
  repair: string,
): Promise<void> {
  const pictureFile = (await findPictureFile(reader.path(''), file)) ?? file
  if (!reader.expect(pictureFile, repair)) {
    return
  }

  try {
    const problem = await findPictureProblem(reader.path(pictureFile), rule)
    if (problem) {
      reader.report(pictureFile, problem)
    }
  } catch (error) {
    reader.report(pictureFile, explainFileError(error))
  }
}

/** Reads the whole picture. Returns a sentence that says what to do; null if nothing is wrong. */
async function findPictureProblem(file: string, rule: PictureRule): Promise<string | null> {
  const isWebp = file.toLowerCase().endsWith('.webp')
  const limits = isWebp ? maxWebp : maxSource
  // sharp gets the bytes, because it caches by file name and would return the previous picture.
  const bytes = await readFile(file)
  if (bytes.length > limits.bytes) {
    return `The picture is ${(bytes.length / bytesPerMegabyte).toFixed(1)} MB; the limit is ${limits.bytes / bytesPerMegabyte} MB. Make it smaller.`
  }

  const sharp = await loadSharp()
  const metadata = await sharp(bytes)
    .metadata()
    .catch(() => null)
  if (!metadata) {
    return 'This isn’t a readable picture, despite its name. Export it as PNG, JPEG or WebP.'
  }

  if (isWebp && metadata.format !== 'webp') {
    return `This is a ${metadata.format.toUpperCase()} picture with the wrong extension. Rename it, or convert it to WebP.`
  }

  const { width, height } = metadata.autoOrient
  if (width * height > limits.megapixels * pixelsPerMegapixel) {
    return `The picture has ${width} x ${height} pixels; the limit is ${limits.megapixels} megapixels. Scale it down.`
  }

  if ((metadata.pages ?? 1) > 1) {
    return 'The picture is animated. Export a single frame.'
  }

  if (!fitsRule({ width, height, isWebp }, rule)) {
    return `The picture has ${width} x ${height} pixels. Make it ${rule.description}.`
  }

  const canDecode = await openSource(bytes)
    .then((picture) => picture.resize(32).raw().toBuffer())
    .then(
      () => true,
      () => false,
    )

  return canDecode ? null : 'The picture is cut off or damaged. Export or copy it again.'
}

function fitsRule(
  { width, height, isWebp }: { width: number; height: number; isWebp: boolean },
  { minWidth, aspectRatio }: PictureRule,
): boolean {
  if (aspectRatio === undefined) {
    return width >= minWidth
  }

  const isLargeEnough = width >= minWidth && height >= Math.floor(minWidth / aspectRatio)
  const deviation = Math.abs(width / height / aspectRatio - 1)

  return isLargeEnough && (!isWebp || deviation <= aspectRatioTolerance)
}

/** Reports an SVG file that is more than a still drawing. */
export async function checkDrawing(reader: ContentReader, file: string): Promise<void> {
  const svg = await reader.text(file)
  const problem = svg === null ? null : findDrawingProblem(svg)
  if (problem) {
    reader.report(file, problem)
  }
}

/**
 * An SVG file can contain scripts and load from other hosts, which would run in a browser that opens
 * its URL.
 *
 * @returns a sentence that says what to do; null for a still drawing
 */
function findDrawingProblem(svg: string): string | null {
  const decodedSvg = decodeCharacterReferences(svg)
  if (!/<(?:\w+:)?svg[\s>]/i.test(decodedSvg)) {
    return 'This isn’t an SVG drawing, despite its name. Export it as SVG.'
  }

  if (/<!(doctype|entity)/i.test(decodedSvg)) {
    return 'The drawing defines entities. Export it as plain SVG.'
  }

  const activeElement =
    /<(?:[\w-]+:)?(script|foreignobject|iframe|object|embed|handler|listener)\b/i
  if (activeElement.test(decodedSvg)) {
    return 'The drawing contains a script or a page. Export it without one.'
  }

  if (/[\s"'/]on[a-z]+\s*=/i.test(decodedSvg)) {
    return 'The drawing has a script in an `on...` attribute. Delete the attribute.'
  }

  if (/j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(decodedSvg)) {
    return 'The drawing has a script in a link. Delete the link.'
  }

  const externalReference =
    /(href|src)\s*=\s*["']?\s*(?!#|data:image\/(png|jpeg|webp))[^\s"'>]|url\(\s*["']?\s*(?!#)[^\s)"']|@import/i

  return externalReference.test(decodedSvg)
    ? 'The drawing refers to another file or host. Embed everything in it.'
    : null
}

const maxCodePoint = 0x10ffff

/** Replaces references like `&#106;`, with which a script could hide from the patterns. */
function decodeCharacterReferences(svg: string): string {
  return svg.replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_reference, hexadecimal, decimal) => {
    const codePoint = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return codePoint <= maxCodePoint ? String.fromCodePoint(codePoint) : ''
  })
}
