/**
 * Draws the covers of courses that have none: a gradient in one of five color palettes, with rings
 * around a light, and some discs. The hash of the course's ID decides everything, so a course
 * always has the same cover.
 */
import { createHash } from 'node:crypto'

const width = 640
const height = 360

/** The palettes of the sample content's covers. */
const palettes = [
  { darkest: '#0e1540', dark: '#2a44c4', bright: '#4f6bed', pale: '#c3ceff' },
  { darkest: '#3a0a2b', dark: '#a52a63', bright: '#d9467a', pale: '#ffcbdc' },
  { darkest: '#04231f', dark: '#0a6a55', bright: '#0f8a6d', pale: '#b4f0d9' },
  { darkest: '#5c1f08', dark: '#cf7410', bright: '#f0a030', pale: '#ffecc4' },
  { darkest: '#190d3d', dark: '#55309f', bright: '#7a4fd0', pale: '#e0d0ff' },
]

const ringNumbers = [1, 2, 3, 4]
const ringDistance = 70
const smallestDiscRadii = [90, 60, 36]

/**
 * Returns a 16:9 SVG. Each call of `nextNumber` takes the next number from the hash, so another
 * order of the calls would change every cover.
 */
export function drawCourseCover(courseId: string): string {
  const nextNumber = createNumberSource(courseId)

  const { darkest, dark, bright, pale } = getPalette(nextNumber(0, 255))

  // The rings and the light have their center in the upper right.
  const centerX = nextNumber(width * 0.55, width * 0.85)
  const centerY = nextNumber(height * 0.1, height * 0.5)

  const rings = ringNumbers.map((ringNumber) => {
    const radius = ringNumber * ringDistance + nextNumber(0, 30)
    return drawCircle(centerX, centerY, radius)
  })

  // Each disc is smaller than the one before, and further to the lower left.
  const discs = smallestDiscRadii.map((smallestRadius, index) => {
    const x = centerX - index * nextNumber(70, 120)
    const y = centerY + index * nextNumber(40, 90)
    const radius = smallestRadius + nextNumber(0, 40)
    return drawCircle(x, y, radius)
  })

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs>
<linearGradient id="background" x2="1" y2="1">
<stop stop-color="${darkest}"/>
<stop offset=".6" stop-color="${dark}"/>
<stop offset="1" stop-color="${bright}"/>
</linearGradient>
<radialGradient id="light" gradientUnits="userSpaceOnUse" cx="${centerX}" cy="${centerY}" r="${width * 0.6}">
<stop stop-color="${pale}" stop-opacity=".7"/>
<stop offset="1" stop-color="${bright}" stop-opacity="0"/>
</radialGradient>
<linearGradient id="glass" x2="1" y2="1">
<stop stop-color="#fff" stop-opacity=".34"/>
<stop offset="1" stop-color="#fff" stop-opacity=".05"/>
</linearGradient>
</defs>
<path fill="url(#background)" d="M0 0h${width}v${height}H0z"/>
<path fill="url(#light)" d="M0 0h${width}v${height}H0z"/>
<g fill="none" stroke="#fff" stroke-opacity=".2">${rings.join('')}</g>
<g fill="url(#glass)" stroke="#fff" stroke-opacity=".35">${discs.join('')}</g>
</svg>
`
}

/** Returns a function that takes a whole number in a range from the hash of a text. */
function createNumberSource(text: string): (from: number, to: number) => number {
  const hashBytes = [...createHash('sha256').update(text).digest()]

  return (from, to) => {
    const byte = hashBytes.pop()
    if (byte === undefined) {
      throw new Error('A drawing needs more numbers than its hash has.')
    }

    return Math.round(from + ((to - from) * byte) / 256)
  }
}

function getPalette(number: number) {
  const palette = palettes[number % palettes.length]
  if (!palette) {
    throw new Error('The number of a palette is not a whole number.')
  }

  return palette
}

function drawCircle(x: number, y: number, radius: number): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}"/>`
}
