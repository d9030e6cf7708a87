import sharp from 'sharp'
import { photoMessages, photoRules } from './photo-rules'

type Converted = { photo: Buffer; problem?: undefined } | { photo?: undefined; problem: string; status: 413 | 415 }

/** More than any camera of a telephone gives; a picture that unfolds to more than that is an attack. */
const maxPixels = 60_000_000

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

/** By the first bytes, never by name or declared type: only these three decoders ever see an upload. */
function looksLikePhoto(bytes: Buffer): boolean {
  const jpeg = startsWith(bytes, '\xff\xd8\xff')
  const png = startsWith(bytes, '\x89PNG\r\n\x1a\n')
  const webp = startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)
  return jpeg || png || webp
}

/** A learner's upload as a square WebP without any of its metadata, turned as its camera said. */
export async function convertPhoto(upload: File): Promise<Converted> {
  if (upload.size > photoRules.maxBytes) return { problem: photoMessages.tooLarge, status: 413 }
  const bytes = Buffer.from(await upload.arrayBuffer())
  if (!looksLikePhoto(bytes)) return { problem: photoMessages.wrongKind, status: 415 }
  try {
    const photo = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize(photoRules.storedPixels, photoRules.storedPixels, { fit: 'cover', position: 'attention' })
      .webp({ quality: 84 })
      .toBuffer()
    return { photo }
  } catch {
    return { problem: photoMessages.unreadable, status: 415 }
  }
}
