import type { SiteLogo } from '../site/brand-files.server'
import { siteName, usesLearnifyLogo } from '../site/site.server'
import { type DrawingFonts, measureWidth } from './drawing-fonts.server'

type MarkPlace = {
  /** The upper left corner. */
  x: number
  y: number
  height: number
  /** The most that the mark and the name may take together. */
  maxWidth: number
}

/**
 * Draws the school's logo and name for a dark picture, as SVG. Learnify's mark stands only beside
 * Learnify's own name.
 *
 * @param logo the logo for dark backgrounds, as PNG
 */
export function drawSchoolMark(
  fonts: DrawingFonts,
  logo: SiteLogo | null,
  { x, y, height, maxWidth }: MarkPlace,
): string {
  const drawName = (nameX: number) =>
    drawTextOutline(fonts, siteName(), {
      x: nameX,
      y: y + height * 0.77,
      fontSize: height * 0.72,
      fill: '#f2f2f8',
      maxWidth: maxWidth - (nameX - x),
    })

  if (logo) {
    const scale = Math.min(height / logo.height, maxWidth / logo.width)
    const logoWidth = logo.width * scale
    const logoHeight = logo.height * scale
    const logoY = y + (height - logoHeight) / 2
    const url = `data:image/png;base64,${logo.bytes.toString('base64')}`
    const image = `<image x="${x}" y="${logoY}" width="${logoWidth}" height="${logoHeight}" href="${url}"/>`

    // A wide logo contains the name.
    return logo.isWide ? image : image + drawName(x + logoWidth + height * 0.36)
  }

  if (!usesLearnifyLogo()) {
    return drawName(x)
  }

  return `<g transform="translate(${x} ${y}) scale(${height / 32})"><rect width="32" height="32" rx="9" fill="#7b6cff"/>
    <rect x="6" y="6" width="6" height="20" rx="3" fill="#fff"/>
    <path d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z" fill="#d3ceff"/></g>${drawName(x + height * 1.36)}`
}

type TextPlace = {
  /** The left end of the baseline. */
  x: number
  y: number
  fontSize: number
  fill: string
  maxWidth: number
}

/**
 * Draws a line of text as SVG paths. A line that would be too wide gets a smaller font size. A text
 * in a script without a font gives an empty string.
 */
export function drawTextOutline(
  fonts: DrawingFonts,
  text: string,
  { x, y, fontSize, fill, maxWidth }: TextPlace,
): string {
  const runs = fonts.runs(text)
  if (!runs) {
    return ''
  }

  const fittingSize = Math.min(fontSize, maxWidth / measureWidth(runs))
  let glyphX = x
  const paths = runs.flatMap(({ font, text: part }) => {
    const scale = fittingSize / font.unitsPerEm
    const { glyphs, positions } = font.layout(part)

    return glyphs.map((glyph, index) => {
      const position = positions[index]
      const shiftedX = glyphX + (position?.xOffset ?? 0) * scale
      glyphX += (position?.xAdvance ?? 0) * scale

      return `<path transform="translate(${shiftedX.toFixed(2)} ${y}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`
    })
  })

  return `<g fill="${fill}">${paths.join('')}</g>`
}

/** Wraps a text between words. If it has more than `maxLines` lines, the last one ends in an ellipsis. */
export function wrapText(
  fonts: DrawingFonts,
  text: string,
  { fontSize, maxWidth, maxLines }: { fontSize: number; maxWidth: number; maxLines: number },
): string[] {
  const isFitting = (line: string) => {
    const runs = fonts.runs(line)
    return runs === null || measureWidth(runs) * fontSize <= maxWidth
  }

  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longerLine = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && isFitting(longerLine)) {
      lines[lines.length - 1] = longerLine
    } else {
      lines.push(word)
    }
  }

  if (lines.length <= maxLines) {
    return lines
  }

  return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]} …`]
}
