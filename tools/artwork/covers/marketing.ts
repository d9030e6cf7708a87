/** The subjects of covers of the category marketing. */
import type { Palette } from '../palette.ts'
import { circle, element, group, linear, type Point, path, random, rect, smooth } from '../svg.ts'
import { drawCoverFrame, glass, hairline, polar, range, white } from './frame.ts'

/** Draws a funnel that many people enter, and some leave as customers. */
export function drawDigitalMarketing(colors: Palette): string {
  const nextRandom = random('funnel')
  const radius = (i: number) => 26 + 214 * ((11 - i) / 11) ** 1.7
  const ring = (i: number) => ({ cx: 320, cy: 96 + i * 19, rx: radius(i), ry: radius(i) * 0.27 })
  const sides = (side: number) =>
    smooth(range(7).map((i) => [320 + side * radius(i * 1.83), 96 + i * 34.8]))
  const crowd: Point[] = []
  for (let tries = 0; crowd.length < 40 && tries < 900; tries++) {
    const [x, y] = polar(0, 0, Math.sqrt(nextRandom()), nextRandom())
    const point: Point = [Math.round(320 + x * 330), Math.round(66 + y * 64)]
    if (crowd.every(([px, py]) => Math.hypot(px - point[0], (py - point[1]) * 1.5) > 34)) {
      crowd.push(point)
    }
  }

  const dots = (chosen: Point[], stroke: string, width: number) =>
    path(chosen.map(([x, y]) => `M${x} ${y}h0`).join(''), {
      stroke,
      'stroke-width': width,
      'stroke-linecap': 'round',
    })
  const kept = '#5b4cf0'
  const strokes = [colors.light, white, kept, white, colors.light]

  return drawCoverFrame(
    colors,
    [0.5, 0.16],
    [
      path(
        `${sides(-1)}H346L${smooth(range(7).map((i) => [320 + radius((6 - i) * 1.83), 96 + (6 - i) * 34.8])).slice(1)}z`,
        { fill: 'url(#f)' },
      ),
      element('ellipse', { ...ring(0), fill: 'url(#g)' }),
      range(12)
        .map((i) =>
          element('ellipse', {
            ...ring(i),
            fill: 'none',
            stroke: white,
            'stroke-opacity': 0.7 - i * 0.03,
            'stroke-width': i ? 1 : 1.8,
          }),
        )
        .join(''),
      path(sides(-1) + sides(1), {
        fill: 'none',
        stroke: white,
        'stroke-opacity': 0.7,
        'stroke-width': 1.5,
      }),
      [0, 1, 2, 3, 4]
        .map((i) =>
          dots(
            crowd.filter((_, k) => k % 5 === i),
            strokes[i] ?? kept,
            [6, 9, 11, 12, 7][i] ?? 0,
          ),
        )
        .join(''),
      (
        [
          [286, 168, 5],
          [352, 186, 5],
          [312, 214, 5],
          [330, 250, 5],
        ] as const
      )
        .map(([x, y, size]) => circle(x, y, size, { fill: white }))
        .join(''),
      circle(320, 330, 22, { fill: kept, 'fill-opacity': 0.35 }),
      circle(320, 330, 12, { fill: kept, stroke: white, 'stroke-width': 2.5 }),
      path(
        'M-10 300c60-40 100-40 160 0s90 30 120 14M650 300c-60-40-100-40-160 0s-90 30-120 14M-10 330c60-40 100-40 160 0s90 26 130 6M650 330c-60-40-100-40-160 0s-90 26-130 6',
        { ...hairline, 'stroke-opacity': 0.25 },
      ),
    ],
    linear(
      'f',
      [0, 0, 0, 1],
      [
        [0, colors.deep, 0.15],
        [1, colors.deep, 0.6],
      ],
    ),
  )
}

/** Draws a list of search results, and the lens that finds the right one. */
export function drawContentSearch(colors: Palette): string {
  const row = (y: number, scale: number, bright: boolean) =>
    group({ transform: `translate(0 ${y})` }, [
      rect(0, 0, 330, 50, 12, bright ? { fill: white } : glass),
      circle(27, 25, 11, {
        fill: bright ? colors.spark : white,
        'fill-opacity': bright ? null : 0.45,
      }),
      rect(50, 13, 150 * scale, 9, 4.5, {
        fill: bright ? colors.deep : white,
        'fill-opacity': 0.75,
      }),
      rect(50, 29, 230 * scale, 7, 3.5, { fill: bright ? colors.mid : white, 'fill-opacity': 0.4 }),
    ])
  const widths = [1, 0.8, 0.95, 0.7, 0.86]
  const found = { ...colors, spark: colors.hue }
  const nodes: Point[] = [
    [86, 84],
    [48, 176],
    [112, 246],
    [64, 316],
    [150, 148],
  ]

  return drawCoverFrame(
    colors,
    [0.76, 0.18],
    [
      path(
        'M86 84 150 148 48 176 112 246 64 316M150 148 112 246M86 84 48 176M150 148 232 84M112 246l120-40M150 148l82 58',
        { ...hairline, 'stroke-opacity': 0.4 },
      ),
      nodes
        .map(([x, y], i) =>
          circle(x, y, 7 + (i % 3) * 3, {
            fill: i === 4 ? white : colors.light,
            'fill-opacity': i === 4 ? null : 0.6,
          }),
        )
        .join(''),
      group(
        { transform: 'translate(222 26)' },
        widths.map((width, i) => row(i * 64, width, false)),
      ),
      group(
        { transform: 'translate(16 20)' },
        path('m520 240 62 62', {
          stroke: colors.deep,
          'stroke-opacity': 0.4,
          'stroke-width': 26,
          'stroke-linecap': 'round',
        }),
      ),
      path('m512 232 66 66', {
        stroke: colors.deep,
        'stroke-width': 24,
        'stroke-linecap': 'round',
      }),
      path('m534 254 44 44', {
        stroke: colors.light,
        'stroke-width': 10,
        'stroke-linecap': 'round',
      }),
      circle(444, 164, 100, { fill: colors.mid }),
      element(
        'g',
        { 'clip-path': 'url(#k)' },
        group({ transform: 'translate(324 128) scale(1.45)' }, [
          group({ fill: white, 'fill-opacity': 0.25 }, [
            rect(0, -64, 330, 50, 12),
            rect(0, 64, 330, 50, 12),
          ]),
          rect(0, 0, 330, 50, 12, { fill: white }),
          circle(44, 25, 12, { fill: found.hue }),
          rect(68, 12, 90, 10, 5, { fill: colors.deep, 'fill-opacity': 0.8 }),
          rect(68, 29, 90, 7, 3.5, { fill: colors.mid, 'fill-opacity': 0.4 }),
        ]),
      ),
      circle(444, 164, 92, { fill: 'url(#w)', stroke: colors.deep, 'stroke-width': 12 }),
      circle(444, 164, 98, { fill: 'none', stroke: 'url(#e)', 'stroke-width': 2 }),
      path('M374 130a78 78 0 0 1 44-40', {
        fill: 'none',
        stroke: white,
        'stroke-width': 5,
        'stroke-linecap': 'round',
        'stroke-opacity': 0.8,
      }),
    ],
    element('clipPath', { id: 'k' }, circle(444, 164, 92)) +
      linear(
        'w',
        [0, 0, 1, 1],
        [
          [0, white, 0.3],
          [0.5, white, 0],
          [1, white, 0.12],
        ],
      ),
  )
}
