import type { Sharp } from 'sharp'
import { BusyError, limitConcurrency } from '../http/limit-concurrency.server'
import { loadSharp } from './sharp.server'

export type PictureProblem =
  | 'tooLarge'
  | 'wrongKind'
  | 'tooManyPixels'
  | 'moving'
  | 'unreadable'
  | 'busy'
type PictureResult<Picture> =
  | { picture: Picture; problem?: undefined }
  | { picture?: undefined; problem: PictureProblem }

const maxDecodingSeconds = 10
/** Decoding a picture takes up to 200 MB, so only one runs at a time. */
const conversions = limitConcurrency(1, { name: 'photos', maxWaiting: 20 })

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const hasPngSignature = (bytes: Buffer) => startsWith(bytes, '\x89PNG\r\n\x1a\n')

const pngTexts = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * Removes a PNG's text chunks. The decoder decompresses them before it knows the picture's size,
 * without a time limit.
 */
function removePngTexts(png: Buffer): Buffer {
  const parts = [png.subarray(0, 8)]
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    if (!pngTexts.has(png.toString('latin1', at + 4, at + 8))) {
      parts.push(png.subarray(at, end))
    }

    at = end
  }

  return Buffer.concat(parts)
}

/**
 * Returns whether the first bytes are those of a JPEG, PNG or WebP. The name and the declared type
 * of an upload are not trusted, so only these three decoders ever see an upload.
 */
function isSupportedPicture(bytes: Buffer): boolean {
  const isJpeg = startsWith(bytes, '\xff\xd8\xff')
  const isWebp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  return isJpeg || hasPngSignature(bytes) || isWebp
}

/**
 * Reads an uploaded JPEG, PNG or WebP.
 *
 * @param draw makes the stored file from the picture, which is upright and has no metadata
 */
export async function readUploadedPicture<Picture>(
  upload: File,
  { maxBytes, maxPixels }: { maxBytes: number; maxPixels: number },
  draw: (picture: Sharp) => Promise<Picture>,
): Promise<PictureResult<Picture>> {
  if (upload.size > maxBytes) {
    return { problem: 'tooLarge' }
  }

  const uploadedBytes = Buffer.from(await upload.arrayBuffer())
  if (!isSupportedPicture(uploadedBytes)) {
    return { problem: 'wrongKind' }
  }

  const bytes = hasPngSignature(uploadedBytes) ? removePngTexts(uploadedBytes) : uploadedBytes
  try {
    return await conversions.run(() => decode(bytes, maxPixels, draw))
  } catch (error) {
    if (error instanceof BusyError) {
      return { problem: 'busy' }
    }

    throw error
  }
}

async function decode<Picture>(
  bytes: Buffer,
  maxPixels: number,
  draw: (picture: Sharp) => Promise<Picture>,
): Promise<PictureResult<Picture>> {
  const sharp = await loadSharp()
  try {
    // This reads only the header. Nothing is decompressed yet.
    const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > maxPixels) {
      return { problem: 'tooManyPixels' }
    }

    if (pages > 1) {
      return { problem: 'moving' }
    }

    const picture = sharp(bytes, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      sequentialRead: true,
    })

    return { picture: await draw(picture.timeout({ seconds: maxDecodingSeconds }).rotate()) }
  } catch {
    return { problem: 'unreadable' }
  }
}
