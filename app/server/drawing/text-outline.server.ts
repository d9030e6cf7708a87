import { type DrawingFonts, widthOf } from './drawing-fonts.server'

/** In SVG: the left end of the base line, and how wide a line may be. */
export type Place = { x: number; y: number; size: number; fill: string; room: number }

/**
 * A line of text as SVG paths, smaller if it would be too wide; nothing for a script without a
 * font.
 */
export function textOutline(
  fonts: DrawingFonts,
  text: string,
  { x, y, size, fill, room }: Place,
): string {
  const runs = fonts.runs(text)
  if (!runs) {
    return ''
  }

  const fitting = Math.min(size, room / widthOf(runs))
  let at = x
  const glyphs = runs.flatMap(({ font, text: part }) => {
    const scale = fitting / font.unitsPerEm
    const { glyphs: shapes, positions } = font.layout(part)

    return shapes.map((glyph, index) => {
      const position = positions[index]
      const path = `<path transform="translate(${(at + (position?.xOffset ?? 0) * scale).toFixed(2)} ${y}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`
      at += (position?.xAdvance ?? 0) * scale

      return path
    })
  })

  return `<g fill="${fill}">${glyphs.join('')}</g>`
}

/**
 * Wraps a text between words into lines of at most `room`; after `most` lines it ends in an
 * ellipsis.
 */
export function linesOf(
  fonts: DrawingFonts,
  text: string,
  { size, room, most }: { size: number; room: number; most: number },
): string[] {
  const fits = (line: string) => {
    const runs = fonts.runs(line)
    return runs === null || widthOf(runs) * size <= room
  }
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && fits(longer)) {
      lines[lines.length - 1] = longer
    } else {
      lines.push(word)
    }
  }

  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]} …`] : lines
}
