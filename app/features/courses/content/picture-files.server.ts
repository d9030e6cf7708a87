/**
 * Finds the pictures of the content folder.
 *
 * Browsers always get WebP. Pictures of other formats are converted at the first request, and the
 * result is stored in `DATA_DIR`.
 */

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sharp } from 'sharp'
import { loadSharp } from '~/server/drawing/sharp.server'
import { env } from '~/server/env.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { log } from '~/server/operations/log.server'

/** The extensions of pictures. If several files have the same name, the first extension counts. */
const pictureExtensions = ['webp', 'png', 'jpg', 'jpeg', 'avif', 'heic', 'heif']

export const bytesPerMegabyte = 1_000_000
export const pixelsPerMegapixel = 1_000_000

/** The limits of a picture that is converted. They are large enough for a camera's photo. */
export const maxSource = { bytes: 30 * bytesPerMegabyte, megapixels: 50 }

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
export async function openSource(bytes: Buffer): Promise<Sharp> {
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
