/** Draws each kind of part that an animated drawing can have. README.md explains the kinds. */
import { type DrawingColors, white } from './drawing-colors.ts'
import { createCurve, cutLine, drawArrowHead, lineStyle } from './drawing-lines.ts'
import { type Area, drawLabel, drawText, formatNumber } from './drawing-text.ts'
import { circle, mix, type Point, path, rect, round, smooth } from './svg.ts'
import type { PartState } from './timeline.ts'
import { monospaceAdvance } from './type.ts'

/** A part that has the given properties. */
type PartWith<Key extends keyof PartState> = PartState & Required<Pick<PartState, Key>>

/** The functions that draw each kind of part. A kind is the name of the part's main property. */
export const shapes = {
  box: drawBox,
  ring: drawRing,
  words: drawWords,
  number: drawNumber,
  arrow: drawArrow,
  bar: drawBar,
  code: drawCode,
  cells: drawCells,
  outline: drawOutline,
  blob: drawBlob,
}

/** Draws a rectangle with a text in it. `box` is its middle, width and height. */
function drawBox(part: PartWith<'box'>, colors: DrawingColors): string {
  const [x, y, width, height] = part.box
  const box = rect(
    round(x - width / 2),
    round(y - height / 2),
    round(Math.max(0, width)),
    round(Math.max(0, height)),
    part.round ?? 14,
    { fill: part.fill ?? 'none', ...getOutlineStyle(part) },
  )

  return box + drawLabel(part.box, part, part.fill ?? colors.base)
}

/** Draws a circle with a text in it. `ring` is its middle and its radius. */
function drawRing(part: PartWith<'ring'>, colors: DrawingColors): string {
  const [x, y, radius] = part.ring
  const ring = circle(round(x), round(y), round(Math.max(0, radius)), {
    fill: part.fill ?? 'none',
    ...getOutlineStyle(part),
  })
  const labelArea: Area = [x, y, radius * 2, radius * 1.8]

  return ring + drawLabel(labelArea, part, part.fill ?? colors.base)
}

/** Draws lines of text. `at` is the position of the first line. */
function drawWords(part: PartWith<'words' | 'at'>): string {
  const { words, at, size = 30, color = white, weight = 500, anchor = 'middle' } = part
  const style = { weight, fill: color, anchor, isMonospace: part.mono ?? false }

  return words
    .split('\n')
    .map((line, index) =>
      drawText(at[0], round(at[1] + index * size * 1.3), round(size), line, style),
    )
    .join('')
}

function drawNumber(part: PartWith<'number' | 'at'>): string {
  return drawWords({ size: 44, weight: 600, ...part, words: formatNumber(part.number, part) })
}

/** Draws an arrow, or a line if it has no head. It grows from its first point to its last one. */
function drawArrow(part: PartWith<'arrow'>): string {
  const { arrow, shown, color = part.line ?? white, thick = 4, head = true, dashed } = part
  const line = cutLine(part.curved ? createCurve(arrow) : arrow, shown)
  const shaft = path(
    line.map(([x, y], index) => `${index ? 'L' : 'M'}${round(x)} ${round(y)}`).join(''),
    { ...lineStyle(color, thick), 'stroke-dasharray': dashed ? '4 12' : null },
  )
  if (!head || shown <= 0.15) {
    return shaft
  }

  // The head points in the direction of the last part of the line.
  const tip = line.at(-1) as Point
  const backShare = Math.min(1, 12 / Math.max(12, arrow.length * 20))
  const back = cutLine(line.toReversed(), backShare).at(-1) as Point
  return shaft + drawArrowHead(tip, back, color, thick)
}

/**
 * Draws a bar of a chart, which grows. `bar` is the middle of its foot, its width and its height.
 * With `across`, it is the left end, the length and the thickness.
 */
function drawBar({ bar, across, shown, ...part }: PartWith<'bar'>): string {
  const style = { fill: part.fill ?? 'none', ...getOutlineStyle(part) }
  const [x, y] = bar
  if (across) {
    const [, , length, thickness] = bar
    const shownLength = Math.max(0, length * shown)
    return rect(round(x), round(y - thickness / 2), round(shownLength), round(thickness), 6, style)
  }

  const [, , width, height] = bar
  const shownHeight = height * shown
  return rect(
    round(x - width / 2),
    round(y - shownHeight),
    round(width),
    round(Math.max(0, shownHeight)),
    6,
    style,
  )
}

/**
 * Draws lines of code. `lit` is the number of the line that is lit, or 0 for none. While it
 * changes, the light moves between two lines.
 */
function drawCode(part: PartWith<'code' | 'at'>, colors: DrawingColors): string {
  const { code, at, size = 30, lines: shownLines = code.length } = part
  const [x, y] = at
  const lit = Number(part.lit ?? 0)
  const rowHeight = size * 1.6
  const longestLine = Math.max(...code.map((line) => line.length))
  const width = part.width ?? longestLine * size * monospaceAdvance + 64

  const panel = rect(x, y, round(width), round(rowHeight * code.length + 32), 14, {
    fill: '#0a0c19',
    stroke: colors.faint,
    'stroke-width': 2,
  })
  const litY = round(y + 16 + (lit - 1) * rowHeight)
  const light = rect(x + 8, litY, round(width - 16), round(rowHeight), 8, { fill: colors.panel })

  const rows = code.slice(0, Math.round(shownLines)).map((line, index) => {
    if (!line) {
      return ''
    }

    const nearness = Math.max(0, 1 - Math.abs(lit - 1 - index))
    const fill = lit > 0 ? mix(colors.dim, colors.spark, nearness) : white
    const baseline = round(y + 16 + rowHeight * (index + 0.5) + size * 0.35)
    return drawText(x + 32, baseline, size, line, { fill, anchor: 'start', isMonospace: true })
  })

  return [panel, lit > 0 ? light : '', ...rows].join('')
}

/**
 * Draws the cells of an array side by side. `at` is the upper left corner, and `lit` lists lit
 * cells.
 */
function drawCells(part: PartWith<'cells' | 'at'>, colors: DrawingColors): string {
  const { cells, at, cell: cellSize = [84, 84], gap = 8, size = 32 } = part
  const { fill = colors.panel, litFill = colors.spark } = part
  const litIndexes = [part.lit ?? []].flat()

  return cells
    .map((text, index) => {
      const x = at[0] + index * (cellSize[0] + gap) + cellSize[0] / 2
      const y = at[1] + cellSize[1] / 2
      const box = {
        shown: 1,
        fade: 1,
        box: [x, y, ...cellSize] as [number, number, number, number],
        fill: litIndexes.includes(index) ? litFill : fill,
        text: String(text),
        size,
        round: 10,
        mono: part.mono,
      }
      return drawBox(box, colors)
    })
    .join('')
}

/** Draws path data at a position, for example an icon. */
function drawOutline(part: PartWith<'outline'>): string {
  const { outline, at = [0, 0], scale = 1, turn = 0 } = part
  const transform = `translate(${round(at[0])} ${round(at[1])}) rotate(${round(turn)}) scale(${round(scale, 3)})`

  return path(outline, {
    fill: part.fill ?? 'none',
    ...getOutlineStyle(part),
    transform,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  })
}

/** Draws a closed, smooth curve through points. */
function drawBlob(part: PartWith<'blob'>): string {
  return path(smooth(part.blob, true), { fill: part.fill ?? 'none', ...getOutlineStyle(part) })
}

type OutlineProperties = Pick<PartState, 'line' | 'thick' | 'dashed'>

function getOutlineStyle({ line, thick = 3, dashed }: OutlineProperties) {
  if (!line) {
    return {}
  }

  return { stroke: line, 'stroke-width': thick, 'stroke-dasharray': dashed ? '10 8' : null }
}
