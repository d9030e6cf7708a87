/**
 * What a scene of a storyboard looks like at a moment. A picture is a pure function of the scene
 * and the time, and two moments at which nothing moves give the same text, which is how the caller
 * knows that it need not draw again. The lowest fifth stays free of text, since players show
 * captions there. Title cards and the simple diagrams are laid out on 640 x 360 and drawn twice as
 * large; drawings have the pixels of the picture.
 */
import { drawDrawing } from './drawing.ts'
import type { Palette } from './palette.ts'
import type { Diagram, Scene } from './storyboard.ts'
import {
  circle,
  element,
  escapeText,
  group,
  linear,
  mix,
  n,
  type Point,
  path,
  rect,
} from './svg.ts'
import { outlinedText, type TextStyle, textWidth } from './type.ts'

const width = 640
const height = 360
const left = 52
const room = width - 2 * left
const white = '#ffffff'
const mono = 'DejaVu Sans Mono, Liberation Mono, monospace'
const monoAdvance = 0.602

const clamp = (value: number) => Math.max(0, Math.min(1, value))
/** 0 before `start`, 1 after `start + length`, slowing down towards the end. */
const ease = (time: number, start: number, length = 0.5) =>
  1 - (1 - clamp((time - start) / length)) ** 3

function wrap(text: string, size: number, limit: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (lines.at(-1) && textWidth(longer, size) > limit) {
      lines.push(word)
    } else {
      lines[lines.length - 1] = longer
    }
  }

  return lines
}

/** The largest size at which a text fits into `limit` pixels and `most` lines. */
function fitText(
  text: string,
  limit: number,
  { from, to, most }: { from: number; to: number; most: number },
): { size: number; lines: string[] } {
  for (let size = from; ; size--) {
    const lines = wrap(text, size, limit)
    const fits = lines.length <= most && lines.every((line) => textWidth(line, size) <= limit)
    if (!fits && size > to) {
      continue
    }

    // The narrowest setting of the same number of lines, so that no word is left alone on the last
    // one.
    let narrow = limit
    while (narrow > limit * 0.4 && wrap(text, size, narrow - 8).length === lines.length) {
      narrow -= 8
    }

    return { size, lines: wrap(text, size, narrow) }
  }
}

function words(
  x: number | string,
  y: number | string,
  size: number | string,
  content: string,
  style: TextStyle & { family?: string } = {},
): string {
  if (style.family !== mono) {
    return outlinedText(x, y, Number(size), content, style)
  }

  const { fill = white, anchor = null, opacity = null } = style
  const record = {
    x,
    y,
    'font-family': mono,
    'font-size': size,
    fill,
    'fill-opacity': opacity,
    'text-anchor': anchor,
  }

  return element('text', { ...record, 'xml:space': 'preserve' }, escapeText(content))
}

/** Shows its content by `share`: invisible and a little off at 0, in place at 1. */
function enter(share: number, content: string, [dx, dy]: Point = [0, 12]): string {
  if (share <= 0) {
    return ''
  }

  if (share >= 1) {
    return content
  }

  return group(
    { opacity: n(share, 2), transform: `translate(${n((1 - share) * dx)} ${n((1 - share) * dy)})` },
    content,
  )
}

/**
 * When the parts of a scene appear: evenly, from just after the heading until about two thirds of
 * the scene.
 */
function schedule(scene: Scene, count: number, first: number): number[] {
  const last = Math.max(first, scene.seconds * 0.62)
  return Array.from(
    { length: count },
    (_, i) => first + (count > 1 ? (i * (last - first)) / (count - 1) : 0),
  )
}

/** A course's colors, with one for panels. */
type Colors = Palette & { panel: string }
type Of<Kind> = Extract<Diagram, { kind: Kind }>

const diagrams = {
  flow(
    { nodes }: Of<'flow'>,
    c: Colors,
    time: number,
    times: readonly number[],
    top: number,
    bottom: number,
  ): string[] {
    const gap = nodes.length > 3 ? 30 : 44
    const boxWidth = Math.min(158, (room - gap * (nodes.length - 1)) / nodes.length)
    const total = boxWidth * nodes.length + gap * (nodes.length - 1)
    const boxHeight = 88
    const y = (top + bottom - boxHeight) / 2
    const x = (i: number) => (width - total) / 2 + i * (boxWidth + gap)

    return nodes.map((node, i: number) => {
      const share = ease(time, times[i] ?? 0)
      const next = times[i + 1] ?? (times[i] ?? 0) + 99
      const strength = share * (1 - 0.72 * ease(time, next))
      const label = fitText(node, boxWidth - 16, { from: 17, to: 11, most: 2 })
      const middle =
        y + boxHeight / 2 + label.size * 0.36 - ((label.lines.length - 1) * label.size * 1.2) / 2
      const box = [
        rect(x(i), y, boxWidth, boxHeight, 14, { fill: c.panel }),
        rect(x(i), y, boxWidth, boxHeight, 14, {
          fill: c.hue,
          'fill-opacity': n(0.12 + 0.78 * strength, 2),
        }),
        rect(x(i) + 0.75, y + 0.75, boxWidth - 1.5, boxHeight - 1.5, 13.25, {
          fill: 'none',
          stroke: c.light,
          'stroke-opacity': n(0.3 + 0.5 * strength, 2),
          'stroke-width': 1.5,
        }),
        ...label.lines.map((line, k) =>
          words(x(i) + boxWidth / 2, n(middle + k * label.size * 1.2), label.size, line, {
            weight: 600,
            anchor: 'middle',
          }),
        ),
      ]
      const drawn = i ? ease(time, (times[i] ?? 0) - 0.35, 0.4) : 0
      const [from, to] = [x(i) - gap + 6, x(i) - 7]
      const tip = from + (to - from) * drawn
      const arrow = drawn
        ? path(`M${n(from)} ${n(y + boxHeight / 2)}H${n(tip)}m-6-5 6 5-6 5`, {
            fill: 'none',
            stroke: c.spark,
            'stroke-width': 2.5,
            'stroke-linecap': 'round',
            'stroke-linejoin': 'round',
          })
        : ''

      return arrow + enter(share, box.join(''), [-10, 0])
    })
  },

  bars(
    { bars }: Of<'bars'>,
    c: Colors,
    time: number,
    times: readonly number[],
    top: number,
    bottom: number,
  ): string[] {
    const labelSize = 16
    const labelWidth =
      Math.min(150, Math.max(...bars.map(({ label }) => textWidth(label, labelSize)))) + 14
    const pitch = Math.min(42, (bottom - top) / bars.length)
    const thick = Math.min(24, pitch - 9)
    const start = (top + bottom - pitch * bars.length) / 2
    const longest = room - labelWidth - 46

    return [
      path(`M${n(left + labelWidth)} ${n(start)}v${n(pitch * bars.length)}`, {
        stroke: c.light,
        'stroke-opacity': 0.35,
        'stroke-width': 1.5,
      }),
      ...bars.map(({ label, value }, i: number) => {
        const y = start + i * pitch + (pitch - thick) / 2
        const grown = ease(time, times[i] ?? 0, 0.8)
        const size = value ? Math.max(3, (longest * value * grown) / 100) : 0
        const base = n(y + thick / 2 + labelSize * 0.36)

        return [
          enter(
            ease(time, (times[i] ?? 0) - 0.2, 0.4),
            words(left + labelWidth - 14, base, labelSize, label, {
              weight: 500,
              anchor: 'end',
              opacity: 0.92,
            }),
            [0, 0],
          ),
          grown && value
            ? path(
                `M${n(left + labelWidth)} ${n(y)}h${n(Math.max(0, size - 5))}q5 0 5 5v${n(thick - 10)}q0 5-5 5h-${n(Math.max(0, size - 5))}z`,
                { fill: 'url(#bar)' },
              )
            : '',
          enter(
            ease(time, (times[i] ?? 0) + 0.45, 0.35),
            words(n(left + labelWidth + size + 10), base, labelSize, String(value), {
              weight: 650,
              fill: c.light,
            }),
            [0, 0],
          ),
        ].join('')
      }),
    ]
  },

  code(
    { code }: Of<'code'>,
    c: Colors,
    time: number,
    times: readonly number[],
    top: number,
    bottom: number,
  ): string[] {
    const size = Math.min(
      17,
      (room - 66) / (Math.max(24, ...code.map((line: string) => line.length)) * monoAdvance),
    )
    const pitch = Math.min(30, (bottom - top - 26) / code.length)
    const panelHeight = pitch * code.length + 26
    const y = (top + bottom - panelHeight) / 2
    const tint = (line: string) => {
      const parts = line.split(/(\/\*.*?\*\/|(?:^|\s)(?:#|\/\/)\s.*$|"[^"]*"|'[^']*')/)
      return parts.map((part, i: number) => {
        const markedFill = /^["']/.test(part) ? c.spark : mix(c.light, c.panel, 0.3)
        const fill = i % 2 === 0 ? '#f2f3ff' : markedFill
        return part ? element('tspan', { fill }, escapeText(part)) : ''
      })
    }

    return [
      rect(left, n(y), room, n(panelHeight), 14, {
        fill: '#0b0d1c',
        'fill-opacity': 0.72,
        stroke: c.light,
        'stroke-opacity': 0.26,
        'stroke-width': 1.2,
      }),
      ...code.map((line: string, i: number) => {
        const share = ease(time, times[i] ?? 0, 0.35)
        const fresh = share * (1 - ease(time, (times[i + 1] ?? (times[i] ?? 0) + 1.2) - 0.1, 0.5))
        const base = n(y + 13 + pitch * (i + 0.5) + size * 0.36)

        return [
          fresh > 0.01
            ? rect(left + 1, n(y + 13 + pitch * i), room - 2, n(pitch), 0, {
                fill: c.hue,
                'fill-opacity': n(0.32 * fresh, 2),
              })
            : '',
          words(left + 30, base, n(size - 3), String(i + 1), {
            family: mono,
            fill: c.light,
            opacity: 0.45,
            anchor: 'end',
          }),
          line
            ? enter(
                share,
                element(
                  'text',
                  {
                    x: left + 46,
                    y: base,
                    'font-family': mono,
                    'font-size': n(size),
                    'xml:space': 'preserve',
                  },
                  tint(line),
                ),
                [-8, 0],
              )
            : '',
        ].join('')
      }),
    ]
  },

  grid(
    { columns, rows, filled }: Of<'grid'>,
    c: Colors,
    time: number,
    times: readonly number[],
    top: number,
    bottom: number,
  ): string[] {
    const gap = 5
    const cellHeight = Math.min(64, (bottom - top - gap * (rows - 1)) / rows)
    const cellWidth = Math.min(
      cellHeight * (rows > 1 ? 1.5 : 1),
      (room - gap * (columns - 1)) / columns,
    )
    const x0 = (width - columns * cellWidth - (columns - 1) * gap) / 2
    const y0 = (top + bottom - rows * cellHeight - (rows - 1) * gap) / 2

    return Array.from({ length: columns * rows }, (_, cell) => {
      const [x, y] = [
        x0 + (cell % columns) * (cellWidth + gap),
        y0 + Math.floor(cell / columns) * (cellHeight + gap),
      ]
      const turn = filled.indexOf(cell)
      const share = turn < 0 ? 0 : ease(time, times[turn] ?? 0, 0.4)
      const inset = (1 - share) * 0.18

      return [
        rect(n(x), n(y), n(cellWidth), n(cellHeight), 8, {
          fill: c.hue,
          'fill-opacity': 0.12,
          stroke: c.light,
          'stroke-opacity': 0.32,
          'stroke-width': 1.2,
        }),
        share
          ? rect(
              n(x + cellWidth * inset),
              n(y + cellHeight * inset),
              n(cellWidth * (1 - 2 * inset)),
              n(cellHeight * (1 - 2 * inset)),
              8,
              { fill: 'url(#cell)', 'fill-opacity': n(share, 2) },
            )
          : '',
        // A single row is an array, and its places are counted from 0.
        rows === 1
          ? words(n(x + cellWidth / 2), n(y + cellHeight / 2 + 6), 17, String(cell), {
              weight: 600,
              anchor: 'middle',
              opacity: turn < 0 ? 0.5 : 1,
            })
          : '',
      ].join('')
    })
  },
}

function countParts(diagram: Diagram): number {
  if (diagram.kind === 'flow') {
    return diagram.nodes.length
  }

  if (diagram.kind === 'bars') {
    return diagram.bars.length
  }

  return diagram.kind === 'code' ? diagram.code.length : diagram.filled.length
}

function diagramScene(scene: Scene & { diagram: Diagram }, c: Colors, time: number): string {
  const heading = scene.heading
    ? fitText(scene.heading, room, { from: 30, to: 24, most: 1 })
    : { size: 0, lines: [] }
  const line = scene.lines[0] && fitText(scene.lines[0], room, { from: 19, to: 15, most: 1 })
  let y = 46
  const content = heading.lines.map((text) => {
    y += heading.size
    return enter(ease(time, 0.1), words(left, y, heading.size, text, { weight: 650 }))
  })
  if (line) {
    y += 10 + line.size
    content.push(
      enter(
        ease(time, 0.4),
        words(left, y, line.size, line.lines[0] ?? '', { fill: c.light, opacity: 0.92 }),
      ),
    )
  }

  const { diagram } = scene
  const times = schedule(scene, countParts(diagram), 0.8)
  const draw = diagrams[diagram.kind] as (
    diagram: Diagram,
    ...drawn: [Colors, number, number[], number, number]
  ) => string[]

  return [...content, ...draw(diagram, c, time, times, y + 24, 300)].join('')
}

/** A line that starts in lower case goes on with the sentence of the line before it. */
function sentences(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    if (joined.length && /^[a-z]+[ ,]/.test(line)) {
      joined[joined.length - 1] += ` ${line}`
    } else {
      joined.push(line)
    }
  }

  return joined
}

function titleScene(scene: Scene, c: Colors, time: number, opening: boolean): string {
  const limit = opening ? 372 : room
  const heading = scene.heading
    ? fitText(scene.heading, limit, { from: opening ? 42 : 36, to: 28, most: opening ? 3 : 2 })
    : { size: 0, lines: [] }
  const lines = sentences(scene.lines).map((line) =>
    fitText(line, limit - 24, { from: opening ? 20 : 23, to: 17, most: 2 }),
  )
  const headingHeight = heading.lines.length * heading.size * 1.14
  const lineHeight = lines.reduce((sum, { size, lines }) => sum + lines.length * size * 1.32 + 9, 0)
  let y = Math.max(58, 172 - (headingHeight + (lines.length ? 20 : 0) + lineHeight) / 2)
  const times = schedule(scene, lines.length, 0.7)
  const content = heading.lines.map((text, i) => {
    y += heading.size * (i ? 1.14 : 0.86)
    return enter(ease(time, 0.1 + i * 0.12), words(left, n(y), heading.size, text, { weight: 650 }))
  })
  y += 22
  lines.forEach(({ size, lines: rows }, i) => {
    const share = ease(time, times[i] ?? 0)
    const block = rows.map((row, k) =>
      words(left + 20, n(y + size * (1 + k * 1.32)), size, row, {
        fill: mix(c.light, white, 0.45),
        opacity: 0.95,
      }),
    )

    block.unshift(
      rect(left, n(y + size * 0.26), 4, n(size * (0.84 + (rows.length - 1) * 1.32)), 2, {
        fill: c.spark,
      }),
    )

    content.push(enter(share, block.join(''), [-10, 0]))
    y += rows.length * size * 1.32 + 9
  })

  return content.join('')
}

function picture(children: string | readonly string[]): string {
  const size = { width: width * 2, height: height * 2, viewBox: `0 0 ${width} ${height}` }
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, children)
}

function drawingScene(
  scene: Scene & { drawing: NonNullable<Scene['drawing']> },
  colors: Palette,
  time: number,
  shown: number,
) {
  const heading = scene.heading && outlinedText(left, 46, 21, scene.heading, { weight: 650 })
  const content = [
    heading ? enter(ease(time, 0.1), heading) : '',
    group({ transform: 'scale(.5)' }, drawDrawing(scene, colors, time)),
  ]
  return picture(shown >= 1 ? content : group({ opacity: n(shown, 2) }, content))
}

/**
 * The moving part of a picture: everything but the ground. `time` counts from the scene's start.
 */
export function drawScene(scene: Scene, colors: Palette, time: number, opening: boolean): string {
  const c = { ...colors, panel: mix(colors.deep, colors.mid, 0.45) }
  const shown = clamp((scene.seconds - time) / 0.3)
  const { drawing, diagram } = scene
  if (drawing) {
    return drawingScene({ ...scene, drawing }, colors, time, shown)
  }

  const content = diagram
    ? diagramScene({ ...scene, diagram }, c, time)
    : titleScene(scene, c, time, opening)

  return picture([
    element('defs', {}, [
      linear(
        'bar',
        [0, 0, width, 0],
        [
          [0, c.hue],
          [1, c.light],
        ],
        { gradientUnits: 'userSpaceOnUse' },
      ),
      linear(
        'cell',
        [0, 0, 1, 1],
        [
          [0, c.light],
          [1, c.hue],
        ],
      ),
    ]),
    shown >= 1 ? content : group({ opacity: n(shown, 2) }, content),
  ])
}

/**
 * The ground of all scenes of a course; the opening one has the course's cover showing through at
 * the right.
 */
export function drawGround(colors: Palette, mark: string): string {
  const base = mix(colors.deep, '#0f1222', 0.45)
  return picture([
    element('defs', {}, [
      element(
        'radialGradient',
        { id: 'a', cx: 0.95, cy: 0, r: 0.95 },
        [
          [0, 0.55],
          [0.5, 0.16],
          [1, 0],
        ].map(([offset, opacity]) =>
          element('stop', { offset, 'stop-color': colors.mid, 'stop-opacity': opacity }),
        ),
      ),
      element(
        'radialGradient',
        { id: 'b', cx: 0, cy: 1, r: 0.7 },
        [
          [0, 0.3],
          [1, 0],
        ].map(([offset, opacity]) =>
          element('stop', { offset, 'stop-color': colors.mid, 'stop-opacity': opacity }),
        ),
      ),
    ]),
    rect(0, 0, width, height, 0, { fill: base }),
    rect(0, 0, width, height, 0, { fill: 'url(#a)' }),
    rect(0, 0, width, height, 0, { fill: 'url(#b)' }),
    group(
      { fill: 'none', stroke: colors.light, 'stroke-opacity': 0.07 },
      [120, 190, 260].map((radius) => circle(610, 10, radius)),
    ),
    group({ transform: 'translate(596 20) scale(.75)', opacity: 0.9 }, mark),
  ])
}
