import { createHash } from 'node:crypto'

const [width, height] = [640, 360]

/** The colors of a cover from dark to light, like those of the sample content. */
const palettes = [
  ['#0e1540', '#2a44c4', '#4f6bed', '#c3ceff'],
  ['#3a0a2b', '#a52a63', '#d9467a', '#ffcbdc'],
  ['#04231f', '#0a6a55', '#0f8a6d', '#b4f0d9'],
  ['#5c1f08', '#cf7410', '#f0a030', '#ffecc4'],
  ['#190d3d', '#55309f', '#7a4fd0', '#e0d0ff'],
] as const

/**
 * Draws a cover for a course without one, as SVG, 16:9. The same course ID always gives the same
 * cover.
 */
export function drawCourseCover(courseId: string): string {
  const randomNumbers = [...createHash('sha256').update(courseId).digest()].map(
    (byte) => byte / 256,
  )
  const pick = (from: number, to: number) =>
    Math.round(from + (to - from) * (randomNumbers.pop() ?? 0))
  const [deep, mid, hue, light] = palettes[
    pick(0, 255) % palettes.length
  ] as (typeof palettes)[number]
  const [x, y] = [pick(width * 0.55, width * 0.85), pick(height * 0.1, height * 0.5)]
  const rings = [1, 2, 3, 4].map(
    (ring) => `<circle cx="${x}" cy="${y}" r="${ring * 70 + pick(0, 30)}"/>`,
  )
  const discs = [90, 60, 36].map(
    (radius, index) =>
      `<circle cx="${x - index * pick(70, 120)}" cy="${y + index * pick(40, 90)}" r="${radius + pick(0, 40)}"/>`,
  )

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs>
<linearGradient id="b" x2="1" y2="1"><stop stop-color="${deep}"/><stop offset=".6" stop-color="${mid}"/><stop offset="1" stop-color="${hue}"/></linearGradient>
<radialGradient id="l" gradientUnits="userSpaceOnUse" cx="${x}" cy="${y}" r="${width * 0.6}"><stop stop-color="${light}" stop-opacity=".7"/><stop offset="1" stop-color="${hue}" stop-opacity="0"/></radialGradient>
<linearGradient id="g" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".34"/><stop offset="1" stop-color="#fff" stop-opacity=".05"/></linearGradient>
</defs>
<path fill="url(#b)" d="M0 0h${width}v${height}H0z"/>
<path fill="url(#l)" d="M0 0h${width}v${height}H0z"/>
<g fill="none" stroke="#fff" stroke-opacity=".2">${rings.join('')}</g>
<g fill="url(#g)" stroke="#fff" stroke-opacity=".35">${discs.join('')}</g>
</svg>
`
}
