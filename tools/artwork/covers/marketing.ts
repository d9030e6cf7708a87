/** The subjects of covers of the category marketing. */
import type { Palette } from '../palette.ts'
import { circle, element, group, linear, type Point, path, random, rect, smooth } from '../svg.ts'
import { drawCoverFrame, glass, hairline, polar, range, white } from './frame.ts'

const customerColor = '#5b4cf0'
const funnelTop = 96

/** Draws a funnel that many people enter, and some leave as customers. */
export function drawDigitalMarketing(colors: Palette): string {
  const getRadius = (depth: number) => 26 + 214 * ((11 - depth) / 11) ** 1.7
  const getRing = (depth: number) => ({
    cx: 320,
    cy: funnelTop + depth * 19,
    rx: getRadius(depth),
    ry: getRadius(depth) * 0.27,
  })
  const getSidePoint = (side: number, index: number): Point => [
    320 + side * getRadius(index * 1.83),
    funnelTop + index * 34.8,
  ]

  const leftSide = smooth(range(7).map((index) => getSidePoint(-1, index)))
  const rightSide = smooth(range(7).map((index) => getSidePoint(1, index)))
  const rightSideUpwards = smooth(range(7).map((index) => getSidePoint(1, 6 - index)))
  const rings = range(12).map((depth) =>
    element('ellipse', {
      ...getRing(depth),
      fill: 'none',
      stroke: white,
      'stroke-opacity': 0.7 - depth * 0.03,
      'stroke-width': depth ? 1 : 1.8,
    }),
  )

  const peopleInFunnel: Point[] = [
    [286, 168],
    [352, 186],
    [312, 214],
    [330, 250],
  ]
  const paths = path(
    'M-10 300c60-40 100-40 160 0s90 30 120 14M650 300c-60-40-100-40-160 0s-90 30-120 14M-10 330c60-40 100-40 160 0s90 26 130 6M650 330c-60-40-100-40-160 0s-90 26-130 6',
    { ...hairline, 'stroke-opacity': 0.25 },
  )
  const funnelGradient = linear(
    'f',
    [0, 0, 0, 1],
    [
      [0, colors.deep, 0.15],
      [1, colors.deep, 0.6],
    ],
  )

  return drawCoverFrame(
    colors,
    [0.5, 0.16],
    [
      path(`${leftSide}H346L${rightSideUpwards.slice(1)}z`, { fill: 'url(#f)' }),
      element('ellipse', { ...getRing(0), fill: 'url(#g)' }),
      rings.join(''),
      path(leftSide + rightSide, {
        fill: 'none',
        stroke: white,
        'stroke-opacity': 0.7,
        'stroke-width': 1.5,
      }),
      drawCrowd(colors),
      peopleInFunnel.map(([x, y]) => circle(x, y, 5, { fill: white })).join(''),
      circle(320, 330, 22, { fill: customerColor, 'fill-opacity': 0.35 }),
      circle(320, 330, 12, { fill: customerColor, stroke: white, 'stroke-width': 2.5 }),
      paths,
    ],
    funnelGradient,
  )
}

/** Draws the people above the funnel as dots of five kinds. */
function drawCrowd(colors: Palette): string {
  const people = createCrowd()
  const kinds = [
    { color: colors.light, size: 6 },
    { color: white, size: 9 },
    { color: customerColor, size: 11 },
    { color: white, size: 12 },
    { color: colors.light, size: 7 },
  ]

  return kinds
    .map(({ color, size }, kind) => {
      const peopleOfKind = people.filter((_, index) => index % kinds.length === kind)
      return path(peopleOfKind.map(([x, y]) => `M${x} ${y}h0`).join(''), {
        stroke: color,
        'stroke-width': size,
        'stroke-linecap': 'round',
      })
    })
    .join('')
}

/** Returns random points in an ellipse, with a distance from each other. */
function createCrowd(): Point[] {
  const nextRandom = random('funnel')
  const people: Point[] = []
  for (let attempt = 0; people.length < 40 && attempt < 900; attempt++) {
    const [unitX, unitY] = polar(0, 0, Math.sqrt(nextRandom()), nextRandom())
    const x = Math.round(320 + unitX * 330)
    const y = Math.round(66 + unitY * 64)
    if (people.every(([otherX, otherY]) => Math.hypot(otherX - x, (otherY - y) * 1.5) > 34)) {
      people.push([x, y])
    }
  }

  return people
}

/** Draws a list of search results, and the lens that finds the right one. */
export function drawContentSearch(colors: Palette): string {
  const topics: Point[] = [
    [86, 84],
    [48, 176],
    [112, 246],
    [64, 316],
    [150, 148],
  ]
  const drawTopic = ([x, y]: Point, index: number) => {
    const isMainTopic = index === 4
    return circle(x, y, 7 + (index % 3) * 3, {
      fill: isMainTopic ? white : colors.light,
      'fill-opacity': isMainTopic ? null : 0.6,
    })
  }
  const topicLinks = path(
    'M86 84 150 148 48 176 112 246 64 316M150 148 112 246M86 84 48 176M150 148 232 84M112 246l120-40M150 148l82 58',
    { ...hairline, 'stroke-opacity': 0.4 },
  )

  const lengths = [1, 0.8, 0.95, 0.7, 0.86]
  const results = lengths.map((length, index) => drawResult(index * 64, length))

  const lensGradient = linear(
    'w',
    [0, 0, 1, 1],
    [
      [0, white, 0.3],
      [0.5, white, 0],
      [1, white, 0.12],
    ],
  )

  return drawCoverFrame(
    colors,
    [0.76, 0.18],
    [
      topicLinks,
      topics.map(drawTopic).join(''),
      group({ transform: 'translate(222 26)' }, results),
      ...drawLens(colors),
    ],
    element('clipPath', { id: 'k' }, circle(444, 164, 92)) + lensGradient,
  )
}

/** Draws a search result: a picture and two lines of text. */
function drawResult(y: number, length: number): string {
  return group({ transform: `translate(0 ${y})` }, [
    rect(0, 0, 330, 50, 12, glass),
    circle(27, 25, 11, { fill: white, 'fill-opacity': 0.45 }),
    rect(50, 13, 150 * length, 9, 4.5, { fill: white, 'fill-opacity': 0.75 }),
    rect(50, 29, 230 * length, 7, 3.5, { fill: white, 'fill-opacity': 0.4 }),
  ])
}

/** Draws the lens with its handle, and the enlarged result in it. */
function drawLens(colors: Palette): string[] {
  const handleShadow = group(
    { transform: 'translate(16 20)' },
    path('m520 240 62 62', {
      stroke: colors.deep,
      'stroke-opacity': 0.4,
      'stroke-width': 26,
      'stroke-linecap': 'round',
    }),
  )
  const enlargedResult = group({ transform: 'translate(324 128) scale(1.45)' }, [
    group({ fill: white, 'fill-opacity': 0.25 }, [
      rect(0, -64, 330, 50, 12),
      rect(0, 64, 330, 50, 12),
    ]),
    rect(0, 0, 330, 50, 12, { fill: white }),
    circle(44, 25, 12, { fill: colors.hue }),
    rect(68, 12, 90, 10, 5, { fill: colors.deep, 'fill-opacity': 0.8 }),
    rect(68, 29, 90, 7, 3.5, { fill: colors.mid, 'fill-opacity': 0.4 }),
  ])
  const reflection = path('M374 130a78 78 0 0 1 44-40', {
    fill: 'none',
    stroke: white,
    'stroke-width': 5,
    'stroke-linecap': 'round',
    'stroke-opacity': 0.8,
  })

  return [
    handleShadow,
    path('m512 232 66 66', { stroke: colors.deep, 'stroke-width': 24, 'stroke-linecap': 'round' }),
    path('m534 254 44 44', { stroke: colors.light, 'stroke-width': 10, 'stroke-linecap': 'round' }),
    circle(444, 164, 100, { fill: colors.mid }),
    element('g', { 'clip-path': 'url(#k)' }, enlargedResult),
    circle(444, 164, 92, { fill: 'url(#w)', stroke: colors.deep, 'stroke-width': 12 }),
    circle(444, 164, 98, { fill: 'none', stroke: 'url(#e)', 'stroke-width': 2 }),
    reflection,
  ]
}
