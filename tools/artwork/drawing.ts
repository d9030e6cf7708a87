/**
 * The parts that an animated drawing of a storyboard is made of, each drawn as it is at one moment.
 */
import type { Palette } from './palette.ts'
import type { Scene } from './storyboard.ts'
import {
  circle,
  element,
  escapeText,
  group,
  mix,
  n,
  type Point,
  path,
  rect,
  smooth,
} from './svg.ts'
import { computePartState, createClock, expandParts, type PartState } from './timeline.ts'
import { outlinedText, type TextStyle, textWidth } from './type.ts'

const ink = '#0f1222'
const white = '#ffffff'
/** Text of a film is never smaller. */
const smallest = 28
const mono = 'DejaVu Sans Mono, Liberation Mono, monospace'
const monoAdvance = 0.602

function luminance(color: string): number {
  const light = (i: number) => {
    const part = Number.parseInt(color.slice(i, i + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5)
}

/** Contrast of two colors as WCAG counts it. */
export function contrast(a: string, b: string): number {
  const both = [luminance(a), luminance(b)]
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}

/**
 * The letters' color on a ground, with a contrast of at least 4.5; of any color, white or black has
 * that.
 */
export const onGround = (ground: string) =>
  [white, ink].find((color) => contrast(color, ground) >= 4.5) ?? '#000000'

type ColorName =
  | 'white'
  | 'ink'
  | 'base'
  | 'light'
  | 'hue'
  | 'mid'
  | 'spark'
  | 'panel'
  | 'dim'
  | 'faint'
  | 'good'
  | 'bad'
type Colors = Record<ColorName, string>
/** A part of the kind that this key says. */
type Part<Kind extends keyof PartState> = PartState & Required<Pick<PartState, Kind>>
type Area = readonly [x: number, y: number, width: number, height: number]

/** Names that a storyboard may use for colors; the course's palette gives most of them. */
export function colorNames(c: Palette): Record<ColorName, string> {
  const base = mix(c.deep, ink, 0.45)
  return {
    ...{ white, ink, base, light: c.light, hue: c.hue, mid: c.mid, spark: c.spark },
    ...{
      panel: mix(base, c.mid, 0.28),
      dim: mix(base, c.light, 0.74),
      faint: mix(base, c.light, 0.3),
    },
    ...{ good: '#7fe3ae', bad: '#ff9d96' },
  }
}

function measure(text: string, size: number, weight: number, isMono: boolean): number {
  return isMono ? text.length * size * monoAdvance : textWidth(text, size, weight)
}

type Written = TextStyle & { isMono?: boolean }
function write(
  x: number | string,
  y: number | string,
  size: number | string,
  text: string,
  { weight = 500, fill = white, anchor = 'middle', isMono = false }: Written = {},
): string {
  if (!isMono) {
    return outlinedText(x, y, Number(size), text, { weight, fill, anchor })
  }

  const record = {
    x,
    y,
    'font-family': mono,
    'font-size': size,
    fill,
    'text-anchor': anchor,
    'xml:space': 'preserve',
  }

  return element('text', record, escapeText(text))
}

/** Breaks a text into lines no wider than `room`. */
function linesOf(
  text: string,
  size: number,
  weight: number,
  room: number,
  isMono: boolean,
): string[] {
  return text.split('\n').flatMap((row: string) => {
    const lines: string[] = ['']
    for (const word of row.split(' ')) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
      if (lines.at(-1) && measure(longer, size, weight, isMono) > room) {
        lines.push(word)
      } else {
        lines[lines.length - 1] = longer
      }
    }

    return lines
  })
}

/**
 * Text in the middle of an area, as large as `size` allows.
 *
 * @throws when it doesn't fit at the smallest size.
 */
function label([x, y, width, height]: Area, part: Partial<PartState>, ground: string): string {
  const { text, size = 32, weight = 600, mono: isMono = false } = part
  if (!text) {
    return ''
  }

  for (let fit = size; fit >= smallest; fit--) {
    const lines = linesOf(text, fit, weight, width - 16, isMono)
    const wide = Math.max(...lines.map((line: string) => measure(line, fit, weight, isMono)))
    if (wide > width - 8 || lines.length * fit * 1.2 > height) {
      continue
    }

    const top = y - ((lines.length - 1) * fit * 1.2) / 2 + fit * 0.35
    const style = { weight, isMono, fill: onGround(ground) }

    return lines
      .map((line: string, i: number) => write(x, n(top + i * fit * 1.2), fit, line, style))
      .join('')
  }

  throw new Error(
    `'${text}' doesn't fit into ${Math.round(width)} x ${Math.round(height)} pixels. Shorten it or give it more room.`,
  )
}

const stroke = ({ line, thick = 3, dashed }: PartState) =>
  line ? { stroke: line, 'stroke-width': thick, 'stroke-dasharray': dashed ? '10 8' : null } : {}
const paint = ({ fill }: PartState) => fill ?? 'none'

/** The first `share` of a line through points, and the direction in which it ends. */
function drawnPart(points: readonly Point[], share: number): Point[] {
  const at = (i: number) => points[i] as Point
  const lengths = points.slice(1).map(([x, y], i) => Math.hypot(x - at(i)[0], y - at(i)[1]))
  let rest = lengths.reduce((sum, length) => sum + length, 0) * share
  const part = [at(0)]
  for (const [i, length] of lengths.entries()) {
    const [from, to] = [at(i), at(i + 1)]
    const here = length === 0 ? 1 : Math.min(1, rest / length)
    part.push([from[0] + (to[0] - from[0]) * here, from[1] + (to[1] - from[1]) * here])
    rest -= length
    if (rest <= 0) {
      break
    }
  }

  return part
}

/** Points of a smooth curve through a few. */
function curveThrough(points: readonly Point[]): Point[] {
  const at = (i: number) => points[Math.max(0, Math.min(points.length - 1, i))] as Point
  return points
    .slice(1)
    .flatMap((_, i: number) => {
      const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
      return Array.from({ length: 12 }, (_, k): Point => {
        const t = (k + (i ? 1 : 0)) / 12
        const along = (axis: 0 | 1) =>
          b[axis] +
          ((c[axis] - a[axis]) * t) / 2 +
          (a[axis] - 2.5 * b[axis] + 2 * c[axis] - d[axis] / 2) * t * t +
          (1.5 * (b[axis] - c[axis]) + (d[axis] - a[axis]) / 2) * t * t * t

        return [along(0), along(1)]
      })
    })
    .concat([at(points.length - 1)])
}

function arrowHead([x, y]: Point, [fromX, fromY]: Point, color: string, thick: number): string {
  const angle = Math.atan2(y - fromY, x - fromX)
  const wing = (turn: number) =>
    `${n(x - 16 * Math.cos(angle + turn))} ${n(y - 16 * Math.sin(angle + turn))}`

  return path(`M${wing(0.5)}L${n(x)} ${n(y)}L${wing(-0.5)}`, {
    ...{
      fill: 'none',
      stroke: color,
      'stroke-width': thick,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
  })
}

/** A number as people write it: 1,250 or 0.4. */
function writtenNumber(
  value: number,
  { before = '', after = '', decimals = 0 }: PartState,
): string {
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '-' : ''
  const digits = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return `${sign}${before}${digits}${after}`
}

const shapes = {
  /** `box`: middle, width, height. */
  box(part: Part<'box'>, c: Colors): string {
    const [x, y, width, height] = part.box
    const record = { fill: paint(part), ...stroke(part) }

    return (
      rect(
        n(x - width / 2),
        n(y - height / 2),
        n(Math.max(0, width)),
        n(Math.max(0, height)),
        part.round ?? 14,
        record,
      ) + label(part.box, part, part.fill ?? c.base)
    )
  },

  ring(part: Part<'ring'>, c: Colors): string {
    const [x, y, radius] = part.ring
    return (
      circle(n(x), n(y), n(Math.max(0, radius)), { fill: paint(part), ...stroke(part) }) +
      label([x, y, radius * 2, radius * 1.8], part, part.fill ?? c.base)
    )
  },

  words(part: Part<'words' | 'at'>): string {
    const {
      words,
      at,
      size = 30,
      color = white,
      weight = 500,
      anchor = 'middle',
      mono: isMono = false,
    } = part

    return words
      .split('\n')
      .map((row: string, i: number) =>
        write(at[0], n(at[1] + i * size * 1.3), n(size), row, {
          weight,
          fill: color,
          anchor,
          isMono,
        }),
      )
      .join('')
  },

  number(part: Part<'number' | 'at'>): string {
    return shapes.words({ size: 44, weight: 600, ...part, words: writtenNumber(part.number, part) })
  },

  arrow(part: Part<'arrow'>): string {
    const {
      arrow,
      shown,
      color = part.line ?? white,
      thick = 4,
      head = true,
      curved = false,
      dashed,
    } = part
    const points = drawnPart(curved ? curveThrough(arrow) : arrow, shown)
    const tip = points.at(-1) as Point
    const back = drawnPart(
      [...points].reverse(),
      Math.min(1, 12 / Math.max(12, arrow.length * 20)),
    ).at(-1) as Point

    return (
      path(points.map(([x, y], i) => `${i ? 'L' : 'M'}${n(x)} ${n(y)}`).join(''), {
        ...{
          fill: 'none',
          stroke: color,
          'stroke-width': thick,
          'stroke-linecap': 'round',
          'stroke-linejoin': 'round',
        },
        'stroke-dasharray': dashed ? '4 12' : null,
      }) + (head && shown > 0.15 ? arrowHead(tip, back, color, thick) : '')
    )
  },

  /** `bar`: middle of its foot, width, height; with `across`, left end, length and thickness. */
  bar(part: Part<'bar'>): string {
    const [x, y, a, b] = part.bar
    const record = { fill: paint(part), ...stroke(part) }

    return part.across
      ? rect(n(x), n(y - b / 2), n(Math.max(0, a * part.shown)), n(b), 6, record)
      : rect(n(x - a / 2), n(y - b * part.shown), n(a), n(Math.max(0, b * part.shown)), 6, record)
  },

  /** Lines of code with one line lit; `lit` moves, 0 lights none. */
  code(part: Part<'code' | 'at'>, c: Colors): string {
    const { code, at, size = 30, lines = code.length, width } = part
    const lit = Number(part.lit ?? 0)
    const pitch = size * 1.6
    const wide =
      width ?? Math.max(...code.map((row: string) => row.length)) * size * monoAdvance + 64

    return [
      rect(at[0], at[1], n(wide), n(pitch * code.length + 32), 14, {
        fill: '#0a0c19',
        stroke: c.faint,
        'stroke-width': 2,
      }),
      lit > 0
        ? rect(at[0] + 8, n(at[1] + 16 + (lit - 1) * pitch), n(wide - 16), n(pitch), 8, {
            fill: c.panel,
          })
        : '',
      ...code.slice(0, Math.round(lines)).map((row: string, i: number) => {
        const near = Math.max(0, 1 - Math.abs(lit - 1 - i))
        const fill = lit > 0 ? mix(c.dim, c.spark, near) : white

        return row
          ? write(at[0] + 32, n(at[1] + 16 + pitch * (i + 0.5) + size * 0.35), size, row, {
              fill,
              anchor: 'start',
              isMono: true,
            })
          : ''
      }),
    ].join('')
  },

  /** Places of an array side by side; those of `lit` are filled. `at` is the top left corner. */
  cells(part: Part<'cells' | 'at'>, c: Colors): string {
    const lit = [part.lit ?? []].flat()
    const {
      cells,
      at,
      cell = [84, 84],
      gap = 8,
      size = 32,
      fill = c.panel,
      litFill = c.spark,
    } = part

    return cells
      .map((text, i) => {
        const ground = lit.includes(i) ? litFill : fill
        const area: [number, number, number, number] = [
          at[0] + i * (cell[0] + gap) + cell[0] / 2,
          at[1] + cell[1] / 2,
          ...cell,
        ]

        return shapes.box(
          {
            shown: 1,
            fade: 1,
            box: area,
            fill: ground,
            text: String(text),
            size,
            round: 10,
            mono: part.mono,
          },
          c,
        )
      })
      .join('')
  },

  /** An outline of its own around the point `at`, for example an icon. */
  outline(part: Part<'outline'>): string {
    const { outline, at = [0, 0], scale = 1, turn = 0 } = part
    const transform = `translate(${n(at[0])} ${n(at[1])}) rotate(${n(turn)}) scale(${n(scale, 3)})`

    return path(outline, {
      fill: paint(part),
      ...stroke(part),
      transform,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    })
  },

  /** A smooth filled area or line through points. */
  blob(part: Part<'blob'>): string {
    return path(smooth(part.blob, true), { fill: paint(part), ...stroke(part) })
  },
}

const kinds = Object.keys(shapes) as (keyof typeof shapes)[]

/** Lines and bars grow; everything else fades in and rises a little. */
const growing = new Set(['arrow', 'bar'])

type Drawn = Pick<Scene, 'seconds' | 'caption'> & { drawing: NonNullable<Scene['drawing']> }

/** @returns the drawing of a scene at a moment, in pixels of a 1280 x 720 picture. */
export function drawDrawing(scene: Drawn, colors: Palette, time: number): string {
  const c = colorNames(colors)
  const clock = createClock(scene)
  const named = (name: string) => c[name as ColorName] ?? name

  return expandParts(scene.drawing)
    .map((part) => {
      const state = computePartState(part, time, clock, named)
      if (state.litFill) {
        state.litFill = named(state.litFill)
      }

      if (state.shown <= 0 || state.fade <= 0) {
        return ''
      }

      const kind = kinds.find((name) => Object.hasOwn(state, name)) ?? 'words'
      const content = (shapes[kind] as (part: PartState, c: Colors) => string)(state, c)
      const rises = !growing.has(kind) && state.shown < 1
      const opacity = rises ? state.fade * state.shown : state.fade
      if (opacity >= 1) {
        return content
      }

      const transform = rises && !part.still ? `translate(0 ${n((1 - state.shown) * 14)})` : null

      return group({ opacity: n(opacity, 2), transform }, content)
    })
    .join('')
}
