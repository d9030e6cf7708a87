import { readFile } from 'node:fs/promises'
import { loadSharp } from '../drawing/sharp.server'

const maxPictureBytes = 2_000_000
const maxMegapixels = 25

/** What a picture has to be; `shape` is width through height. */
export type PictureRule = { minWidth: number; shape?: number; words: string }

/**
 * Reads a WebP picture to its last line.
 *
 * @returns a sentence with the repair, or null when it is good.
 */
export async function pictureProblem(path: string, bytes: number, rule: PictureRule): Promise<string | null> {
  if (bytes > maxPictureBytes)
    return `The picture is ${megabytes(bytes)} MB; the limit is ${megabytes(maxPictureBytes)} MB. Make it smaller.`
  const sharp = await loadSharp()
  // By its bytes: by its name sharp would remember the picture that was there before.
  const picture = sharp(await readFile(path), { failOn: 'error', limitInputPixels: maxMegapixels * 1_000_000 })
  const head = await picture.metadata().catch(() => null)
  if (!head) return 'This isn’t a readable picture, despite its name. Export it as WebP.'
  const { format, width, height, pages = 1 } = head
  if (format !== 'webp')
    return `This is a ${format.toUpperCase()} picture with the wrong extension. Convert it to WebP.`
  if (width * height > maxMegapixels * 1_000_000)
    return `The picture has ${width} x ${height} pixels; the limit is ${maxMegapixels} megapixels. Scale it down.`
  if (pages > 1) return 'The picture is animated. Export a single frame.'
  if (width < rule.minWidth || (rule.shape && Math.abs(width / height / rule.shape - 1) > 0.02))
    return `The picture has ${width} x ${height} pixels. Make it ${rule.words}.`
  const whole = await picture
    .resize(32)
    .raw()
    .toBuffer()
    .catch(() => null)
  return whole ? null : 'The picture is cut off or damaged. Export or copy it again.'
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}

/**
 * A drawing can carry programs and ask other hosts; both would run for whoever opens its address.
 *
 * @returns a sentence with the repair, or null when it is a still drawing.
 */
export function drawingProblem(text: string): string | null {
  const plain = text.replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_, hex, decimal) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  if (!/<(?:\w+:)?svg[\s>]/i.test(plain)) return 'This isn’t an SVG drawing, despite its name. Export it as SVG.'
  if (/<!(doctype|entity)/i.test(plain)) return 'The drawing defines entities. Export it as plain SVG.'
  if (/<(?:[\w-]+:)?(script|foreignobject|iframe|object|embed|handler|listener)\b/i.test(plain))
    return 'The drawing contains a script or a page. Export it without one.'
  if (/[\s"'/]on[a-z]+\s*=/i.test(plain))
    return 'The drawing has a script in an `on...` attribute. Delete the attribute.'
  if (/j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(plain))
    return 'The drawing has a script in a link. Delete the link.'
  const elsewhere =
    /(href|src)\s*=\s*["']?\s*(?!#|data:image\/(png|jpeg|webp))[^\s"'>]|url\(\s*["']?\s*(?!#)[^\s)]|@import/i
  return elsewhere.test(plain) ? 'The drawing refers to another file or host. Embed everything in it.' : null
}
