/**
 * The common parts of all covers. Covers are a family of abstract pictures: a dark gradient, soft
 * light from one side, glass planes with a bright edge, thin lines, and one spark of a contrasting
 * color.
 */
import type { Palette } from '../palette.ts'
import { element, linear, mix, type Point, radial, rect } from '../svg.ts'

export const white = '#fff'
/** A glass plane with a bright edge. */
export const glass = { fill: 'url(#g)', stroke: 'url(#e)' }
/** A thin, transparent line. */
export const hairline = { fill: 'none', stroke: white, 'stroke-opacity': 0.22 }

/**
 * Draws a cover: the background that all covers have in common, and the subject of the course.
 *
 * @param light the middle of the soft light, in shares of the picture's width and height
 * @param definitions gradients and other definitions that only this subject uses. Covers have a
 * limit of bytes, so the ids of all definitions have one letter.
 */
export function drawCoverFrame(
  colors: Palette,
  light: Point,
  subject: string | readonly string[],
  definitions = '',
): string {
  const allDefinitions = [
    linear(
      'b',
      [0, 0.1, 1, 0.9],
      [
        [0, colors.deep],
        [0.55, colors.mid],
        [1, colors.hue],
      ],
    ),
    radial(
      'l',
      [light[0], light[1], 0.62],
      [
        [0, mix(colors.light, colors.hue, 0.35), 0.72],
        [0.35, colors.hue, 0.5],
        [1, colors.hue, 0],
      ],
    ),
    radial(
      's',
      [1 - light[0], 1 - light[1], 0.7],
      [
        [0, colors.deep, 0.75],
        [1, colors.deep, 0],
      ],
    ),
    linear(
      'g',
      [0, 0, 1, 1],
      [
        [0, white, 0.36],
        [1, white, 0.07],
      ],
    ),
    linear(
      'e',
      [0, 0, 1, 1],
      [
        [0, white, 0.75],
        [1, white, 0.14],
      ],
    ),
    definitions,
  ]

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 640, height: 360, viewBox: '0 0 640 360' },
    [
      element('defs', {}, allDefinitions),
      ...['b', 'l', 's'].map((id) => rect(0, 0, 640, 360, 0, { fill: `url(#${id})` })),
      // This puts commas between the parts. The commas draw nothing, and they stay because existing
      // covers have them: without them, all covers would count as outdated.
      String(subject),
    ],
  )
}

/** Returns the point of a circle at an angle, which is a share of a full turn. */
export function polar(cx: number, cy: number, radius: number, turn: number): Point {
  const angle = turn * 2 * Math.PI
  return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]
}

/** Returns the numbers from 0 to `count - 1`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
