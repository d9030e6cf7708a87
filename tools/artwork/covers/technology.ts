/** The subjects of covers of the category technology. */
import type { Palette } from '../palette.ts'
import {
  type Attributes,
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
import { drawCoverFrame, glass, hairline, range, white } from './frame.ts'

/** Draws structure, style and behavior as three planes that float above each other. */
export function drawWebDevelopment(colors: Palette): string {
  const drawPlane = (y: number, opacity: number, content: string[]) =>
    group({ transform: `matrix(.9 .42 -.9 .42 330 ${y})` }, [
      rect(8, 8, 210, 210, 14, {
        fill: colors.deep,
        'fill-opacity': 0.28,
        transform: 'translate(14 14)',
      }),
      rect(0, 0, 210, 210, 14, { fill: colors.mid, 'fill-opacity': opacity }),
      rect(0, 0, 210, 210, 14, glass),
      String(content),
    ])

  const floorLines = range(9).map(
    (index) => `M${-40 + index * 90} -10l-400 187M${-140 + index * 90} -10l800 374`,
  )
  const structurePlane = drawPlane(152, 0.5, [
    path('M18 40h174M62 40v152M62 116h130M127 116v76', {
      fill: 'none',
      stroke: white,
      'stroke-opacity': 0.65,
      'stroke-width': 1.5,
    }),
    circle(24, 22, 4, { fill: white, 'fill-opacity': 0.7 }),
    circle(38, 22, 4, { fill: white, 'fill-opacity': 0.4 }),
  ])
  const stylePlane = drawPlane(88, 0.42, [
    rect(18, 18, 84, 112, 8, { fill: colors.light, 'fill-opacity': 0.75 }),
    rect(114, 18, 78, 52, 8, { fill: colors.hue }),
    rect(114, 82, 78, 48, 8, { fill: white, 'fill-opacity': 0.45 }),
    rect(18, 142, 174, 50, 8, { fill: colors.spark, 'fill-opacity': 0.85 }),
  ])
  // The symbol of code: </>
  const behaviorPlane = drawPlane(24, 0.36, [
    path('M66 52 36 105l30 53M144 52l30 53-30 53M119 52 91 158', {
      fill: 'none',
      stroke: white,
      'stroke-width': 10,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  ])
  const verticalLines = path('M141 112v128M519 112v128M330 200v128', {
    ...hairline,
    'stroke-dasharray': '2 5',
    'stroke-opacity': 0.5,
  })

  return drawCoverFrame(
    colors,
    [0.28, 0.16],
    [
      path(floorLines.join(''), { ...hairline, 'stroke-opacity': 0.08 }),
      structurePlane,
      stylePlane,
      behaviorPlane,
      verticalLines,
    ],
  )
}

/** Draws two braided ribbons over lines of indented code. */
export function drawPython(colors: Palette): string {
  // The ribbons are waves in opposite directions. A second part of the first ribbon, v, is drawn
  // above the second ribbon.
  const createWave = (sign: number, startX: number, endX: number) =>
    smooth(
      range((endX - startX) / 40 + 1).map((index) => {
        const x = startX + index * 40
        return [x, 180 + sign * 82 * Math.sin(((x - 60) * Math.PI) / 175)]
      }),
    )
  const strands = [
    path(createWave(1, -20, 660), { id: 'x' }),
    path(createWave(-1, -20, 580), { id: 'y' }),
    path(createWave(1, 180, 300), { id: 'v' }),
  ]
  const drawRibbon = (id: string, stroke: string) => {
    const layers: Attributes[] = [
      { stroke: colors.deep, 'stroke-opacity': 0.28, 'stroke-width': 62 },
      { stroke, 'stroke-width': 50 },
      { stroke: white, 'stroke-opacity': 0.32, y: -13 },
      { stroke: white, 'stroke-opacity': 0.18, y: 11 },
    ]
    return layers.map((layer) => element('use', { href: `#${id}`, ...layer })).join('')
  }

  const indents = [0, 1, 2, 2, 1, 2, 3, 3, 1, 0]
  const lengths = [150, 210, 170, 120, 240, 190, 130, 200, 160, 110]
  const codeLines = indents.map((indent, index) =>
    rect(48 + indent * 44, 26 + index * 32, (lengths[index] ?? 0) * 1.5, 12, 6),
  )

  const [eyeX, eyeY] = [588, 170]
  const eye =
    circle(eyeX, eyeY, 5.5, { fill: colors.deep }) +
    circle(eyeX + 1.5, eyeY - 1.8, 1.8, { fill: white })

  const userSpace = { gradientUnits: 'userSpaceOnUse' }
  const firstGradient = linear(
    'r',
    [0, 0, 640, 0],
    [
      [0, colors.mid],
      [0.5, colors.hue],
      [1, colors.light],
    ],
    userSpace,
  )
  const secondGradient = linear(
    'q',
    [0, 0, 640, 0],
    [
      [0, '#ffe3b0'],
      [0.55, colors.spark],
      [1, '#e8873f'],
    ],
    userSpace,
  )

  return drawCoverFrame(
    colors,
    [0.78, 0.14],
    [
      group({ fill: white, 'fill-opacity': 0.15 }, codeLines),
      group({ fill: 'none' }, [
        drawRibbon('x', 'url(#r)'),
        group({ 'stroke-linecap': 'round' }, drawRibbon('y', 'url(#q)')),
        drawRibbon('v', 'url(#r)'),
        eye,
      ]),
    ],
    [...strands, firstGradient, secondGradient].join(''),
  )
}

/** Draws a binary tree with one searched path, above the array in which it is stored. */
export function drawAlgorithms(colors: Palette): string {
  const levels = [0, 1, 2, 3]
  const radii = [23, 19, 15, 12]
  /** For each level, the index of the node on the searched path. */
  const searchedIndexes = [0, 1, 2, 5]

  const getNode = (level: number, index: number): Point => [
    320 + ((index + 0.5) / 2 ** level - 0.5) * 560,
    62 + level * 66,
  ]
  const formatEdge = ([x1, y1]: Point, [x2, y2]: Point) =>
    `M${round(x1)} ${round(y1)}C${round(x1)} ${round(y1 + 34)} ${round(x2)} ${round(y2 - 34)} ${round(x2)} ${round(y2)}`

  const levelLines = range(4).map((index) => `M0 ${62 + index * 66}h640`)
  const edges = levels
    .slice(1)
    .flatMap((level) =>
      range(2 ** level).map((index) =>
        formatEdge(getNode(level - 1, Math.floor(index / 2)), getNode(level, index)),
      ),
    )
  const searchedEdges = searchedIndexes
    .slice(1)
    .map((index, level) =>
      formatEdge(getNode(level, searchedIndexes[level] ?? 0), getNode(level + 1, index)),
    )

  const drawNode = (level: number, index: number) => {
    const [x, y] = getNode(level, index)
    const radius = radii[level] ?? 0
    if (searchedIndexes[level] === index) {
      return circle(x, y, radius + 2, { fill: colors.spark })
    }

    return circle(x, y, radius, {
      fill: level % 2 ? colors.hue : colors.mid,
      stroke: 'url(#e)',
      'stroke-width': 1.5,
    })
  }
  const nodes = levels.flatMap((level) => range(2 ** level).map((index) => drawNode(level, index)))

  const foundNode = getNode(3, 5)
  const cells = range(8).map((index) =>
    rect(43 + index * 70, 304, 64, 34, 7, index === 5 ? { fill: colors.spark } : glass),
  )

  return drawCoverFrame(
    colors,
    [0.5, 0.1],
    [
      path(levelLines.join(''), { ...hairline, 'stroke-opacity': 0.09 }),
      path(edges.join(''), { ...hairline, 'stroke-opacity': 0.45, 'stroke-width': 1.5 }),
      path(searchedEdges.join(''), { fill: 'none', stroke: colors.spark, 'stroke-width': 4 }),
      nodes.join(''),
      circle(...foundNode, 24, { fill: 'none', stroke: colors.spark, 'stroke-opacity': 0.5 }),
      cells.join(''),
      path(`M${round(foundNode[0])} 272v30`, {
        fill: 'none',
        stroke: colors.spark,
        'stroke-dasharray': '2 4',
        'stroke-width': 1.5,
      }),
    ],
  )
}

type DataPoint = {
  x: number
  y: number
  /** The distance from the boundary, which is negative above the boundary. */
  distance: number
}

/** Draws two kinds of points on both sides of a boundary with its margins. */
export function drawMachineLearning(colors: Palette): string {
  const getBoundaryY = (x: number) => 188 + 74 * Math.sin((x - 30) / 104) - (x - 320) * 0.16
  const boundary = smooth(
    range(12).map((index) => {
      const x = -20 + index * 62
      return [x, getBoundaryY(x)]
    }),
  )
  const copyBoundary = (y: number, style: Attributes = {}) =>
    element('use', { href: '#c', y, fill: 'none', ...style })
  const margins = [-118, -84, -54, -28, 28, 54, 84, 118].map((y) => copyBoundary(y))

  const points = createDataPoints(getBoundaryY)
  const pointsAbove = points.filter(({ distance }) => distance < 0)
  const pointsBelow = points.filter(({ distance }) => distance >= 0)
  // These points decide where the boundary is.
  const supportPoints = points.filter(({ distance }) => Math.abs(distance) < 44)

  const areaGradient = linear(
    'u',
    [0, 0, 0.6, 1],
    [
      [0, colors.spark, 0.4],
      [1, '#7a2b8f', 0.55],
    ],
  )

  return drawCoverFrame(
    colors,
    [0.2, 0.08],
    [
      path(`${boundary}V380H-20z`, { fill: 'url(#u)' }),
      group({ stroke: white, 'stroke-opacity': 0.15 }, margins),
      copyBoundary(0, { stroke: colors.deep, 'stroke-opacity': 0.35, 'stroke-width': 9 }),
      copyBoundary(0, { stroke: white, 'stroke-width': 3 }),
      drawDataPoints(pointsAbove, { color: colors.light, shape: 'round', sizes: [13, 9] }) +
        drawDataPoints(pointsBelow, { color: colors.spark, shape: 'square', sizes: [11, 8] }),
      group(
        { fill: 'none', stroke: white, 'stroke-opacity': 0.7 },
        supportPoints.slice(0, 8).map(({ x, y }) => circle(Math.round(x), Math.round(y), 13)),
      ),
    ],
    path(boundary, { id: 'c' }) + areaGradient,
  )
}

/** Creates random points with a distance from the boundary and from each other. */
function createDataPoints(getBoundaryY: (x: number) => number): DataPoint[] {
  const nextRandom = random('machine learning')
  const points: DataPoint[] = []
  for (let attempt = 0; points.length < 58 && attempt < 900; attempt++) {
    const x = 18 + nextRandom() * 604
    const y = 16 + nextRandom() * 328
    const distance = y - getBoundaryY(x)
    const isFree = points.every((point) => Math.hypot(point.x - x, point.y - y) > 33)
    if (Math.abs(distance) > 24 && isFree) {
      points.push({ x, y, distance })
    }
  }

  return points
}

type DataPointStyle = {
  color: string
  shape: 'round' | 'square'
  sizes: readonly [near: number, far: number]
}

/** Draws points. The points near the boundary are larger than those far from it. */
function drawDataPoints(
  points: readonly DataPoint[],
  { color, shape, sizes: [nearSize, farSize] }: DataPointStyle,
): string {
  const isNear = ({ distance }: DataPoint) => Math.abs(distance) < 62
  const draw = (drawnPoints: readonly DataPoint[], size: number) =>
    path(drawnPoints.map(({ x, y }) => `M${Math.round(x)} ${Math.round(y)}h0`).join(''), {
      stroke: color,
      'stroke-width': size,
      'stroke-linecap': shape,
    })

  return (
    draw(points.filter(isNear), nearSize) +
    draw(
      points.filter((point) => !isNear(point)),
      farSize,
    )
  )
}
