import { type DrawingFonts, measureWidth } from './drawing-fonts.server'

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
  const runs = fonts.splitIntoRuns(text)
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

/**
 * Wraps a text between words. If it has more than `maxLines` lines, the last one ends in an
 * ellipsis.
 */
export function wrapText(
  fonts: DrawingFonts,
  text: string,
  { fontSize, maxWidth, maxLines }: { fontSize: number; maxWidth: number; maxLines: number },
): string[] {
  const doesFit = (line: string) => {
    const runs = fonts.splitIntoRuns(line)
    return runs === null || measureWidth(runs) * fontSize <= maxWidth
  }

  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longerLine = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && doesFit(longerLine)) {
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
