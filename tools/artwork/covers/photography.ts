/** The subjects of covers of the category photography. */
import type { Palette } from '../palette.ts'
import { circle, group, mix, type Point, path, radial, round } from '../svg.ts'
import { drawCoverFrame, hairline, polar, range, white } from './frame.ts'

const [centerX, centerY] = [320, 180]
const outerRadius = 152
const innerRadius = 66
const bladeCount = 8
const markCount = 48

/** Draws the blades of an aperture around the light, on a grid of thirds. */
export function drawPhotography(colors: Palette): string {
  const bladeEdges = range(bladeCount).map(
    (index) => `M${formatPoint(getInnerCorner(index + 1))}L${formatPoint(getOuterEnd(index + 1))}`,
  )
  // Every fourth mark of the ring is longer.
  const ringMarks = range(markCount).map((index) => {
    const start = polar(centerX, centerY, 160, index / markCount)
    const end = polar(centerX, centerY, index % 4 ? 165 : 169, index / markCount)
    return `M${formatPoint(start)}L${formatPoint(end)}`
  })

  return drawCoverFrame(
    colors,
    [0.3, 0.12],
    [
      circle(centerX, centerY, 300, { fill: 'url(#h)' }),
      path('M213 0v360M427 0v360M0 120h640M0 240h640', { ...hairline, 'stroke-opacity': 0.35 }),
      circle(centerX, centerY, 172, {
        fill: colors.deep,
        'fill-opacity': 0.55,
        stroke: 'url(#e)',
        'stroke-width': 1.5,
      }),
      circle(centerX, centerY, outerRadius + 4, { fill: colors.mid }),
      circle(centerX, centerY, innerRadius + 8, { fill: 'url(#o)' }),
      range(bladeCount)
        .map((index) => drawBlade(index, colors))
        .join(''),
      path(bladeEdges.join(''), { stroke: white, 'stroke-opacity': 0.75, 'stroke-width': 1.2 }),
      circle(centerX, centerY, outerRadius + 4, {
        fill: 'none',
        stroke: 'url(#e)',
        'stroke-width': 2,
      }),
      path(ringMarks.join(''), { stroke: white, 'stroke-opacity': 0.7 }),
      // The spark is on a crossing of the grid.
      group({ fill: colors.spark }, [
        circle(427, 120, 6),
        circle(427, 120, 13, { 'fill-opacity': 0.3 }),
      ]),
      // Lens flares.
      circle(540, 300, 34, { fill: colors.spark, 'fill-opacity': 0.14 }),
      circle(586, 334, 16, { fill: white, 'fill-opacity': 0.16 }),
      circle(120, 66, 46, { fill: white, 'fill-opacity': 0.08 }),
    ],
    createGradients(colors),
  )
}

/** Creates the gradients of the halo (h) and of the opening (o). */
function createGradients(colors: Palette): string {
  const halo = radial(
    'h',
    [0.5, 0.5, 0.5],
    [
      [0, colors.light, 0.7],
      [0.5, colors.hue, 0.4],
      [1, colors.hue, 0],
    ],
  )
  const opening = radial(
    'o',
    [0.42, 0.4, 0.7],
    [
      [0, '#fff6ea'],
      [0.5, colors.spark],
      [1, '#d8628a'],
    ],
  )

  return halo + opening
}

/** Draws a blade. The brightness depends on its direction, as if light came from one side. */
function drawBlade(index: number, colors: Palette): string {
  const brightness = 0.5 + 0.5 * Math.cos(((index + 0.9) / bladeCount - 0.62) * 2 * Math.PI)
  const corner = formatPoint(getInnerCorner(index + 1))
  const start = formatPoint(getOuterEnd(index))
  const end = formatPoint(getOuterEnd(index + 1))

  return path(`M${corner}L${start}A${outerRadius} ${outerRadius} 0 0 1 ${end}z`, {
    fill: mix(colors.mid, colors.light, 0.04 + brightness * 0.66),
  })
}

/** Returns a corner of the octagon that the blades leave open. */
function getInnerCorner(index: number): Point {
  return polar(centerX, centerY, innerRadius, index / bladeCount)
}

/** Returns the point where the line through two neighboring corners meets the outer circle. */
function getOuterEnd(index: number): Point {
  const [x1, y1] = getInnerCorner(index)
  const [x2, y2] = getInnerCorner(index + 1)
  const length = Math.hypot(x2 - x1, y2 - y1)
  const directionX = (x2 - x1) / length
  const directionY = (y2 - y1) / length

  const along = (x1 - centerX) * directionX + (y1 - centerY) * directionY
  const distance = -along + Math.sqrt(along * along - (innerRadius ** 2 - outerRadius ** 2))
  return [x1 + directionX * distance, y1 + directionY * distance]
}

function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`
}
