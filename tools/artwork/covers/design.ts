/** The subjects of covers of the category design. */
import type { Palette } from '../palette.ts'
import { circle, element, group, linear, type Point, path, rect } from '../svg.ts'
import { drawCoverFrame, glass, hairline, range, white } from './frame.ts'

/** Draws screens and controls, with the guides to which a designer aligns them. */
export function drawInterfaceDesign(colors: Palette): string {
  const guides = path('M0 62h640M0 298h640M128 0v360M334 0v360M512 0v360', {
    ...hairline,
    'stroke-dasharray': '3 6',
    'stroke-opacity': 0.35,
  })
  const pointer = path('m468 236 62 24-27 11-11 27z', {
    fill: white,
    stroke: colors.deep,
    'stroke-width': 2.5,
    'stroke-linejoin': 'round',
  })
  const corners: Point[] = [
    [128, 62],
    [334, 62],
    [128, 298],
    [334, 298],
  ]
  const pictureGradient = linear(
    'p',
    [0, 0, 0, 1],
    [
      [0, colors.light, 0.95],
      [1, colors.hue, 0.8],
    ],
  )

  return drawCoverFrame(
    colors,
    [0.72, 0.12],
    [
      guides,
      circle(470, 190, 150, { fill: 'url(#g)', 'fill-opacity': 0.5 }),
      drawPictureCard(colors),
      drawControlCard(colors),
      pointer,
      group(
        { fill: colors.spark },
        corners.map(([x, y]) => rect(x - 4, y - 4, 8, 8, 1)),
      ),
    ],
    pictureGradient,
  )
}

/** Draws a card with a picture of mountains, two lines of text and two buttons. */
function drawPictureCard(colors: Palette): string {
  const drawTextLine = (y: number, width: number, opacity: number, height = 9) =>
    rect(16, y, width, height, height / 2, { fill: white, 'fill-opacity': opacity })

  return group({ transform: 'translate(128 62)' }, [
    rect(10, 16, 206, 236, 22, { fill: colors.deep, 'fill-opacity': 0.35 }),
    rect(0, 0, 206, 236, 22, { fill: colors.mid }),
    rect(0, 0, 206, 236, 22, glass),
    rect(16, 16, 174, 92, 12, { fill: 'url(#p)' }),
    circle(58, 62, 24, { fill: colors.spark }),
    path('M16 96 76 54l38 28 30-20 46 34v12H16z', { fill: colors.deep, 'fill-opacity': 0.45 }),
    drawTextLine(124, 118, 0.9, 12),
    drawTextLine(146, 166, 0.45),
    drawTextLine(162, 140, 0.45),
    rect(16, 188, 92, 32, 16, { fill: white }),
    rect(118, 188, 72, 32, 16, {
      fill: 'none',
      stroke: white,
      'stroke-opacity': 0.7,
      'stroke-width': 1.5,
    }),
  ])
}

/** Draws a card with a person, a switch, a slider and four tags. */
function drawControlCard(colors: Palette): string {
  const tags = range(4).map((index) =>
    rect(20 + index * 44, 112, 36, 16, 8, {
      fill: colors.hue,
      'fill-opacity': 0.85 - index * 0.22,
    }),
  )

  return group({ transform: 'translate(300 118)' }, [
    rect(8, 14, 212, 146, 18, { fill: colors.deep, 'fill-opacity': 0.3 }),
    rect(0, 0, 212, 146, 18, { fill: colors.light, 'fill-opacity': 0.94 }),
    circle(36, 38, 16, { fill: colors.hue }),
    rect(64, 26, 86, 9, 4.5, { fill: colors.deep, 'fill-opacity': 0.75 }),
    rect(64, 42, 56, 8, 4, { fill: colors.deep, 'fill-opacity': 0.3 }),
    rect(166, 28, 34, 20, 10, { fill: colors.mid }),
    circle(190, 38, 7, { fill: white }),
    rect(20, 84, 172, 6, 3, { fill: colors.deep, 'fill-opacity': 0.16 }),
    rect(20, 84, 104, 6, 3, { fill: colors.hue }),
    circle(124, 87, 11, { fill: white, stroke: colors.hue, 'stroke-width': 3 }),
    tags.join(''),
  ])
}

/** Draws two letters as geometry, with the lines and handles on which they are built. */
export function drawTypography(colors: Palette): string {
  const gridLines = [
    ...range(16).map((index) => `M${index * 44 - 10} 0v360`),
    ...range(9).map((index) => `M0 ${28 + index * 44}h640`),
  ]

  const capitalLetter = 'M196 44 86 292h52l24-58h106l24 58h54L236 44zm19 62 33 84h-68z'
  const letterGradient = linear(
    't',
    [0, 0, 0.4, 1],
    [
      [0, white, 0.95],
      [1, colors.light, 0.6],
    ],
  )

  const squareHandles: Point[] = [
    [430, 116],
    [518, 204],
    [430, 292],
    [342, 204],
  ]
  const roundHandles: Point[] = [
    [382, 116],
    [478, 116],
    [518, 156],
    [518, 252],
    [382, 292],
    [478, 292],
    [342, 156],
    [342, 252],
  ]
  const handles = group({ fill: colors.deep, stroke: white, 'stroke-width': 1.5 }, [
    ...squareHandles.map(([x, y]) => rect(x - 5, y - 5, 10, 10, 1)),
    ...roundHandles.map(([x, y]) => circle(x, y, 4)),
  ])

  return drawCoverFrame(
    colors,
    [0.2, 0.14],
    [
      path(gridLines.join(''), { ...hairline, 'stroke-opacity': 0.09 }),
      path(capitalLetter, { fill: 'url(#t)', 'fill-rule': 'evenodd' }),
      path(capitalLetter, {
        fill: 'none',
        stroke: 'url(#e)',
        'stroke-width': 1.5,
        'fill-rule': 'evenodd',
      }),
      // The small letter is a circle and a stem.
      circle(430, 204, 66, { fill: 'none', stroke: colors.spark, 'stroke-width': 44 }),
      path('M474 116h44v176h-44z', { fill: colors.spark }),
      // The cap height, the x-height and the baseline, and the line of descenders.
      path('M0 44h640M0 116h640M0 292h640', { ...hairline, 'stroke-opacity': 0.75 }),
      path('M0 336h640', { ...hairline, 'stroke-dasharray': '3 6', 'stroke-opacity': 0.5 }),
      circle(430, 204, 88, { fill: 'none', stroke: white, 'stroke-width': 1.2 }),
      path('M382 116h96M518 156v96M382 292h96M342 156v96', { stroke: white, 'stroke-width': 1.2 }),
      handles,
      // The measure of the x-height.
      path('M568 116v176M562 116h12M562 292h12', {
        stroke: white,
        'stroke-opacity': 0.8,
        'stroke-width': 1.5,
      }),
    ],
    letterGradient,
  )
}

/** Draws the tiles of a system, which repeats and combines a few parts. One tile is taken out. */
export function drawDesignSystems(colors: Palette): string {
  const tileSize = 80
  const shapes = {
    a: path('M0 0h80a80 80 0 0 1-80 80z'),
    b: circle(40, 40, 28),
    c: path('M0 80V40a40 40 0 0 1 80 0v40z'),
    d: path('M0 0h80L0 80z'),
    e: path('M0 0h80v26H0zM0 54h80v26H0z'),
  }
  const definitions = Object.entries(shapes).map(([id, shape]) => element('g', { id }, shape))

  // Each letter is the shape of a tile. The dot is the tile that is taken out.
  const tileRows = ['abcdaecb', 'dcaebdca', 'bedc.abe', 'cadbecda', 'ebacdbea']
  const tileColors = [colors.hue, colors.light, colors.mid, white, colors.deep]
  const drawTile = (shapeId: string, column: number, row: number) => {
    if (shapeId === '.') {
      return ''
    }

    const turn = ((column * 7 + row * 5) % 4) * 90
    const distance = Math.hypot(column - 4.2, (row - 2) * 1.2)
    const position = `translate(${column * tileSize} ${row * tileSize - 20})`
    return element('use', {
      href: `#${shapeId}`,
      fill: tileColors[(column * 3 + row * 2) % 5],
      'fill-opacity': 0.12 + 0.5 * Math.max(0, 1 - distance / 4.6),
      transform: turn ? `${position}rotate(${turn} 40 40)` : position,
    })
  }
  const tiles = tileRows.flatMap((shapeIds, row) =>
    [...shapeIds].map((shapeId, column) => drawTile(shapeId, column, row)),
  )

  const gridLines = [
    ...range(7).map((index) => `M${(index + 1) * tileSize} 0v360`),
    ...range(5).map((index) => `M0 ${60 + index * tileSize}h640`),
  ]
  const removedTile = [
    rect(320, 140, 80, 80, 0, { fill: colors.deep, 'fill-opacity': 0.5 }),
    rect(306, 132, 118, 118, 20, { fill: colors.deep, 'fill-opacity': 0.35 }),
    rect(300, 112, 120, 120, 18, { fill: white }),
    path('M322 210v-38a38 38 0 0 1 76 0v38z', { fill: colors.hue }),
    circle(360, 172, 17, { fill: colors.spark }),
  ]
  const measures = group({ fill: 'none', stroke: white, 'stroke-opacity': 0.85 }, [
    path('M284 112h-12M284 232h-12M278 112v120M300 96v-12M420 96v-12M300 90h120'),
  ])

  return drawCoverFrame(
    colors,
    [0.62, 0.3],
    [
      ...tiles,
      path(gridLines.join(''), { ...hairline, 'stroke-opacity': 0.16 }),
      ...removedTile,
      measures,
    ],
    definitions.join(''),
  )
}
