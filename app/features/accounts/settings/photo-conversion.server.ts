import { loadSharp } from '~/server/drawing/sharp.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { photoRules } from '../account-rules'
import { photoMessages } from './settings-messages'

export type PhotoRefusal = { photo?: undefined; problem: string; status: 413 | 415 | 429 | 503 }
type Converted = { photo: Buffer; problem?: undefined } | PhotoRefusal

const maxSeconds = 10
/** Decoding a picture takes up to 200 MB, so only one runs at a time. */
const conversions = limitConcurrency(1, { name: 'photos', waiting: 20 })

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const isPng = (bytes: Buffer) => startsWith(bytes, '\x89PNG\r\n\x1a\n')

const pngTexts = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * Removes a PNG's text chunks. The decoder decompresses them before it knows the picture's size, without a time limit.
 */
function withoutTexts(png: Buffer): Buffer {
  const parts = [png.subarray(0, 8)]
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    if (!pngTexts.has(png.toString('latin1', at + 4, at + 8))) parts.push(png.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}

/** By the first bytes, never by name or declared type: only these three decoders ever see an upload. */
function looksLikePhoto(bytes: Buffer): boolean {
  const jpeg = startsWith(bytes, '\xff\xd8\xff')
  const webp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  return jpeg || isPng(bytes) || webp
}

/** A learner's upload as a square WebP without any of its metadata, turned as its camera said. */
export async function convertPhoto(upload: File): Promise<Converted> {
  if (upload.size > photoRules.maxBytes) return { problem: photoMessages.tooLarge, status: 413 }
  const sent = Buffer.from(await upload.arrayBuffer())
  if (!looksLikePhoto(sent)) return { problem: photoMessages.wrongKind, status: 415 }
  const bytes = isPng(sent) ? withoutTexts(sent) : sent
  try {
    return await conversions.run(() => decode(bytes))
  } catch (error) {
    if (error instanceof BusyError) return { problem: photoMessages.busy, status: 503 }
    throw error
  }
}

async function decode(bytes: Buffer): Promise<Converted> {
  const sharp = await loadSharp()
  try {
    // Reads only the header: nothing is decompressed yet.
    const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > photoRules.maxPixels) return { problem: photoMessages.tooManyPixels, status: 413 }
    if (pages > 1) return { problem: photoMessages.moving, status: 415 }
    const photo = await sharp(bytes, { limitInputPixels: photoRules.maxPixels, failOn: 'error', sequentialRead: true })
      .timeout({ seconds: maxSeconds })
      .rotate()
      .resize(photoRules.storedPixels, photoRules.storedPixels, { fit: 'cover', position: 'attention' })
      .webp({ quality: 84 })
      .toBuffer()
    return { photo }
  } catch {
    return { problem: photoMessages.unreadable, status: 415 }
  }
}
