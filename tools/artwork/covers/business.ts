/** The subjects of covers of the category business. */
import type { Palette } from '../palette.ts'
import {
  circle,
  element,
  group,
  linear,
  type Point,
  path,
  random,
  rect,
  round,
  smooth,
} from '../svg.ts'
import { drawCoverFrame, glass, hairline, polar, range, white } from './frame.ts'

/** Draws a plan: tasks that start when the task before them is done, a milestone, and today. */
export function drawProjectManagement(colors: Palette): string {
  const bars: Point[] = [
    [34, 170],
    [148, 150],
    [220, 206],
    [352, 130],
    [410, 150],
    [446, 130],
  ]
  const done = [1, 1, 0.8, 0.3, 0, 0]
  const y = (i: number) => 48 + i * 50
  const links = bars.slice(0, -1).map(([x, width], i) => {
    const start = Math.min(x + width - 26, (bars[i + 1]?.[0] ?? 0) + 26)
    return `M${start} ${y(i) + 32}v18`
  })

  return drawCoverFrame(
    colors,
    [0.82, 0.2],
    group({ transform: 'skewY(-7) translate(0 40)' }, [
      path(
        range(13)
          .map((i) => `M${i * 52 + 6} -20v400`)
          .join(''),
        { ...hairline, 'stroke-opacity': 0.1 },
      ),
      range(6)
        .map((i) =>
          rect(-20, y(i) - 9, 700, 50, 0, { fill: white, 'fill-opacity': i % 2 ? 0.03 : 0.07 }),
        )
        .join(''),
      path(links.join(''), { ...hairline, 'stroke-opacity': 0.7, 'stroke-width': 1.5 }),
      bars
        .map(([x, width], i) =>
          [
            rect(x + 5, y(i) + 8, width, 32, 16, { fill: colors.deep, 'fill-opacity': 0.35 }),
            rect(x, y(i), width, 32, 16, { fill: colors.hue }),
            rect(x, y(i), width, 32, 16, glass),
            done[i]
              ? rect(x, y(i), width * (done[i] ?? 0), 32, 16, {
                  fill: colors.light,
                  'fill-opacity': 0.88,
                })
              : '',
          ].join(''),
        )
        .join(''),
      path('M384 -20v420', { stroke: colors.spark, 'stroke-width': 2 }),
      circle(384, 26, 6, { fill: colors.spark }),
      path(`m596 ${y(5) - 4} 20 20-20 20-20-20z`, {
        fill: colors.spark,
        stroke: colors.deep,
        'stroke-opacity': 0.4,
        'stroke-width': 3,
      }),
    ]),
  )
}

/** Draws a map with contour lines, and the chosen way through it. */
export function drawStrategy(colors: Palette): string {
  const nextRandom = random('strategy')
  const wobble = range(8).map(() => 0.84 + nextRandom() * 0.32)
  const hill = (cx: number, cy: number, radius: number, stretch: number, phase: number) =>
    smooth(
      range(8).map((i) => {
        const [x, y] = polar(
          0,
          0,
          radius * (1 + ((wobble[(i + phase) % 8] ?? 0) - 1) * (0.5 + radius / 260)),
          i / 8,
        )

        return [Math.round(cx + x * stretch), Math.round(cy + y)]
      }),
      true,
    )
  const rings = range(7).map((i) => 208 - i * 30)

  return drawCoverFrame(
    colors,
    [0.66, 0.22],
    [
      group({ fill: white, 'fill-opacity': 0.055, stroke: white, 'stroke-opacity': 0.32 }, [
        ...rings.map((radius) =>
          path(hill(430 - radius * 0.1, 148 + radius * 0.14, radius, 1.3, 0)),
        ),
        ...range(4).map((i) => path(hill(96, 300, 120 - i * 30, 1.25, 4))),
      ]),
      path('M80 292C150 330 250 332 320 300S470 300 560 318', {
        ...hairline,
        'stroke-dasharray': '2 7',
        'stroke-opacity': 0.7,
        'stroke-width': 2,
        'stroke-linecap': 'round',
      }),
      path('M212 244C190 190 150 130 190 84', {
        ...hairline,
        'stroke-dasharray': '2 7',
        'stroke-opacity': 0.7,
        'stroke-width': 2,
        'stroke-linecap': 'round',
      }),
      [
        [colors.deep, 11, 0.4],
        [colors.spark, 5, null],
      ]
        .map(([stroke, width, opacity]) =>
          path('M80 292C120 250 170 262 212 244S300 190 330 206s50-2 84-56', {
            fill: 'none',
            stroke,
            'stroke-opacity': opacity,
            'stroke-width': width,
            'stroke-linecap': 'round',
          }),
        )
        .join(''),
      circle(80, 292, 11, { fill: colors.deep, stroke: colors.spark, 'stroke-width': 4 }),
      circle(212, 244, 7, { fill: white }),
      circle(330, 206, 7, { fill: white }),
      circle(190, 84, 5, { fill: white, 'fill-opacity': 0.6 }),
      circle(560, 318, 5, { fill: white, 'fill-opacity': 0.6 }),
      path('M414 150V78', { stroke: white, 'stroke-width': 3, 'stroke-linecap': 'round' }),
      path('M415 78c22-12 34 12 58 0v36c-24 12-36-12-58 0z', { fill: colors.spark }),
      element('ellipse', {
        cx: 414,
        cy: 151,
        rx: 15,
        ry: 6,
        fill: colors.deep,
        'fill-opacity': 0.5,
      }),
      circle(414, 150, 4, { fill: white }),
    ],
  )
}

/** Draws the results so far as columns, and a fan of future scenarios. */
export function drawFinance(colors: Palette): string {
  const heights = [58, 74, 66, 96, 112, 104, 140]
  const [originX, originY] = [356, 168]
  const fan = (spread: number, opacity: number) =>
    path(
      `M${originX} ${originY}C440 ${round(150 - spread * 0.1)} 540 ${round(112 - spread * 0.6)} 660 ${round(70 - spread)}V${round(70 + spread)}C540 ${round(112 + spread * 0.6)} 440 ${round(150 + spread * 0.2)} ${originX} ${originY}z`,
      { fill: colors.light, 'fill-opacity': opacity },
    )

  return drawCoverFrame(
    colors,
    [0.84, 0.1],
    [
      path(
        range(14)
          .map((i) => `M${36 + i * 46} 0v360`)
          .join('') +
          range(11)
            .map((i) => `M0 ${20 + i * 32}h640`)
            .join(''),
        { ...hairline, 'stroke-opacity': 0.1 },
      ),
      rect(312, 0, 46, 360, 0, { fill: white, 'fill-opacity': 0.07 }),
      fan(128, 0.13),
      fan(78, 0.18),
      fan(34, 0.26),
      heights
        .map((height, i) => {
          const x = 42 + i * 46
          return (
            rect(x + 4, 312 - height, 34, height, 5, { fill: 'url(#m)' }) +
            rect(x + 4, 312 - height, 34, height, 5, { fill: 'none', stroke: 'url(#e)' })
          )
        })
        .join(''),
      path('M0 312h640', { ...hairline, 'stroke-opacity': 0.6 }),
      range(6)
        .map((i) =>
          rect(368 + i * 46, 312 - 150 - i * 15, 34, 150 + i * 15, 5, {
            fill: white,
            'fill-opacity': 0.06,
            stroke: white,
            'stroke-opacity': 0.4,
            'stroke-dasharray': '3 4',
          }),
        )
        .join(''),
      path(`M-10 262C60 250 110 236 160 226S280 206 ${originX} ${originY}`, {
        fill: 'none',
        stroke: white,
        'stroke-width': 3.5,
      }),
      path(`M${originX} ${originY}C440 150 540 112 660 70`, {
        fill: 'none',
        stroke: colors.spark,
        'stroke-width': 3.5,
        'stroke-dasharray': '9 7',
      }),
      circle(originX, originY, 15, { fill: colors.spark, 'fill-opacity': 0.3 }),
      circle(originX, originY, 7.5, { fill: colors.spark, stroke: white, 'stroke-width': 2 }),
      range(13)
        .map((i) =>
          rect(42 + i * 46, 324, 34, 8, 4, { fill: white, 'fill-opacity': i < 7 ? 0.5 : 0.22 }),
        )
        .join(''),
    ],
    linear(
      'm',
      [0, 0, 0, 1],
      [
        [0, colors.light, 0.95],
        [1, colors.hue, 0.55],
      ],
    ),
  )
}
