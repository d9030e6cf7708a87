/**
 * Draws portraits of the instructors, who are invented: flat shapes, one light from the left, and
 * no likeness of a real person. Every instructor has a portrait, because the name of an instructor
 * without a look of their own decides the look.
 */
import { ink } from './palette.ts'
import {
  backgroundColors,
  clothColors,
  getLook,
  hairColors,
  type Look,
  skinColors,
} from './portrait-looks.ts'
import { clothes, glasses, hairStyles, shoulders } from './portrait-shapes.ts'
import { circle, element, group, linear, mix, path, radial, rect } from './svg.ts'

const white = '#ffffff'
const face = 'M110 126c0-36 20-56 50-56s50 20 50 56c0 44-22 74-50 74s-50-30-50-74z'
const beard =
  'M109 130c1 46 22 78 51 78s50-32 51-78c-4 20-9 31-18 35-20-7-46-7-66 0-9-4-14-15-18-35z'

/** The colors of a look. */
type PortraitColors = {
  skin: string
  /** The skin in the shadow. */
  skinShadow: string
  hair: string
  lightBackground: string
  darkBackground: string
}

/** Returns a portrait as SVG text, 320 by 320. */
export function drawPortrait(slug: string): string {
  const look = getLook(slug)
  const skin = skinColors[look.skin]
  const [lightBackground, darkBackground] = backgroundColors[look.background]
  const colors: PortraitColors = {
    skin,
    skinShadow: mix(skin, '#5a2033', 0.26),
    hair: hairColors[look.hair],
    lightBackground,
    darkBackground,
  }
  const [hairBehindHead, hairInFront] = hairStyles[look.hairStyle]
  const hairFill = { fill: 'url(#h)' }

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 320, height: 320, viewBox: '0 0 320 320' },
    [
      element('defs', {}, createDefinitions(colors)),
      ...drawBackground(colors),
      group(hairFill, hairBehindHead),
      ...drawBody(look, colors),
      ...drawHead(look, colors),
      ...drawFace(look, colors),
      group(hairFill, hairInFront),
      drawGlasses(look, colors),
    ],
  )
}

/**
 * Creates the gradients of the background (b), its light (l), the hair (h), the skin (s) and the
 * light on the clothes (c), and the clipping path of the face (f).
 */
function createDefinitions({
  skin,
  skinShadow,
  hair,
  lightBackground,
  darkBackground,
}: PortraitColors): string[] {
  return [
    linear(
      'b',
      [0, 0, 1, 1],
      [
        [0, lightBackground],
        [1, darkBackground],
      ],
    ),
    radial(
      'l',
      [0.25, 0.2, 0.8],
      [
        [0, white, 0.7],
        [1, white, 0],
      ],
    ),
    linear(
      'h',
      [0, 0, 1, 0.6],
      [
        [0, mix(hair, white, 0.13)],
        [1, mix(hair, ink, 0.2)],
      ],
    ),
    linear(
      's',
      [0, 0, 1, 0.2],
      [
        [0, mix(skin, white, 0.1)],
        [0.55, skin],
        [1, mix(skin, skinShadow, 0.65)],
      ],
    ),
    linear(
      'c',
      [0, 0, 1, 0.3],
      [
        [0, white, 0.12],
        [0.5, white, 0],
        [1, ink, 0.22],
      ],
    ),
    element('clipPath', { id: 'f' }, path(face)),
  ]
}

function drawBackground({ darkBackground }: PortraitColors): string[] {
  return [
    rect(0, 0, 320, 320, 0, { fill: 'url(#b)' }),
    circle(176, 150, 128, { fill: darkBackground, 'fill-opacity': 0.55 }),
    rect(0, 0, 320, 320, 0, { fill: 'url(#l)' }),
  ]
}

/** Draws the neck, the clothes and, unless they cover it, the shadow of the chin. */
function drawBody(look: Look, { skin, skinShadow }: PortraitColors): string[] {
  const cloth = clothColors[look.cloth]
  const innerCloth = clothColors[look.innerCloth ?? 'white']
  const chinShadow = path('M134 196c12 16 40 16 52 0v10c-10 20-42 20-52 0z', {
    fill: mix(skinShadow, '#3a1420', 0.25),
    'fill-opacity': 0.55,
  })

  return [
    path('M134 176v52c0 26 52 26 52 0v-52z', { fill: mix(skin, skinShadow, 0.75) }),
    clothes[look.clothing]({ cloth, innerCloth }),
    path(shoulders, { fill: 'url(#c)' }),
    look.clothing === 'turtleneck' ? '' : chinShadow,
  ]
}

/** Draws the ears with their earrings, the face, the beard and the cheeks. */
function drawHead(look: Look, { skin, skinShadow }: PortraitColors): string[] {
  const ears = group({ fill: 'url(#s)' }, [
    element('ellipse', { cx: 109, cy: 140, rx: 8, ry: 13 }),
    element('ellipse', { cx: 211, cy: 140, rx: 8, ry: 13, fill: mix(skin, skinShadow, 0.6) }),
  ])
  const earrings = group({ fill: '#e2b45a' }, [circle(108, 158, 4.5), circle(212, 158, 4.5)])
  const cheeks = group({ fill: '#e0705c', 'fill-opacity': 0.13 }, [
    circle(128, 160, 14),
    circle(192, 160, 14),
  ])
  const beardOpacity = look.beard === 'full' ? 1 : 0.82

  return [
    ears,
    look.hasEarrings ? earrings : '',
    path(face, { fill: 'url(#s)' }),
    element('g', { 'clip-path': 'url(#f)' }, [
      look.beard ? path(beard, { fill: 'url(#h)', 'fill-opacity': beardOpacity }) : '',
      cheeks,
    ]),
  ]
}

/** Draws the eyebrows, the eyes, the nose and the mouth. */
function drawFace(look: Look, { skin, skinShadow, hair }: PortraitColors): string[] {
  const eyebrows = path('M128 122q10-6 21-1M171 121q11-5 21 1', {
    fill: 'none',
    stroke: mix(mix(hair, skin, 0.15), ink, 0.25),
    'stroke-width': 4,
    'stroke-linecap': 'round',
  })
  const eyes = group({ fill: mix(skin, ink, 0.72) }, [
    element('ellipse', { cx: 139, cy: 138, rx: 3.6, ry: 4.4 }),
    element('ellipse', { cx: 181, cy: 138, rx: 3.6, ry: 4.4 }),
  ])
  const nose = path('M161 138c-1 9-6 15-5 19s6 4 9 3', {
    fill: 'none',
    stroke: skinShadow,
    'stroke-width': 3,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  })
  const mouth = path('M146 175q14 9 28 0', {
    fill: 'none',
    stroke: look.beard ? mix(skin, '#b0503f', 0.4) : mix(skin, '#7c2233', 0.55),
    'stroke-width': 3.6,
    'stroke-linecap': 'round',
  })

  return [eyebrows, eyes, nose, mouth]
}

function drawGlasses(look: Look, { hair }: PortraitColors): string {
  if (!look.glasses) {
    return ''
  }

  return group(
    {
      fill: white,
      'fill-opacity': 0.12,
      stroke: mix(ink, hair, 0.25),
      'stroke-width': 2.8,
      'stroke-linecap': 'round',
    },
    glasses[look.glasses],
  )
}
