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

  const bytes = hasPngSignature(uploadedBytes) ? removePngTextChunks(uploadedBytes) : uploadedBytes
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

/**
 * Returns whether the first bytes are those of a JPEG, PNG or WebP. The name and the declared type
 * of an upload are not trusted, so only these three decoders ever see an upload.
 */
function isSupportedPicture(bytes: Buffer): boolean {
  const isJpeg = hasBytesAt(bytes, 0, '\xff\xd8\xff')
  const isWebp = hasBytesAt(bytes, 0, 'RIFF') && hasBytesAt(bytes, 8, 'WEBP')
  return isJpeg || hasPngSignature(bytes) || isWebp
}

function hasPngSignature(bytes: Buffer): boolean {
  return hasBytesAt(bytes, 0, '\x89PNG\r\n\x1a\n')
}

/** @param text the expected bytes, as Latin-1 characters */
function hasBytesAt(bytes: Buffer, offset: number, text: string): boolean {
  return bytes.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1'))
}

const pngTextChunkTypes = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * Removes a PNG's text chunks. The decoder decompresses them before it knows the picture's size,
 * without a time limit.
 */
function removePngTextChunks(png: Buffer): Buffer {
  const parts = [png.subarray(0, 8)]
  let start = 8
  // A chunk has its length, its type, its data and a checksum.
  while (start + 12 <= png.length) {
    const dataLength = png.readUInt32BE(start)
    const type = png.toString('latin1', start + 4, start + 8)
    const end = start + 12 + dataLength
    if (!pngTextChunkTypes.has(type)) {
      parts.push(png.subarray(start, end))
    }

    start = end
  }

  return Buffer.concat(parts)
}
