/**
 * Writes SVG. A drawing is a string, and its numbers are short because a cover has a limit of
 * bytes.
 */

export type Attributes = Record<string, string | number | null | undefined>
export type Point = readonly [x: number, y: number]
type Children = string | readonly string[]
type Length = number | string

/** Formats a number with at most `digits` decimals and without superfluous characters. */
export function round(value: number, digits = 1): string {
  const roundedValue = Number(value.toFixed(digits))
  const text = String(Object.is(roundedValue, -0) ? 0 : roundedValue)
  return text.replace(/^(-?)0\./, '$1.')
}

/** Returns an element. Attributes that are `null` or `undefined` are left out. */
export function element(
  name: string,
  attributes: Attributes = {},
  children: Children = '',
): string {
  const start = `${name}${formatAttributes(attributes)}`
  const content = typeof children === 'string' ? children : children.join('')
  return content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`
}

function formatAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value, 2) : value}"`)
    .join('')
}

export function group(attributes: Attributes, children: Children): string {
  return element('g', attributes, children)
}

export function path(d: string, attributes: Attributes = {}): string {
  return element('path', { d, ...attributes })
}

export function circle(cx: Length, cy: Length, r: Length, attributes: Attributes = {}): string {
  return element('circle', { cx, cy, r, ...attributes })
}

/** Returns a rectangle. `rx` is the radius of its corners. */
export function rect(
  x: Length,
  y: Length,
  width: Length,
  height: Length,
  rx: Length,
  attributes: Attributes = {},
): string {
  return element('rect', {
    x: x || null,
    y: y || null,
    width,
    height,
    rx: rx || null,
    ...attributes,
  })
}

type GradientStop = readonly [offset: number, color: string, opacity?: number]

export function linear(
  id: string,
  [x1, y1, x2, y2]: readonly [x1: number, y1: number, x2: number, y2: number],
  stops: readonly GradientStop[],
  attributes: Attributes = {},
): string {
  return element('linearGradient', { id, x1, y1, x2, y2, ...attributes }, createStops(stops))
}

export function radial(
  id: string,
  [cx, cy, r]: readonly [cx: number, cy: number, r: number],
  stops: readonly GradientStop[],
  attributes: Attributes = {},
): string {
  return element('radialGradient', { id, cx, cy, r, ...attributes }, createStops(stops))
}

function createStops(stops: readonly GradientStop[]): string[] {
  return stops.map(([offset, color, opacity]) =>
    element('stop', {
      offset: round(offset, 2),
      'stop-color': color,
      'stop-opacity': opacity ?? null,
    }),
  )
}

/**
 * Returns a smooth curve through points as path data: a Catmull-Rom curve, written as cubic
 * Béziers.
 */
export function smooth(points: readonly Point[], closed = false): string {
  const count = points.length
  const getPoint = (index: number) => {
    const existingIndex = closed ? (index + count) % count : Math.max(0, Math.min(count - 1, index))
    return points[existingIndex] as Point
  }

  let data = `M${formatNumbers(getPoint(0))}`
  const segmentCount = closed ? count : count - 1
  for (let index = 0; index < segmentCount; index++) {
    const before = getPoint(index - 1)
    const start = getPoint(index)
    const end = getPoint(index + 1)
    const after = getPoint(index + 2)
    const firstControl = [start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6]
    const secondControl = [end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6]

    data += `C${formatNumbers([...firstControl, ...secondControl, ...end])}`
  }

  return closed ? `${data}z` : data
}

function formatNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => round(number)).join(' ')
}

/**
 * Returns a source of random numbers from 0 to 1, which are the same for the same seed. FNV-1a
 * hashes the seed, and mulberry32 generates the numbers.
 */
export function random(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  }

  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns a color between two `#rrggbb` colors. A `share` of 0 gives the first color, 1 the second.
 */
export function mix(from: string, to: string, share: number): string {
  const channels = [0, 1, 2].map((index) => {
    const fromChannel = readChannel(from, index)
    const channel = Math.round(fromChannel + (readChannel(to, index) - fromChannel) * share)
    return channel.toString(16).padStart(2, '0')
  })
  return `#${channels.join('')}`
}

function readChannel(color: string, index: number): number {
  return Number.parseInt(color.slice(1 + index * 2, 3 + index * 2), 16)
}

export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
