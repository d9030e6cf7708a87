/** Sets the texts of animated drawings. */
import { pickTextColor, white } from './drawing-colors.ts'
import { element, escapeText, round } from './svg.ts'
import { monospace, monospaceAdvance, outlinedText, type TextStyle, textWidth } from './type.ts'

/** The text of a video is never smaller. */
const minTextSize = 28
const lineHeight = 1.2

export type DrawingTextStyle = TextStyle & { isMonospace?: boolean }

/** Draws one line of text. `y` is the position of its baseline. */
export function drawText(
  x: number | string,
  y: number | string,
  size: number | string,
  text: string,
  { weight = 500, fill = white, anchor = 'middle', isMonospace = false }: DrawingTextStyle = {},
): string {
  if (!isMonospace) {
    return outlinedText(x, y, Number(size), text, { weight, fill, anchor })
  }

  const attributes = {
    x,
    y,
    'font-family': monospace,
    'font-size': size,
    fill,
    'text-anchor': anchor,
    'xml:space': 'preserve',
  }
  return element('text', attributes, escapeText(text))
}

/** An area by its middle and its size. */
export type Area = readonly [x: number, y: number, width: number, height: number]

type Label = {
  text?: string
  /** The largest size of the text. */
  size?: number
  weight?: number
  mono?: boolean
}

/**
 * Draws a text in the middle of an area, as large as fits.
 *
 * @param background the color behind the text, which decides the color of the letters
 * @throws if the text does not fit at the smallest size
 */
export function drawLabel(area: Area, label: Label, background: string): string {
  const { text, size: maxSize = 32, weight = 600, mono: isMonospace = false } = label
  if (!text) {
    return ''
  }

  const [x, y, width, height] = area
  for (let size = maxSize; size >= minTextSize; size--) {
    const font = { size, weight, isMonospace }
    const lines = wrapText(text, width - 16, font)
    const widest = Math.max(...lines.map((line) => measureText(line, font)))
    if (widest > width - 8 || lines.length * size * lineHeight > height) {
      continue
    }

    const firstBaseline = y - ((lines.length - 1) * size * lineHeight) / 2 + size * 0.35
    const style = { weight, isMonospace, fill: pickTextColor(background) }
    return lines
      .map((line, index) =>
        drawText(x, round(firstBaseline + index * size * lineHeight), size, line, style),
      )
      .join('')
  }

  throw new Error(
    `'${text}' doesn't fit into ${Math.round(width)} x ${Math.round(height)} pixels. Shorten it or give it more room.`,
  )
}

type TextFont = { size: number; weight: number; isMonospace: boolean }

function wrapText(text: string, maxWidth: number, font: TextFont): string[] {
  return text.split('\n').flatMap((row) => {
    const lines: string[] = []
    let line = ''
    for (const word of row.split(' ')) {
      const longerLine = line ? `${line} ${word}` : word
      if (line && measureText(longerLine, font) > maxWidth) {
        lines.push(line)
        line = word
      } else {
        line = longerLine
      }
    }

    return [...lines, line]
  })
}

function measureText(text: string, { size, weight, isMonospace }: TextFont): number {
  return isMonospace ? text.length * size * monospaceAdvance : textWidth(text, size, weight)
}

/** Formats a number as people write it, such as 1,250 or 0.4. */
export function formatNumber(
  value: number,
  { before = '', after = '', decimals = 0 }: { before?: string; after?: string; decimals?: number },
): string {
  const isNegative = value < 0 && Number(value.toFixed(decimals)) !== 0
  const digits = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return `${isNegative ? '-' : ''}${before}${digits}${after}`
}
