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
type Read<Picture> =
  | { picture: Picture; problem?: undefined }
  | { picture?: undefined; problem: PictureProblem }

const maxSeconds = 10
/** Decoding a picture takes up to 200 MB, so only one runs at a time. */
const conversions = limitConcurrency(1, { name: 'photos', waiting: 20 })

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const isPng = (bytes: Buffer) => startsWith(bytes, '\x89PNG\r\n\x1a\n')

const pngTexts = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * Removes a PNG's text chunks. The decoder decompresses them before it knows the picture's size,
 * without a time limit.
 */
function withoutTexts(png: Buffer): Buffer {
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
 * By the first bytes, never by name or declared type: only these three decoders ever see an upload.
 */
function looksLikePhoto(bytes: Buffer): boolean {
  const jpeg = startsWith(bytes, '\xff\xd8\xff')
  const webp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  return jpeg || isPng(bytes) || webp
}

/**
 * Reads an upload: a JPEG, PNG or WebP.
 *
 * @param draw makes the stored file. The picture is upright, and has lost its metadata.
 */
export async function readUploadedPicture<Picture>(
  upload: File,
  { maxBytes, maxPixels }: { maxBytes: number; maxPixels: number },
  draw: (picture: Sharp) => Promise<Picture>,
): Promise<Read<Picture>> {
  if (upload.size > maxBytes) {
    return { problem: 'tooLarge' }
  }

  const sent = Buffer.from(await upload.arrayBuffer())
  if (!looksLikePhoto(sent)) {
    return { problem: 'wrongKind' }
  }

  const bytes = isPng(sent) ? withoutTexts(sent) : sent
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
): Promise<Read<Picture>> {
  const sharp = await loadSharp()
  try {
    // Reads only the header: nothing is decompressed yet.
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

    return { picture: await draw(picture.timeout({ seconds: maxSeconds }).rotate()) }
  } catch {
    return { problem: 'unreadable' }
  }
}
