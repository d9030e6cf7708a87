/** Lines that are drawn from their start to their end, and the heads of arrows. */
import { type Point, path, round } from './svg.ts'

const headLength = 16
/** The angle between an arrow's line and each side of its head, in radians. */
const headAngle = 0.5
const pointsPerCurveSegment = 12

export const lineStyle = (color: string, thickness: number) => ({
  fill: 'none',
  stroke: color,
  'stroke-width': thickness,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
})

/** Returns the first part of a line. A share of 1 is the whole line. */
export function cutLine(points: readonly Point[], share: number): Point[] {
  const getPoint = (index: number) => points[index] as Point
  const segmentLengths = points
    .slice(1)
    .map(([x, y], index) => Math.hypot(x - getPoint(index)[0], y - getPoint(index)[1]))

  let remainingLength = segmentLengths.reduce((sum, length) => sum + length, 0) * share
  const result = [getPoint(0)]
  for (const [index, length] of segmentLengths.entries()) {
    const start = getPoint(index)
    const end = getPoint(index + 1)
    const segmentShare = length === 0 ? 1 : Math.min(1, remainingLength / length)
    result.push([
      start[0] + (end[0] - start[0]) * segmentShare,
      start[1] + (end[1] - start[1]) * segmentShare,
    ])

    remainingLength -= length
    if (remainingLength <= 0) {
      break
    }
  }

  return result
}

/** Returns many points of a smooth curve through a few points (Catmull-Rom). */
export function createCurve(points: readonly Point[]): Point[] {
  const lastIndex = points.length - 1
  const getPoint = (index: number) => points[Math.max(0, Math.min(lastIndex, index))] as Point

  const curve = points.slice(1).flatMap((_, segment) => {
    const before = getPoint(segment - 1)
    const start = getPoint(segment)
    const end = getPoint(segment + 1)
    const after = getPoint(segment + 2)
    const interpolate = (axis: 0 | 1, t: number) =>
      start[axis] +
      ((end[axis] - before[axis]) * t) / 2 +
      (before[axis] - 2.5 * start[axis] + 2 * end[axis] - after[axis] / 2) * t * t +
      (1.5 * (start[axis] - end[axis]) + (after[axis] - before[axis]) / 2) * t * t * t

    return Array.from({ length: pointsPerCurveSegment }, (_, index): Point => {
      // Only the first segment includes its start.
      const t = (index + (segment ? 1 : 0)) / pointsPerCurveSegment
      return [interpolate(0, t), interpolate(1, t)]
    })
  })

  return [...curve, getPoint(lastIndex)]
}

/** Draws the head of an arrow at its tip. `back` is a point of the line before the tip. */
export function drawArrowHead(
  [x, y]: Point,
  [backX, backY]: Point,
  color: string,
  thickness: number,
): string {
  const direction = Math.atan2(y - backY, x - backX)
  const formatSide = (angle: number) => {
    const sideX = x - headLength * Math.cos(direction + angle)
    const sideY = y - headLength * Math.sin(direction + angle)
    return `${round(sideX)} ${round(sideY)}`
  }

  return path(
    `M${formatSide(headAngle)}L${round(x)} ${round(y)}L${formatSide(-headAngle)}`,
    lineStyle(color, thickness),
  )
}
