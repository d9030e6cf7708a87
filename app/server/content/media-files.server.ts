import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { loadSharp } from '../drawing/sharp.server'
import { isRelease } from '../operations/product-folder.server'
import { type ContentReader, reasonOf } from './content-reader.server'
import { FilmProblem } from './film'
import { readFilm } from './film-file.server'

const maxPictureBytes = 2_000_000
const maxMegapixels = 25

/** Requirements for a picture; `shape` is width divided by height. */
type PictureRule = { minWidth: number; shape?: number; words: string }

/** The allowed difference, in seconds, from the declared length: players round, and encoders pad the last frame. */
const toleranceSeconds = 1

/** Ends a sentence about a missing picture or video. A release has no command to create one. */
export const orDrawIt = isRelease ? '.' : ', or create it: npm run media'

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
} satisfies Record<string, PictureRule>

/** Results by file, mtime and size, so that an unchanged file is checked once. */
const known = new Map<string, Promise<unknown>>()
const maxKnown = 20_000

function once<Result>(path: string, about: string, read: (bytes: number) => Promise<Result>): Promise<Result> {
  const { mtimeMs, size } = statSync(path)
  const key = `${path} ${about} ${mtimeMs} ${size}`
  const before = known.get(key) as Promise<Result> | undefined
  if (before) return before
  if (known.size > maxKnown) known.clear()
  const result = read(size)
  known.set(key, result)
  // Temporary failures are tried again.
  result.catch(() => known.delete(key))
  return result
}

export async function checkPicture(reader: ContentReader, file: string, rule: PictureRule, repair: string) {
  if (!reader.expect(file, repair)) return
  const path = reader.path(file)
  try {
    const problem = await once(path, rule.words, (bytes) => pictureProblem(path, bytes, rule))
    if (problem) reader.report(file, problem)
  } catch (error) {
    reader.report(file, reasonOf(error))
  }
}

export async function checkDrawing(reader: ContentReader, file: string) {
  const text = await reader.text(file)
  const problem = text === null ? null : drawingProblem(text)
  if (problem) reader.report(file, problem)
}

/** @param declaredSeconds of the lesson. A lesson longer than its film could never be finished. */
export async function checkFilms(reader: ContentReader, base: string, declaredSeconds: number, repair: string) {
  const lengths = await Promise.all((['webm', 'mp4'] as const).map((kind) => filmSeconds(reader, base, kind, repair)))
  const [webm, mp4] = lengths
  for (const [index, seconds] of lengths.entries()) {
    if (seconds === null || Math.abs(seconds - declaredSeconds) <= toleranceSeconds) continue
    reader.report(
      `${base}.${index === 0 ? 'webm' : 'mp4'}`,
      `The film lasts ${rounded(seconds)} s, but its lesson says ${declaredSeconds} s. Write \`durationSeconds: ${Math.max(1, Math.round(seconds))}\` in the lesson, or export the film again.`,
    )
  }
  if (webm != null && mp4 != null && Math.abs(webm - mp4) > toleranceSeconds) {
    const problem = `The film lasts ${rounded(mp4)} s here and ${rounded(webm)} s in the .webm. Export both from the same film.`
    reader.report(`${base}.mp4`, problem)
  }
}

async function filmSeconds(reader: ContentReader, base: string, kind: 'webm' | 'mp4', repair: string) {
  const file = `${base}.${kind}`
  if (!reader.expect(file, repair)) return null
  const path = reader.path(file)
  try {
    const result = await once(path, 'film', () =>
      readFilm(path, kind).catch((error: unknown) => {
        if (error instanceof FilmProblem) return error.message
        throw error
      }),
    )
    if (typeof result === 'number') return result
    reader.report(file, result)
  } catch (error) {
    reader.report(file, reasonOf(error))
  }
  return null
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

/**
 * Reads a WebP picture to its last line.
 *
 * @returns a sentence with the repair, or null when it is good.
 */
async function pictureProblem(path: string, bytes: number, rule: PictureRule): Promise<string | null> {
  if (bytes > maxPictureBytes)
    return `The picture is ${megabytes(bytes)} MB; the limit is ${megabytes(maxPictureBytes)} MB. Make it smaller.`
  const sharp = await loadSharp()
  // Pass bytes, because sharp caches by file name and would return the former picture.
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
 * An SVG can contain scripts and load from other hosts, which would run in a browser that opens its address.
 *
 * @returns a sentence with the repair, or null when it is a still drawing.
 */
function drawingProblem(text: string): string | null {
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
