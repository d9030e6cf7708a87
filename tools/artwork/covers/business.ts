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

type Task = { x: number; width: number; doneShare: number }

/** Draws a plan: tasks that start when the task before them is done, a milestone, and today. */
export function drawProjectManagement(colors: Palette): string {
  const tasks: Task[] = [
    { x: 34, width: 170, doneShare: 1 },
    { x: 148, width: 150, doneShare: 1 },
    { x: 220, width: 206, doneShare: 0.8 },
    { x: 352, width: 130, doneShare: 0.3 },
    { x: 410, width: 150, doneShare: 0 },
    { x: 446, width: 130, doneShare: 0 },
  ]
  const getRowY = (row: number) => 48 + row * 50

  const dayLines = range(13).map((index) => `M${index * 52 + 6} -20v400`)
  const rowBackgrounds = range(6).map((row) =>
    rect(-20, getRowY(row) - 9, 700, 50, 0, {
      fill: white,
      'fill-opacity': row % 2 ? 0.03 : 0.07,
    }),
  )
  const links = tasks.slice(0, -1).map(({ x, width }, row) => {
    const nextTaskX = tasks[row + 1]?.x ?? 0
    const linkX = Math.min(x + width - 26, nextTaskX + 26)
    return `M${linkX} ${getRowY(row) + 32}v18`
  })
  const drawTask = ({ x, width, doneShare }: Task, y: number) => {
    const done = rect(x, y, width * doneShare, 32, 16, {
      fill: colors.light,
      'fill-opacity': 0.88,
    })
    return [
      rect(x + 5, y + 8, width, 32, 16, { fill: colors.deep, 'fill-opacity': 0.35 }),
      rect(x, y, width, 32, 16, { fill: colors.hue }),
      rect(x, y, width, 32, 16, glass),
      doneShare > 0 ? done : '',
    ].join('')
  }
  const milestone = path(`m596 ${getRowY(5) - 4} 20 20-20 20-20-20z`, {
    fill: colors.spark,
    stroke: colors.deep,
    'stroke-opacity': 0.4,
    'stroke-width': 3,
  })

  return drawCoverFrame(
    colors,
    [0.82, 0.2],
    group({ transform: 'skewY(-7) translate(0 40)' }, [
      path(dayLines.join(''), { ...hairline, 'stroke-opacity': 0.1 }),
      rowBackgrounds.join(''),
      path(links.join(''), { ...hairline, 'stroke-opacity': 0.7, 'stroke-width': 1.5 }),
      tasks.map((task, row) => drawTask(task, getRowY(row))).join(''),
      // The line marks today.
      path('M384 -20v420', { stroke: colors.spark, 'stroke-width': 2 }),
      circle(384, 26, 6, { fill: colors.spark }),
      milestone,
    ]),
  )
}

/** Draws a map with contour lines, and the chosen way through it. */
export function drawStrategy(colors: Palette): string {
  const drawHill = createHillPainter()
  const hillRadii = range(7).map((index) => 208 - index * 30)
  const contourLines = [
    ...hillRadii.map((radius) =>
      drawHill({
        cx: 430 - radius * 0.1,
        cy: 148 + radius * 0.14,
        radius,
        stretch: 1.3,
        phase: 0,
      }),
    ),
    ...range(4).map((index) =>
      drawHill({ cx: 96, cy: 300, radius: 120 - index * 30, stretch: 1.25, phase: 4 }),
    ),
  ]

  const otherWayStyle = {
    ...hairline,
    'stroke-dasharray': '2 7',
    'stroke-opacity': 0.7,
    'stroke-width': 2,
    'stroke-linecap': 'round',
  }
  const otherWays = [
    path('M80 292C150 330 250 332 320 300S470 300 560 318', otherWayStyle),
    path('M212 244C190 190 150 130 190 84', otherWayStyle),
  ]

  const drawChosenWay = (stroke: string, width: number, opacity: number | null) =>
    path('M80 292C120 250 170 262 212 244S300 190 330 206s50-2 84-56', {
      fill: 'none',
      stroke,
      'stroke-opacity': opacity,
      'stroke-width': width,
      'stroke-linecap': 'round',
    })

  return drawCoverFrame(
    colors,
    [0.66, 0.22],
    [
      group(
        { fill: white, 'fill-opacity': 0.055, stroke: white, 'stroke-opacity': 0.32 },
        contourLines,
      ),
      ...otherWays,
      drawChosenWay(colors.deep, 11, 0.4) + drawChosenWay(colors.spark, 5, null),
      // The start, the stops of the chosen way, and the ends of the other ways.
      circle(80, 292, 11, { fill: colors.deep, stroke: colors.spark, 'stroke-width': 4 }),
      circle(212, 244, 7, { fill: white }),
      circle(330, 206, 7, { fill: white }),
      circle(190, 84, 5, { fill: white, 'fill-opacity': 0.6 }),
      circle(560, 318, 5, { fill: white, 'fill-opacity': 0.6 }),
      // The flag at the goal.
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

type Hill = { cx: number; cy: number; radius: number; stretch: number; phase: number }

/** Returns a function that draws a contour line. All contour lines have the same irregularities. */
function createHillPainter(): (hill: Hill) => string {
  const nextRandom = random('strategy')
  const irregularities = range(8).map(() => 0.84 + nextRandom() * 0.32)

  return ({ cx, cy, radius, stretch, phase }) => {
    const points = range(8).map((index): Point => {
      const irregularity = (irregularities[(index + phase) % 8] ?? 0) - 1
      const pointRadius = radius * (1 + irregularity * (0.5 + radius / 260))
      const [x, y] = polar(0, 0, pointRadius, index / 8)
      return [Math.round(cx + x * stretch), Math.round(cy + y)]
    })
    return path(smooth(points, true))
  }
}

/** Draws the results so far as columns, and a fan of future scenarios. */
export function drawFinance(colors: Palette): string {
  const pastHeights = [58, 74, 66, 96, 112, 104, 140]
  const columnDistance = 46
  const baselineY = 312
  const [todayX, todayY] = [356, 168]

  const gridLines = [
    ...range(14).map((index) => `M${36 + index * columnDistance} 0v360`),
    ...range(11).map((index) => `M0 ${20 + index * 32}h640`),
  ]
  const drawScenarios = (spread: number, opacity: number) =>
    path(
      [
        `M${todayX} ${todayY}`,
        `C440 ${round(150 - spread * 0.1)} 540 ${round(112 - spread * 0.6)} 660 ${round(70 - spread)}`,
        `V${round(70 + spread)}`,
        `C540 ${round(112 + spread * 0.6)} 440 ${round(150 + spread * 0.2)} ${todayX} ${todayY}z`,
      ].join(''),
      { fill: colors.light, 'fill-opacity': opacity },
    )

  const pastColumns = pastHeights.map((height, index) => {
    const x = 46 + index * columnDistance
    const y = baselineY - height
    return (
      rect(x, y, 34, height, 5, { fill: 'url(#m)' }) +
      rect(x, y, 34, height, 5, { fill: 'none', stroke: 'url(#e)' })
    )
  })
  const futureColumns = range(6).map((index) => {
    const height = 150 + index * 15
    return rect(368 + index * columnDistance, baselineY - height, 34, height, 5, {
      fill: white,
      'fill-opacity': 0.06,
      stroke: white,
      'stroke-opacity': 0.4,
      'stroke-dasharray': '3 4',
    })
  })
  const labels = range(13).map((index) =>
    rect(42 + index * columnDistance, 324, 34, 8, 4, {
      fill: white,
      'fill-opacity': index < pastHeights.length ? 0.5 : 0.22,
    }),
  )

  const pastLine = path(`M-10 262C60 250 110 236 160 226S280 206 ${todayX} ${todayY}`, {
    fill: 'none',
    stroke: white,
    'stroke-width': 3.5,
  })
  const futureLine = path(`M${todayX} ${todayY}C440 150 540 112 660 70`, {
    fill: 'none',
    stroke: colors.spark,
    'stroke-width': 3.5,
    'stroke-dasharray': '9 7',
  })
  const columnGradient = linear(
    'm',
    [0, 0, 0, 1],
    [
      [0, colors.light, 0.95],
      [1, colors.hue, 0.55],
    ],
  )

  return drawCoverFrame(
    colors,
    [0.84, 0.1],
    [
      path(gridLines.join(''), { ...hairline, 'stroke-opacity': 0.1 }),
      rect(312, 0, 46, 360, 0, { fill: white, 'fill-opacity': 0.07 }),
      drawScenarios(128, 0.13),
      drawScenarios(78, 0.18),
      drawScenarios(34, 0.26),
      pastColumns.join(''),
      path(`M0 ${baselineY}h640`, { ...hairline, 'stroke-opacity': 0.6 }),
      futureColumns.join(''),
      pastLine,
      futureLine,
      circle(todayX, todayY, 15, { fill: colors.spark, 'fill-opacity': 0.3 }),
      circle(todayX, todayY, 7.5, { fill: colors.spark, stroke: white, 'stroke-width': 2 }),
      labels.join(''),
    ],
    columnGradient,
  )
}
