/**
 * Checks that every picture of the content folder can be read and is large enough, and that no SVG
 * drawing has scripts or loads anything.
 */

import { readFile } from 'node:fs/promises'
import { loadSharp } from '~/server/drawing/sharp.server'
import { type ContentReader, explainFileError } from './content-reader.server'
import {
  bytesPerMegabyte,
  findPictureFile,
  maxSource,
  openSource,
  pixelsPerMegapixel,
} from './picture-files.server'

/** The limits of a WebP picture, which browsers get as it is. */
const maxWebp = { bytes: 2 * bytesPerMegabyte, megapixels: 25 }

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

/**
 * Reports what is wrong with a picture.
 *
 * @param repair a sentence that says what to do if the picture is missing
 */
export async function checkPicture(
  reader: ContentReader,
  file: string,
  rule: PictureRule,
  repair: string,
): Promise<void> {
  const pictureFile = (await findPictureFile(reader.resolvePath(''), file)) ?? file
  if (!reader.checkFile(pictureFile, repair)) {
    return
  }

  try {
    const problem = await findPictureProblem(reader.resolvePath(pictureFile), rule)
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
  const svg = await reader.readText(file)
  const problem = svg === null ? null : findDrawingProblem(svg)
  if (problem) {
    reader.report(file, problem)
  }
}

/**
 * An SVG file can contain scripts and load from other hosts, which would run in a browser that
 * opens its URL.
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
