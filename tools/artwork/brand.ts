/** Draws the mark, the icons and the share picture of Learnify. */
import { drawGlobe } from './globe.ts'
import { accent, ink } from './palette.ts'
import { element, escapeText, group, linear, path, radial, rect } from './svg.ts'

const pageColor = '#d3ceff'

/** The gradient behind the mark. */
const markGround = linear(
  'g',
  [0, 0, 1, 1],
  [
    [0, '#7b6cff'],
    [1, '#4a3ad6'],
  ],
)

type MarkOptions = {
  /**
   * The radius of the corners in 32nds of the width, or 0 for icons that the system cuts itself.
   */
  corner?: number
  /** The margin around the shapes, as a share of the width. */
  inset?: number
}

/** Draws the mark on its ground. */
export function drawMark({ corner = 9, inset = 0 }: MarkOptions = {}): string {
  const shapes = drawMarkShapes(pageColor)
  const scale = 1 - inset * 2
  const margin = 16 * (1 - scale)

  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 32 32' }, [
    element('defs', {}, markGround),
    rect(0, 0, 32, 32, corner, { fill: 'url(#g)' }),
    inset
      ? group({ transform: `translate(${margin} ${margin}) scale(${scale})` }, shapes)
      : shapes.join(''),
  ])
}

/**
 * Draws the shapes of the mark: a stem and a page that opens from it, together an L. They are drawn
 * on a square of 32, so that their edges fall on whole pixels when the mark is 16 pixels wide.
 */
export function drawMarkShapes(pageFill: string): string[] {
  return [
    rect(6, 6, 6, 20, 3, { fill: '#fff' }),
    path('M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z', { fill: pageFill }),
  ]
}

const heroLines = ['Learn whatever you want,', 'whenever you want,', 'however you want.']

/** Draws the picture that other sites show beside a link to Learnify, 1200 by 630. */
export function drawSharePicture(): string {
  const globe = drawGlobe('dark').replace(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"',
    '<svg x="690" y="-70" width="880" height="880"',
  )
  const glow = radial(
    'glow',
    [0.82, 0.62, 0.7],
    [
      [0, accent, 0.5],
      [0.5, accent, 0.14],
      [1, accent, 0],
    ],
  )

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1200, height: 630, viewBox: '0 0 1200 630' },
    [
      element('defs', {}, [markGround, glow]),
      rect(0, 0, 1200, 630, 0, { fill: ink }),
      rect(0, 0, 1200, 630, 0, { fill: 'url(#glow)' }),
      globe,
      group({ transform: 'translate(80 76) scale(2)' }, [
        rect(0, 0, 32, 32, 9, { fill: 'url(#g)' }),
        ...drawMarkShapes(pageColor),
      ]),
      drawText('Learnify', { x: 164, y: 122, size: 40, weight: 600 }),
      ...heroLines.map((line, index) =>
        drawText(line, { x: 78, y: 380 + index * 72, size: 58, weight: 650 }),
      ),
    ],
  )
}

type TextOptions = { x: number; y: number; size: number; weight: number }

function drawText(text: string, { x, y, size, weight }: TextOptions): string {
  return element(
    'text',
    {
      x,
      y,
      'font-family': 'Inter Display, Inter, DejaVu Sans, sans-serif',
      'font-size': size,
      'font-weight': weight,
      fill: '#fff',
      'letter-spacing': size > 40 ? -1.2 : 0,
    },
    escapeText(text),
  )
}
