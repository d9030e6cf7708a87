/**
 * The still picture that stands where the WebGL globe appears: a sphere of dots, drawn with the
 * geometry of the library that draws the moving one (cobe 2: a Fibonacci lattice of `mapSamples`
 * points on a sphere that fills 0.8 of the square), so that one can replace the other without a
 * jump. Start the moving one with the same `phi`, `theta` and `mapSamples`.
 */
import { isLand } from './land.ts'
import { circle, element, group, n, path, radial } from './svg.ts'

const globeView = { phi: -1.92, theta: 0.28, mapSamples: 16000 }

const center = 500
const radius = 400
const golden = (Math.sqrt(5) - 1) / 2

const themes = {
  light: {
    core: '#ffffff',
    middle: '#f3f1fb',
    edge: '#cfc9f4',
    dot: '#5b4cf0',
    halo: '#8c80f5',
    haloOpacity: 0.34,
    floor: 0.3,
  },
  dark: {
    core: '#262250',
    middle: '#1b1940',
    edge: '#12122c',
    dot: '#b9b1ff',
    halo: '#6f60ff',
    haloOpacity: 0.55,
    floor: 0.16,
  },
}

/**
 * The points of the lattice that face the viewer, as picture coordinates with `depth` 0 at the rim
 * and 1 in the middle.
 */
function visiblePoints({ phi, theta, mapSamples }: typeof globeView) {
  const [sinPhi, cosPhi, sinTheta, cosTheta] = [
    Math.sin(phi),
    Math.cos(phi),
    Math.sin(theta),
    Math.cos(theta),
  ]
  const points = []
  for (let i = 0; i < mapSamples; i++) {
    const y = 1 - (2 * i) / mapSamples
    const ring = Math.sqrt(1 - y * y)
    const turn = ((i * golden) % 1) * 2 * Math.PI
    const [x, z] = [Math.cos(turn) * ring, Math.sin(turn) * ring]
    const depth = -sinPhi * cosTheta * x + sinTheta * y + cosPhi * cosTheta * z
    if (depth < 0.04) {
      continue
    }

    points.push({
      x: center + radius * (cosPhi * x + sinPhi * z),
      y: center - radius * (sinPhi * sinTheta * x + cosTheta * y - cosPhi * sinTheta * z),
      depth,
      land: isLand((Math.atan2(-z, x) * 180) / Math.PI, (Math.asin(y) * 180) / Math.PI),
    })
  }

  return points
}

/** @returns the globe as SVG text, 1000 by 1000, transparent around the sphere. */
export function drawGlobe(theme: keyof typeof themes): string {
  const c = themes[theme]
  const points = visiblePoints(globeView).filter(({ land }) => land)
  const bands = 7
  const dots = (chosen: typeof points, width: number) =>
    path(chosen.map(({ x, y }) => `M${n(x, 0)} ${n(y, 0)}h0`).join(''), { 'stroke-width': width })
  const land = Array.from({ length: bands }, (_, band) => {
    const depth = (band + 0.5) / bands
    const chosen = points.filter(
      (point) => Math.min(bands - 1, Math.floor(point.depth * bands)) === band,
    )

    return group(
      { 'stroke-opacity': c.floor + (1 - c.floor) * depth ** 0.9 },
      dots(chosen, 3 + 2.4 * depth ** 0.6),
    )
  })

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1000, height: 1000, viewBox: '0 0 1000 1000' },
    [
      element('defs', {}, [
        radial(
          's',
          [0.5, 0.46, 0.56],
          [
            [0, c.core],
            [0.72, c.middle],
            [1, c.edge],
          ],
        ),
        radial(
          'h',
          [0.5, 0.5, 0.5],
          [
            [0.84, c.halo, c.haloOpacity],
            [0.89, c.halo, c.haloOpacity * 0.4],
            [0.94, c.halo, c.haloOpacity * 0.11],
            [1, c.halo, 0],
          ],
        ),
        radial(
          'r',
          [0.5, 0.5, 0.5],
          [
            [0.9, c.halo, 0],
            [1, c.halo, c.haloOpacity * 0.7],
          ],
        ),
      ]),
      circle(center, center, 470, { fill: 'url(#h)' }),
      circle(center, center, radius, { fill: 'url(#s)' }),
      circle(center, center, radius, { fill: 'url(#r)' }),
      group({ stroke: c.dot, 'stroke-linecap': 'round' }, land),
    ],
  )
}
