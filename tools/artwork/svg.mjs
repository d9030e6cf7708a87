/** Small helpers that every drawing shares. Drawings are strings of SVG; numbers are kept short because size is a budget. */

/** A number with at most `digits` decimals and no superfluous characters. */
export function n(value, digits = 1) {
  const short = Number(value.toFixed(digits))
  return String(Object.is(short, -0) ? 0 : short).replace(/^(-?)0\./, '$1.')
}

/** Attributes of an element; a value that is `null` or `undefined` is left out. */
function attributes(record) {
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? n(value, 2) : value}"`)
    .join('')
}

/** @param {string} name @param {object} [record] @param {string | string[]} [children] */
export function element(name, record = {}, children = '') {
  const inner = Array.isArray(children) ? children.join('') : children
  return inner === '' ? `<${name}${attributes(record)}/>` : `<${name}${attributes(record)}>${inner}</${name}>`
}

export const group = (record, children) => element('g', record, children)
export const path = (d, record = {}) => element('path', { d, ...record })
export const circle = (cx, cy, r, record = {}) => element('circle', { cx, cy, r, ...record })
export const rect = (x, y, width, height, rx, record = {}) =>
  element('rect', { x: x || null, y: y || null, width, height, rx: rx || null, ...record })

/** Color stops: `[offset, color]` or `[offset, color, opacity]`. */
function stops(list) {
  return list.map(([offset, color, opacity]) =>
    element('stop', { offset: n(offset, 2), 'stop-color': color, 'stop-opacity': opacity ?? null }),
  )
}

export const linear = (id, [x1, y1, x2, y2], list, record = {}) =>
  element('linearGradient', { id, x1, y1, x2, y2, ...record }, stops(list))
export const radial = (id, [cx, cy, r], list, record = {}) =>
  element('radialGradient', { id, cx, cy, r, ...record }, stops(list))

/** A smooth curve through points `[x, y]` (Catmull-Rom, written as cubic Béziers). */
export function smooth(points, closed = false) {
  const count = points.length
  const at = (i) => (closed ? points[(i + count) % count] : points[Math.max(0, Math.min(count - 1, i))])
  let d = `M${n(points[0][0])} ${n(points[0][1])}`
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
export function random(seed) {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A color between two `#rrggbb` colors; `share` 0 gives the first. */
export function mix(from, to, share) {
  const part = (color, i) => Number.parseInt(color.slice(1 + i * 2, 3 + i * 2), 16)
  return `#${[0, 1, 2]
    .map((i) =>
      Math.round(part(from, i) + (part(to, i) - part(from, i)) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

export function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
