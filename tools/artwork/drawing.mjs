/** The parts that an animated drawing of a storyboard is made of, each drawn as it is at one moment. */
import { circle, element, escapeText, group, mix, n, path, rect, smooth } from './svg.mjs'
import { clockOf, partsOf, stateAt } from './timeline.mjs'
import { outlinedText, textWidth } from './type.mjs'

const ink = '#0f1222'
const white = '#ffffff'
/** Text of a film is never smaller. */
const smallest = 28
const mono = 'DejaVu Sans Mono, Liberation Mono, monospace'
const monoAdvance = 0.602

function luminance(color) {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(color.slice(i, i + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colors as WCAG counts it. */
export function contrast(a, b) {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

/** The letters' color on a ground, with a contrast of at least 4.5; of any color, white or black has that. */
export const onGround = (ground) => [white, ink].find((color) => contrast(color, ground) >= 4.5) ?? '#000000'

/** Names that a storyboard may use for colors; the course's palette gives most of them. */
export function colorNames(c) {
  const base = mix(c.deep, ink, 0.45)
  return {
    ...{ white, ink, base, light: c.light, hue: c.hue, mid: c.mid, spark: c.spark },
    ...{ panel: mix(base, c.mid, 0.28), dim: mix(base, c.light, 0.74), faint: mix(base, c.light, 0.3) },
    ...{ good: '#7fe3ae', bad: '#ff9d96' },
  }
}

function measure(text, size, weight, isMono) {
  return isMono ? text.length * size * monoAdvance : textWidth(text, size, weight)
}

function write(x, y, size, text, { weight = 500, fill = white, anchor = 'middle', isMono = false } = {}) {
  if (!isMono) return outlinedText(x, y, size, text, { weight, fill, anchor })
  const record = { x, y, 'font-family': mono, 'font-size': size, fill, 'text-anchor': anchor, 'xml:space': 'preserve' }
  return element('text', record, escapeText(text))
}

/** Breaks a text into lines no wider than `room`. */
function linesOf(text, size, weight, room, isMono) {
  return text.split('\n').flatMap((row) => {
    const lines = ['']
    for (const word of row.split(' ')) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
      if (lines.at(-1) && measure(longer, size, weight, isMono) > room) lines.push(word)
      else lines[lines.length - 1] = longer
    }
    return lines
  })
}

/** Text in the middle of an area, as large as `size` allows. @throws when it doesn't fit at the smallest size. */
function label([x, y, width, height], { text, size = 32, weight = 600, mono: isMono = false }, ground) {
  if (!text) return ''
  for (let fit = size; fit >= smallest; fit--) {
    const lines = linesOf(text, fit, weight, width - 16, isMono)
    const wide = Math.max(...lines.map((line) => measure(line, fit, weight, isMono)))
    if (wide > width - 8 || lines.length * fit * 1.2 > height) continue
    const top = y - ((lines.length - 1) * fit * 1.2) / 2 + fit * 0.35
    const style = { weight, isMono, fill: onGround(ground) }
    return lines.map((line, i) => write(x, n(top + i * fit * 1.2), fit, line, style)).join('')
  }
  throw new Error(
    `'${text}' doesn't fit into ${Math.round(width)} x ${Math.round(height)} pixels. Shorten it or give it more room.`,
  )
}

const stroke = ({ line, thick = 3, dashed }) =>
  line ? { stroke: line, 'stroke-width': thick, 'stroke-dasharray': dashed ? '10 8' : null } : {}
const paint = ({ fill }) => fill ?? 'none'

/** The first `share` of a line through points, and the direction in which it ends. */
function drawnPart(points, share) {
  const lengths = points.slice(1).map(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]))
  let rest = lengths.reduce((sum, length) => sum + length, 0) * share
  const part = [points[0]]
  for (const [i, length] of lengths.entries()) {
    const [from, to] = [points[i], points[i + 1]]
    const here = length === 0 ? 1 : Math.min(1, rest / length)
    part.push([from[0] + (to[0] - from[0]) * here, from[1] + (to[1] - from[1]) * here])
    rest -= length
    if (rest <= 0) break
  }
  return part
}

/** Points of a smooth curve through a few. */
function curveThrough(points) {
  const at = (i) => points[Math.max(0, Math.min(points.length - 1, i))]
  return points
    .slice(1)
    .flatMap((_, i) => {
      const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
      return Array.from({ length: 12 }, (_, k) => {
        const t = (k + (i ? 1 : 0)) / 12
        return [0, 1].map(
          (axis) =>
            b[axis] +
            ((c[axis] - a[axis]) * t) / 2 +
            (a[axis] - 2.5 * b[axis] + 2 * c[axis] - d[axis] / 2) * t * t +
            (1.5 * (b[axis] - c[axis]) + (d[axis] - a[axis]) / 2) * t * t * t,
        )
      })
    })
    .concat([points.at(-1)])
}

function arrowHead([x, y], [fromX, fromY], color, thick) {
  const angle = Math.atan2(y - fromY, x - fromX)
  const wing = (turn) => `${n(x - 16 * Math.cos(angle + turn))} ${n(y - 16 * Math.sin(angle + turn))}`
  return path(`M${wing(0.5)}L${n(x)} ${n(y)}L${wing(-0.5)}`, {
    ...{ fill: 'none', stroke: color, 'stroke-width': thick, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
  })
}

/** A number as people write it: 1,250 or 0.4. */
function writtenNumber(value, { before = '', after = '', decimals = 0 }) {
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '-' : ''
  const digits = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return `${sign}${before}${digits}${after}`
}

const shapes = {
  /** @param part `box`: middle, width, height. */
  box(part, c) {
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

  ring(part, c) {
    const [x, y, radius] = part.ring
    return (
      circle(n(x), n(y), n(Math.max(0, radius)), { fill: paint(part), ...stroke(part) }) +
      label([x, y, radius * 2, radius * 1.8], part, part.fill ?? c.base)
    )
  },

  words(part) {
    const { words, at, size = 30, color = white, weight = 500, anchor = 'middle', mono: isMono = false } = part
    return words
      .split('\n')
      .map((row, i) => write(at[0], n(at[1] + i * size * 1.3), n(size), row, { weight, fill: color, anchor, isMono }))
      .join('')
  },

  number(part) {
    return shapes.words({ size: 44, weight: 600, ...part, words: writtenNumber(part.number, part) })
  },

  arrow(part) {
    const { arrow, shown, color = part.line ?? white, thick = 4, head = true, curved = false, dashed } = part
    const points = drawnPart(curved ? curveThrough(arrow) : arrow, shown)
    const tip = points.at(-1)
    const back = drawnPart([...points].reverse(), Math.min(1, 12 / Math.max(12, arrow.length * 20))).at(-1)
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

  /** @param part `bar`: middle of its foot, width, height; with `across`, left end, length and thickness. */
  bar(part) {
    const [x, y, a, b] = part.bar
    const record = { fill: paint(part), ...stroke(part) }
    return part.across
      ? rect(n(x), n(y - b / 2), n(Math.max(0, a * part.shown)), n(b), 6, record)
      : rect(n(x - a / 2), n(y - b * part.shown), n(a), n(Math.max(0, b * part.shown)), 6, record)
  },

  /** Lines of code with one line lit; `lit` moves, 0 lights none. */
  code(part, c) {
    const { code, at, size = 30, lit = 0, lines = code.length, width } = part
    const pitch = size * 1.6
    const wide = width ?? Math.max(...code.map((row) => row.length)) * size * monoAdvance + 64
    return [
      rect(at[0], at[1], n(wide), n(pitch * code.length + 32), 14, {
        fill: '#0a0c19',
        stroke: c.faint,
        'stroke-width': 2,
      }),
      lit > 0 ? rect(at[0] + 8, n(at[1] + 16 + (lit - 1) * pitch), n(wide - 16), n(pitch), 8, { fill: c.panel }) : '',
      ...code.slice(0, Math.round(lines)).map((row, i) => {
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
  cells(part, c) {
    const { cells, at, cell = [84, 84], gap = 8, lit = [], size = 32, fill = c.panel, litFill = c.spark } = part
    return cells
      .map((text, i) => {
        const ground = lit.includes(i) ? litFill : fill
        const area = [at[0] + i * (cell[0] + gap) + cell[0] / 2, at[1] + cell[1] / 2, ...cell]
        return shapes.box({ box: area, fill: ground, text: String(text), size, round: 10, mono: part.mono }, c)
      })
      .join('')
  },

  /** An outline of its own around the point `at`, for example an icon. */
  outline(part) {
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
  blob(part) {
    return path(smooth(part.blob, true), { fill: paint(part), ...stroke(part) })
  },
}

/** Lines and bars grow; everything else fades in and rises a little. */
const growing = new Set(['arrow', 'bar'])

/** @returns the drawing of a scene at a moment, in pixels of a 1280 x 720 picture. */
export function drawDrawing(scene, colors, time) {
  const c = colorNames(colors)
  const clock = clockOf(scene)
  const named = (name) => (name === 'none' ? 'none' : (c[name] ?? name))
  return partsOf(scene.drawing)
    .map((part) => {
      const state = stateAt(part, time, clock, named)
      if (state.litFill) state.litFill = named(state.litFill)
      if (state.shown <= 0 || state.fade <= 0) return ''
      const kind = Object.keys(shapes).find((name) => Object.hasOwn(state, name)) ?? 'words'
      const content = shapes[kind](state, c)
      const rises = !growing.has(kind) && state.shown < 1
      const opacity = rises ? state.fade * state.shown : state.fade
      if (opacity >= 1) return content
      const transform = rises && !part.still ? `translate(0 ${n((1 - state.shown) * 14)})` : null
      return group({ opacity: n(opacity, 2), transform }, content)
    })
    .join('')
}
