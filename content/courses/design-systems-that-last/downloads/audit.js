// Counts the values in a style sheet and groups colors that look alike: node audit.js inherited.css
const { readFileSync } = require('node:fs')

const css = readFileSync(process.argv[2], 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
const declarations = [...css.matchAll(/([a-z-]+):\s*([^;{}]+);/g)].map(([, property, value]) => ({ property, value }))

/** How often each value occurs, the most frequent first. */
function count(values) {
  const times = new Map()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  return [...times].sort(([, a], [, b]) => b - a)
}

/** OKLab: a color as three numbers whose distance is about as large as the difference that we see. */
function oklab(hex) {
  const long = hex.length === 4 ? [...hex].map((c) => c + c).join('').slice(1) : hex
  const [r, g, b] = [1, 3, 5].map((i) => {
    const v = parseInt(long.slice(i, i + 2), 16) / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  })
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
const distance = (a, b) => Math.hypot(...oklab(a).map((v, i) => v - oklab(b)[i]))

const colors = count(declarations.flatMap(({ value }) => value.match(/#[0-9a-f]{3,6}\b/gi) ?? []))
const groups = []
for (const [color, times] of colors) {
  const group = groups.find(([[first]]) => distance(first, color) < 0.02)
  if (group) group.push([color, times])
  else groups.push([[color, times]])
}
console.log(`${declarations.length} declarations, ${colors.length} colors in ${groups.length} groups`)
for (const group of groups) console.log('  ' + group.map(([color, times]) => `${color} x${times}`).join('  '))

for (const name of ['padding', 'margin-bottom', 'font-size', 'border-radius']) {
  const values = declarations.filter(({ property }) => property === name).flatMap(({ value }) => value.split(/\s+/))
  console.log(`${name}: ` + count(values).map(([value, times]) => `${value} x${times}`).join('  '))
}
