/** The subjects of covers of the category photography. */
import type { Palette } from '../palette.ts'
import { circle, group, mix, type Point, path, radial, round } from '../svg.ts'
import { drawCoverFrame, hairline, polar, range, white } from './frame.ts'

/** Draws the blades of an aperture around the light, on a grid of thirds. */
export function drawPhotography(colors: Palette): string {
  const [cx, cy, outer, inner, blades] = [320, 180, 152, 66, 8] as const
  const vertex = (i: number) => polar(cx, cy, inner, i / blades)
  const reach = (i: number): Point => {
    const [[x1, y1], [x2, y2]] = [vertex(i), vertex(i + 1)] as const
    const [dx, dy]: Point = [
      (x2 - x1) / Math.hypot(x2 - x1, y2 - y1),
      (y2 - y1) / Math.hypot(x2 - x1, y2 - y1),
    ]
    const along = (x1 - cx) * dx + (y1 - cy) * dy
    const reachLength = -along + Math.sqrt(along * along - (inner * inner - outer * outer))

    return [x1 + dx * reachLength, y1 + dy * reachLength]
  }
  const pair = ([x, y]: Point) => `${round(x)} ${round(y)}`
  const blade = (i: number) => {
    const shade = 0.5 + 0.5 * Math.cos(((i + 0.9) / blades - 0.62) * 2 * Math.PI)
    return path(
      `M${pair(vertex(i + 1))}L${pair(reach(i))}A${outer} ${outer} 0 0 1 ${pair(reach(i + 1))}z`,
      {
        fill: mix(colors.mid, colors.light, 0.04 + shade * 0.66),
      },
    )
  }

  return drawCoverFrame(
    colors,
    [0.3, 0.12],
    [
      circle(cx, cy, 300, { fill: 'url(#h)' }),
      path('M213 0v360M427 0v360M0 120h640M0 240h640', { ...hairline, 'stroke-opacity': 0.35 }),
      circle(cx, cy, 172, {
        fill: colors.deep,
        'fill-opacity': 0.55,
        stroke: 'url(#e)',
        'stroke-width': 1.5,
      }),
      circle(cx, cy, outer + 4, { fill: colors.mid }),
      circle(cx, cy, inner + 8, { fill: 'url(#o)' }),
      range(blades).map(blade).join(''),
      path(
        range(blades)
          .map((i) => `M${pair(vertex(i + 1))}L${pair(reach(i + 1))}`)
          .join(''),
        { stroke: white, 'stroke-opacity': 0.75, 'stroke-width': 1.2 },
      ),
      circle(cx, cy, outer + 4, { fill: 'none', stroke: 'url(#e)', 'stroke-width': 2 }),
      path(
        range(48)
          .map(
            (i) =>
              `M${pair(polar(cx, cy, 160, i / 48))}L${pair(polar(cx, cy, i % 4 ? 165 : 169, i / 48))}`,
          )
          .join(''),
        { stroke: white, 'stroke-opacity': 0.7 },
      ),
      group({ fill: colors.spark }, [
        circle(427, 120, 6),
        circle(427, 120, 13, { 'fill-opacity': 0.3 }),
      ]),
      circle(540, 300, 34, { fill: colors.spark, 'fill-opacity': 0.14 }),
      circle(586, 334, 16, { fill: white, 'fill-opacity': 0.16 }),
      circle(120, 66, 46, { fill: white, 'fill-opacity': 0.08 }),
    ],
    radial(
      'h',
      [0.5, 0.5, 0.5],
      [
        [0, colors.light, 0.7],
        [0.5, colors.hue, 0.4],
        [1, colors.hue, 0],
      ],
    ) +
      radial(
        'o',
        [0.42, 0.4, 0.7],
        [
          [0, '#fff6ea'],
          [0.5, colors.spark],
          [1, '#d8628a'],
        ],
      ),
  )
}
