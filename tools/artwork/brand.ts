/** The mark, the icons and the share picture of Learnify. */

import { drawGlobe } from './globe.ts'
import { accent, ink } from './palette.ts'
import { element, escapeText, group, linear, path, radial, rect } from './svg.ts'

/**
 * A stem and a page that opens from it: an L. Drawn on a square of 32 so that its edges fall on
 * whole pixels at 16 px.
 */
export const markShapes = (page: string) => [
  rect(6, 6, 6, 20, 3, { fill: '#fff' }),
  path('M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z', { fill: page }),
]

const ground = linear(
  'g',
  [0, 0, 1, 1],
  [
    [0, '#7b6cff'],
    [1, '#4a3ad6'],
  ],
)

/** @param corner radius of the ground in 32nds; 0 for icons that the system cuts itself. */
export function drawMark({ corner = 9, inset = 0 } = {}) {
  const scale = 1 - inset * 2
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 32 32' }, [
    element('defs', {}, ground),
    rect(0, 0, 32, 32, corner, { fill: 'url(#g)' }),
    inset
      ? group(
          { transform: `translate(${16 * (1 - scale)} ${16 * (1 - scale)}) scale(${scale})` },
          markShapes('#d3ceff'),
        )
      : markShapes('#d3ceff').join(''),
  ])
}

const heroLines = ['Learn whatever you want,', 'whenever you want,', 'however you want.']

/** The picture that other sites show beside a link to Learnify, 1200 by 630. */
export function drawShare() {
  const text = (
    x: number,
    y: number,
    size: number,
    weight: number,
    fill: string,
    content: string,
  ) =>
    element(
      'text',
      {
        x,
        y,
        'font-family': 'Inter Display, Inter, DejaVu Sans, sans-serif',
        'font-size': size,
        'font-weight': weight,
        fill,
        'letter-spacing': size > 40 ? -1.2 : 0,
      },
      escapeText(content),
    )
  const globe = drawGlobe('dark').replace(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"',
    '<svg x="690" y="-70" width="880" height="880"',
  )

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1200, height: 630, viewBox: '0 0 1200 630' },
    [
      element('defs', {}, [
        ground,
        radial(
          'glow',
          [0.82, 0.62, 0.7],
          [
            [0, accent, 0.5],
            [0.5, accent, 0.14],
            [1, accent, 0],
          ],
        ),
      ]),
      rect(0, 0, 1200, 630, 0, { fill: ink }),
      rect(0, 0, 1200, 630, 0, { fill: 'url(#glow)' }),
      globe,
      group({ transform: 'translate(80 76) scale(2)' }, [
        rect(0, 0, 32, 32, 9, { fill: 'url(#g)' }),
        ...markShapes('#d3ceff'),
      ]),
      text(164, 122, 40, 600, '#fff', 'Learnify'),
      ...heroLines.map((line, i) => text(78, 380 + i * 72, 58, 650, '#fff', line)),
    ],
  )
}
