/**
 * Draws the still globe that is shown until the WebGL globe appears: a sphere of dots. The library
 * of the moving globe (cobe 2) places dots in a Fibonacci lattice of `mapSamples` points on a
 * sphere that fills 0.8 of the square. This picture uses the same geometry, so that one globe
 * replaces the other without a jump. The moving globe has to start with the same `phi`, `theta` and
 * `mapSamples`.
 */
import { isLand } from './land.ts'
import { circle, element, group, path, radial, round } from './svg.ts'

const globeView = { phi: -1.92, theta: 0.28, mapSamples: 16000 }

const center = 500
const radius = 400
const goldenRatio = (Math.sqrt(5) - 1) / 2
/** Dots that are nearer to the rim than this depth are left out. */
const minDepth = 0.04
/** The dots of one band of depth have the same size and opacity. */
const depthBandCount = 7

const themes = {
  light: {
    core: '#ffffff',
    middle: '#f3f1fb',
    edge: '#cfc9f4',
    dot: '#5b4cf0',
    halo: '#8c80f5',
    haloOpacity: 0.34,
    minDotOpacity: 0.3,
  },
  dark: {
    core: '#262250',
    middle: '#1b1940',
    edge: '#12122c',
    dot: '#b9b1ff',
    halo: '#6f60ff',
    haloOpacity: 0.55,
    minDotOpacity: 0.16,
  },
}
type Theme = (typeof themes)[keyof typeof themes]

/** Returns the globe as SVG text, 1000 by 1000, transparent around the sphere. */
export function drawGlobe(themeName: keyof typeof themes): string {
  const theme = themes[themeName]

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1000, height: 1000, viewBox: '0 0 1000 1000' },
    [
      element('defs', {}, createGradients(theme)),
      circle(center, center, 470, { fill: 'url(#h)' }),
      circle(center, center, radius, { fill: 'url(#s)' }),
      circle(center, center, radius, { fill: 'url(#r)' }),
      group({ stroke: theme.dot, 'stroke-linecap': 'round' }, drawLand(theme)),
    ],
  )
}

/** Creates the gradients of the sphere (`s`), of the halo around it (`h`) and of its rim (`r`). */
function createGradients({ core, middle, edge, halo, haloOpacity }: Theme): string[] {
  return [
    radial(
      's',
      [0.5, 0.46, 0.56],
      [
        [0, core],
        [0.72, middle],
        [1, edge],
      ],
    ),
    radial(
      'h',
      [0.5, 0.5, 0.5],
      [
        [0.84, halo, haloOpacity],
        [0.89, halo, haloOpacity * 0.4],
        [0.94, halo, haloOpacity * 0.11],
        [1, halo, 0],
      ],
    ),
    radial(
      'r',
      [0.5, 0.5, 0.5],
      [
        [0.9, halo, 0],
        [1, halo, haloOpacity * 0.7],
      ],
    ),
  ]
}

/**
 * Draws a dot at each visible point of the land. Dots near the rim are smaller and more
 * transparent.
 */
function drawLand({ minDotOpacity }: Theme): string[] {
  const points = listVisiblePoints(globeView).filter((point) => point.isLand)

  return Array.from({ length: depthBandCount }, (_, band) => {
    const bandPoints = points.filter(
      ({ depth }) => Math.min(depthBandCount - 1, Math.floor(depth * depthBandCount)) === band,
    )
    const bandDepth = (band + 0.5) / depthBandCount
    const dots = bandPoints.map(({ x, y }) => `M${round(x, 0)} ${round(y, 0)}h0`).join('')

    return group(
      { 'stroke-opacity': minDotOpacity + (1 - minDotOpacity) * bandDepth ** 0.9 },
      path(dots, { 'stroke-width': 3 + 2.4 * bandDepth ** 0.6 }),
    )
  })
}

type GlobePoint = {
  x: number
  y: number
  /** The depth is 0 at the rim and 1 in the middle. */
  depth: number
  isLand: boolean
}

/** Lists the points of the lattice that face the viewer, in the coordinates of the picture. */
function listVisiblePoints({ phi, theta, mapSamples }: typeof globeView): GlobePoint[] {
  const sinPhi = Math.sin(phi)
  const cosPhi = Math.cos(phi)
  const sinTheta = Math.sin(theta)
  const cosTheta = Math.cos(theta)

  const points: GlobePoint[] = []
  for (let index = 0; index < mapSamples; index++) {
    // The point on the sphere. Its axis points up.
    const y = 1 - (2 * index) / mapSamples
    const ringRadius = Math.sqrt(1 - y * y)
    const angle = ((index * goldenRatio) % 1) * 2 * Math.PI
    const x = Math.cos(angle) * ringRadius
    const z = Math.sin(angle) * ringRadius

    const depth = -sinPhi * cosTheta * x + sinTheta * y + cosPhi * cosTheta * z
    if (depth < minDepth) {
      continue
    }

    const longitude = (Math.atan2(-z, x) * 180) / Math.PI
    const latitude = (Math.asin(y) * 180) / Math.PI
    points.push({
      x: center + radius * (cosPhi * x + sinPhi * z),
      y: center - radius * (sinPhi * sinTheta * x + cosTheta * y - cosPhi * sinTheta * z),
      depth,
      isLand: isLand(longitude, latitude),
    })
  }

  return points
}
