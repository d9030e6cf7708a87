/**
 * Draws the four kinds of diagrams that a storyboard describes without a layout: a flow of boxes,
 * bars, lines of code and a grid. Their parts appear one after the other.
 */
import type { Palette } from './palette.ts'
import {
  appear,
  easeOut,
  fitText,
  leftMargin,
  spreadTimes,
  textRoom,
  width,
} from './scene-layout.ts'
import type { Diagram, Scene } from './storyboard.ts'
import { element, escapeText, mix, path, rect, round } from './svg.ts'
import { monospace, monospaceAdvance, outlinedText, textWidth } from './type.ts'

/** The time at which the first part of a diagram appears. */
const firstPartSeconds = 0.8

type DiagramColors = Palette & { panel: string }

type Frame = {
  colors: DiagramColors
  /** The seconds since the scene's start. */
  time: number
  /** The seconds at which each part appears. */
  times: readonly number[]
  top: number
  bottom: number
}

/** Returns the parts of a diagram as they are at a time. */
export function drawDiagram(
  scene: Scene & { diagram: Diagram },
  palette: Palette,
  { time, area }: { time: number; area: { top: number; bottom: number } },
): string[] {
  const { diagram } = scene
  const frame: Frame = {
    colors: { ...palette, panel: mix(palette.deep, palette.mid, 0.45) },
    time,
    times: spreadTimes(scene, countParts(diagram), firstPartSeconds),
    ...area,
  }

  switch (diagram.kind) {
    case 'flow':
      return drawFlow(diagram, frame)
    case 'bars':
      return drawBars(diagram, frame)
    case 'code':
      return drawCode(diagram, frame)
    case 'grid':
      return drawGrid(diagram, frame)
  }
}

function countParts(diagram: Diagram): number {
  switch (diagram.kind) {
    case 'flow':
      return diagram.nodes.length
    case 'bars':
      return diagram.bars.length
    case 'code':
      return diagram.code.length
    case 'grid':
      return diagram.filled.length
  }
}

type DiagramOfKind<Kind> = Extract<Diagram, { kind: Kind }>
type Box = { x: number; y: number; width: number; height: number }

/** Draws boxes with arrows between them. The newest box is the brightest one. */
function drawFlow({ nodes }: DiagramOfKind<'flow'>, frame: Frame): string[] {
  const { time, times, top, bottom } = frame
  const gap = nodes.length > 3 ? 30 : 44
  const boxWidth = Math.min(158, (textRoom - gap * (nodes.length - 1)) / nodes.length)
  const boxHeight = 88
  const totalWidth = boxWidth * nodes.length + gap * (nodes.length - 1)
  const firstX = (width - totalWidth) / 2

  return nodes.map((label, index) => {
    const box = {
      x: firstX + index * (boxWidth + gap),
      y: (top + bottom - boxHeight) / 2,
      width: boxWidth,
      height: boxHeight,
    }
    const startTime = times[index] ?? 0
    const nextTime = times[index + 1] ?? startTime + 99
    const share = easeOut(time, startTime)
    const brightness = share * (1 - 0.72 * easeOut(time, nextTime))

    const arrowShare = index ? easeOut(time, startTime - 0.35, 0.4) : 0
    const arrow = drawFlowArrow(box, { gap, share: arrowShare, color: frame.colors.spark })
    return arrow + appear(share, drawFlowBox(label, box, brightness, frame.colors), [-10, 0])
  })
}

function drawFlowBox(label: string, box: Box, brightness: number, colors: DiagramColors): string {
  const { x, y } = box
  const { size, lines } = fitText(label, box.width - 16, { maxSize: 17, minSize: 11, maxLines: 2 })
  const firstBaseline = y + box.height / 2 + size * 0.36 - ((lines.length - 1) * size * 1.2) / 2

  return [
    rect(x, y, box.width, box.height, 14, { fill: colors.panel }),
    rect(x, y, box.width, box.height, 14, {
      fill: colors.hue,
      'fill-opacity': round(0.12 + 0.78 * brightness, 2),
    }),
    rect(x + 0.75, y + 0.75, box.width - 1.5, box.height - 1.5, 13.25, {
      fill: 'none',
      stroke: colors.light,
      'stroke-opacity': round(0.3 + 0.5 * brightness, 2),
      'stroke-width': 1.5,
    }),
    ...lines.map((line, index) =>
      outlinedText(x + box.width / 2, round(firstBaseline + index * size * 1.2), size, line, {
        weight: 600,
        anchor: 'middle',
      }),
    ),
  ].join('')
}

/** Draws the arrow that leads to a box. It grows from left to right. */
function drawFlowArrow(
  { x, y, height }: Box,
  { gap, share, color }: { gap: number; share: number; color: string },
): string {
  if (share === 0) {
    return ''
  }

  const start = x - gap + 6
  const end = x - 7
  const tip = start + (end - start) * share

  return path(`M${round(start)} ${round(y + height / 2)}H${round(tip)}m-6-5 6 5-6 5`, {
    fill: 'none',
    stroke: color,
    'stroke-width': 2.5,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  })
}

/** Draws horizontal bars that grow, with their labels and values. */
function drawBars({ bars }: DiagramOfKind<'bars'>, frame: Frame): string[] {
  const { colors, time, times, top, bottom } = frame
  const textSize = 16
  const longestLabel = Math.max(...bars.map(({ label }) => textWidth(label, textSize)))
  const labelWidth = Math.min(150, longestLabel) + 14
  const rowHeight = Math.min(42, (bottom - top) / bars.length)
  const thickness = Math.min(24, rowHeight - 9)
  const firstY = (top + bottom - rowHeight * bars.length) / 2
  const maxLength = textRoom - labelWidth - 46
  const barX = leftMargin + labelWidth

  const axis = path(`M${round(barX)} ${round(firstY)}v${round(rowHeight * bars.length)}`, {
    stroke: colors.light,
    'stroke-opacity': 0.35,
    'stroke-width': 1.5,
  })

  const rows = bars.map(({ label, value }, index) => {
    const startTime = times[index] ?? 0
    const y = firstY + index * rowHeight + (rowHeight - thickness) / 2
    const baseline = round(y + thickness / 2 + textSize * 0.36)
    const growth = easeOut(time, startTime, 0.8)
    const length = value ? Math.max(3, (maxLength * value * growth) / 100) : 0

    const labelText = outlinedText(barX - 14, baseline, textSize, label, {
      weight: 500,
      anchor: 'end',
      opacity: 0.92,
    })
    const valueText = outlinedText(round(barX + length + 10), baseline, textSize, String(value), {
      weight: 650,
      fill: colors.light,
    })
    return [
      appear(easeOut(time, startTime - 0.2, 0.4), labelText, [0, 0]),
      growth && value ? drawBar({ x: barX, y, length, thickness }) : '',
      appear(easeOut(time, startTime + 0.45, 0.35), valueText, [0, 0]),
    ].join('')
  })

  return [axis, ...rows]
}

/** Draws a bar whose right corners are round. */
function drawBar({
  x,
  y,
  length,
  thickness,
}: {
  x: number
  y: number
  length: number
  thickness: number
}): string {
  const straightLength = round(Math.max(0, length - 5))
  return path(
    `M${round(x)} ${round(y)}h${straightLength}q5 0 5 5v${round(thickness - 10)}q0 5-5 5h-${straightLength}z`,
    { fill: 'url(#bar)' },
  )
}

/** Draws lines of code with their numbers in a panel. The newest line has a brighter background. */
function drawCode({ code }: DiagramOfKind<'code'>, frame: Frame): string[] {
  const { colors, time, times, top, bottom } = frame
  const longestLine = Math.max(24, ...code.map((line) => line.length))
  const textSize = Math.min(17, (textRoom - 66) / (longestLine * monospaceAdvance))
  const rowHeight = Math.min(30, (bottom - top - 26) / code.length)
  const panelHeight = rowHeight * code.length + 26
  const panelY = (top + bottom - panelHeight) / 2

  const panel = rect(leftMargin, round(panelY), textRoom, round(panelHeight), 14, {
    fill: '#0b0d1c',
    'fill-opacity': 0.72,
    stroke: colors.light,
    'stroke-opacity': 0.26,
    'stroke-width': 1.2,
  })

  const rows = code.map((line, index) => {
    const startTime = times[index] ?? 0
    const nextTime = times[index + 1] ?? startTime + 1.2
    const share = easeOut(time, startTime, 0.35)
    const brightness = share * (1 - easeOut(time, nextTime - 0.1, 0.5))
    const baseline = round(panelY + 13 + rowHeight * (index + 0.5) + textSize * 0.36)

    const background = rect(
      leftMargin + 1,
      round(panelY + 13 + rowHeight * index),
      textRoom - 2,
      round(rowHeight),
      0,
      { fill: colors.hue, 'fill-opacity': round(0.32 * brightness, 2) },
    )
    const lineNumber = drawLineNumber(index + 1, { baseline, size: textSize - 3, colors })
    const text = element(
      'text',
      {
        x: leftMargin + 46,
        y: baseline,
        'font-family': monospace,
        'font-size': round(textSize),
        'xml:space': 'preserve',
      },
      highlightCode(line, colors),
    )

    return [
      brightness > 0.01 ? background : '',
      lineNumber,
      line ? appear(share, text, [-8, 0]) : '',
    ].join('')
  })

  return [panel, ...rows]
}

function drawLineNumber(
  lineNumber: number,
  { baseline, size, colors }: { baseline: string; size: number; colors: DiagramColors },
): string {
  return element(
    'text',
    {
      x: leftMargin + 30,
      y: baseline,
      'font-family': monospace,
      'font-size': round(size),
      fill: colors.light,
      'fill-opacity': 0.45,
      'text-anchor': 'end',
      'xml:space': 'preserve',
    },
    String(lineNumber),
  )
}

/** Colors the strings and comments of a line. */
function highlightCode(line: string, colors: DiagramColors): string[] {
  // The capturing group puts strings and comments at the odd indexes.
  const parts = line.split(/(\/\*.*?\*\/|(?:^|\s)(?:#|\/\/)\s.*$|"[^"]*"|'[^']*')/)

  return parts.map((part, index) => {
    const isPlain = index % 2 === 0
    const isString = /^["']/.test(part)
    const highlight = isString ? colors.spark : mix(colors.light, colors.panel, 0.3)
    return part ? element('tspan', { fill: isPlain ? '#f2f3ff' : highlight }, escapeText(part)) : ''
  })
}

/** Draws a grid whose cells are filled one after the other. */
function drawGrid({ columns, rows, filled }: DiagramOfKind<'grid'>, frame: Frame): string[] {
  const { colors, time, times, top, bottom } = frame
  const gap = 5
  const cellHeight = Math.min(64, (bottom - top - gap * (rows - 1)) / rows)
  const cellWidth = Math.min(
    cellHeight * (rows > 1 ? 1.5 : 1),
    (textRoom - gap * (columns - 1)) / columns,
  )
  const firstX = (width - columns * cellWidth - (columns - 1) * gap) / 2
  const firstY = (top + bottom - rows * cellHeight - (rows - 1) * gap) / 2

  return Array.from({ length: columns * rows }, (_, cellIndex) => {
    const x = firstX + (cellIndex % columns) * (cellWidth + gap)
    const y = firstY + Math.floor(cellIndex / columns) * (cellHeight + gap)
    const fillIndex = filled.indexOf(cellIndex)
    const isFilled = fillIndex >= 0
    const share = isFilled ? easeOut(time, times[fillIndex] ?? 0, 0.4) : 0
    const inset = (1 - share) * 0.18

    const outline = rect(round(x), round(y), round(cellWidth), round(cellHeight), 8, {
      fill: colors.hue,
      'fill-opacity': 0.12,
      stroke: colors.light,
      'stroke-opacity': 0.32,
      'stroke-width': 1.2,
    })
    const filling = rect(
      round(x + cellWidth * inset),
      round(y + cellHeight * inset),
      round(cellWidth * (1 - 2 * inset)),
      round(cellHeight * (1 - 2 * inset)),
      8,
      { fill: 'url(#cell)', 'fill-opacity': round(share, 2) },
    )
    // A grid with one row is an array, and its cells show their indexes.
    const cellLabel = outlinedText(
      round(x + cellWidth / 2),
      round(y + cellHeight / 2 + 6),
      17,
      String(cellIndex),
      { weight: 600, anchor: 'middle', opacity: isFilled ? 1 : 0.5 },
    )

    return [outline, share ? filling : '', rows === 1 ? cellLabel : ''].join('')
  })
}
