/**
 * Small helpers that every drawing shares. Drawings are strings of SVG; numbers are kept short
 * because size is a budget.
 */

export type Attributes = Record<string, string | number | null | undefined>
export type Point = readonly [x: number, y: number]
type Children = string | readonly string[]
type Stop = readonly [offset: number, color: string, opacity?: number]

/** A number with at most `digits` decimals and no superfluous characters. */
export function n(value: number, digits = 1): string {
  const short = Number(value.toFixed(digits))
  return String(Object.is(short, -0) ? 0 : short).replace(/^(-?)0\./, '$1.')
}

/** Attributes of an element; a value that is `null` or `undefined` is left out. */
function attributes(record: Attributes): string {
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? n(value, 2) : value}"`)
    .join('')
}

export function element(name: string, record: Attributes = {}, children: Children = ''): string {
  const inner = typeof children === 'string' ? children : children.join('')
  return inner === ''
    ? `<${name}${attributes(record)}/>`
    : `<${name}${attributes(record)}>${inner}</${name}>`
}

export const group = (record: Attributes, children: Children) => element('g', record, children)
export const path = (d: string, record: Attributes = {}) => element('path', { d, ...record })
type Length = number | string
export const circle = (cx: Length, cy: Length, r: Length, record: Attributes = {}) =>
  element('circle', { cx, cy, r, ...record })
export const rect = (
  x: Length,
  y: Length,
  width: Length,
  height: Length,
  rx: Length,
  record: Attributes = {},
) => element('rect', { x: x || null, y: y || null, width, height, rx: rx || null, ...record })

function stops(list: readonly Stop[]): string[] {
  return list.map(([offset, color, opacity]) =>
    element('stop', { offset: n(offset, 2), 'stop-color': color, 'stop-opacity': opacity ?? null }),
  )
}

export const linear = (
  id: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  list: readonly Stop[],
  record: Attributes = {},
) => element('linearGradient', { id, x1, y1, x2, y2, ...record }, stops(list))
export const radial = (
  id: string,
  [cx, cy, r]: readonly [number, number, number],
  list: readonly Stop[],
  record: Attributes = {},
) => element('radialGradient', { id, cx, cy, r, ...record }, stops(list))

/** A smooth curve through points `[x, y]` (Catmull-Rom, written as cubic Béziers). */
export function smooth(points: readonly Point[], closed = false): string {
  const count = points.length
  const at = (i: number) =>
    (closed ? points[(i + count) % count] : points[Math.max(0, Math.min(count - 1, i))]) as Point
  let d = `M${at(0)
    .map((value) => n(value))
    .join(' ')}`
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    const values = [
      p1[0] + (p2[0] - p0[0]) / 6,
      p1[1] + (p2[1] - p0[1]) / 6,
      p2[0] - (p3[0] - p1[0]) / 6,
      p2[1] - (p3[1] - p1[1]) / 6,
      p2[0],
      p2[1],
    ]

    d += `C${values.map((value) => n(value)).join(' ')}`
  }

  return closed ? `${d}z` : d
}

/** Random numbers in [0, 1) that are the same for the same seed text (FNV-1a, then mulberry32). */
export function random(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  }

  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t

    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A color between two `#rrggbb` colors; `share` 0 gives the first. */
export function mix(from: string, to: string, share: number): string {
  const part = (color: string, i: number) => Number.parseInt(color.slice(1 + i * 2, 3 + i * 2), 16)
  return `#${[0, 1, 2]
    .map((i) =>
      Math.round(part(from, i) + (part(to, i) - part(from, i)) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
