/**
 * Portraits of the instructors, who are invented: flat shapes, one light from the left, no likeness
 * of anyone. A person without an entry in `looks` gets one picked by the name, so that a new
 * instructor is never without a picture.
 */
import { ink } from './palette.ts'
import { circle, element, group, linear, mix, path, radial, random, rect } from './svg.ts'

const skins = {
  fair: '#f3cfb3',
  rose: '#eebd9f',
  olive: '#dba983',
  tan: '#cf9567',
  brown: '#a76c46',
  deep: '#7b4a2f',
  dark: '#5d3825',
}
const hairs = {
  black: '#1d1a22',
  espresso: '#35231f',
  brown: '#5d3b28',
  chestnut: '#7c4a2c',
  auburn: '#a5522b',
  blond: '#d9ac62',
  silver: '#b9bcc6',
  gray: '#80838f',
}
const grounds = {
  indigo: ['#d9d5ff', '#a79dfb'],
  blue: ['#d5e2ff', '#93b1f6'],
  rose: ['#ffdce6', '#f2a3bd'],
  green: ['#d2f1e4', '#86cfb3'],
  amber: ['#ffe8c2', '#f3bd6c'],
  purple: ['#e9dcff', '#bb9bea'],
  teal: ['#d0f0f0', '#84c8cd'],
} as const
const cloths = {
  navy: '#27305c',
  ink: '#23263b',
  indigo: '#5b4cf0',
  moss: '#3f6b57',
  wine: '#8a2f4f',
  rust: '#b5562f',
  mustard: '#cf9a35',
  sky: '#4f7fd0',
  plum: '#64418f',
  teal: '#1f7a80',
  sand: '#d8c6a8',
  white: '#f4f2ee',
}

type Look = {
  skin: keyof typeof skins
  hair: keyof typeof hairs
  style: keyof typeof styles
  wear: keyof typeof wears
  cloth: keyof typeof cloths
  inner?: keyof typeof cloths
  ground: keyof typeof grounds
  beard?: 'full' | 'short'
  glasses?: keyof typeof glasses
  earrings?: boolean
}

const looks: Record<string, Look> = {
  'sofia-lindqvist': {
    skin: 'fair',
    hair: 'blond',
    style: 'long',
    wear: 'crew',
    cloth: 'navy',
    ground: 'blue',
  },
  'amara-okafor': {
    skin: 'deep',
    hair: 'black',
    style: 'afro',
    wear: 'crew',
    cloth: 'mustard',
    ground: 'indigo',
    earrings: true,
  },
  'hiroshi-tanaka': {
    skin: 'olive',
    hair: 'black',
    style: 'swept',
    wear: 'blazer',
    cloth: 'ink',
    inner: 'white',
    ground: 'teal',
    glasses: 'square',
  },
  'elena-marchetti': {
    skin: 'rose',
    hair: 'espresso',
    style: 'bob',
    wear: 'turtleneck',
    cloth: 'wine',
    ground: 'blue',
    glasses: 'round',
  },
  'noor-haddad': {
    skin: 'olive',
    hair: 'black',
    style: 'wavy',
    wear: 'blazer',
    cloth: 'moss',
    inner: 'sand',
    ground: 'rose',
  },
  'piet-van-dongen': {
    skin: 'fair',
    hair: 'gray',
    style: 'crop',
    beard: 'full',
    wear: 'turtleneck',
    cloth: 'ink',
    ground: 'amber',
    glasses: 'round',
  },
  'priya-raman': {
    skin: 'brown',
    hair: 'black',
    style: 'bun',
    wear: 'shirt',
    cloth: 'teal',
    ground: 'purple',
    earrings: true,
  },
  'tomasz-zielinski': {
    skin: 'rose',
    hair: 'brown',
    style: 'swept',
    beard: 'short',
    wear: 'shirt',
    cloth: 'sky',
    ground: 'green',
  },
  'mei-ling-chow': {
    skin: 'olive',
    hair: 'black',
    style: 'fringe',
    wear: 'blazer',
    cloth: 'navy',
    inner: 'white',
    ground: 'teal',
  },
  'david-mensah': {
    skin: 'dark',
    hair: 'black',
    style: 'crop',
    beard: 'short',
    wear: 'blazer',
    cloth: 'navy',
    inner: 'white',
    ground: 'green',
  },
  'camila-duarte': {
    skin: 'tan',
    hair: 'espresso',
    style: 'curls',
    wear: 'crew',
    cloth: 'rust',
    ground: 'amber',
  },
  'oliver-grant': {
    skin: 'fair',
    hair: 'auburn',
    style: 'swept',
    wear: 'crew',
    cloth: 'moss',
    ground: 'amber',
    glasses: 'square',
  },
  'ingrid-solheim': {
    skin: 'rose',
    hair: 'silver',
    style: 'bun',
    wear: 'turtleneck',
    cloth: 'plum',
    ground: 'purple',
  },
}

function lookOf(slug: string): Look {
  const known = looks[slug]
  if (known) {
    return known
  }

  const next = random(slug)
  const pick = <Name extends string>(record: Record<Name, unknown>) => {
    const names = Object.keys(record) as Name[]
    return names[Math.floor(next() * names.length)] as Name
  }
  const style = pick(styles)

  return {
    skin: pick(skins),
    hair: pick(hairs),
    style,
    cloth: pick(cloths),
    wear: pick(wears),
    ground: pick(grounds),
    inner: 'white',
    beard: style === 'crop' && next() < 0.5 ? 'short' : undefined,
    glasses: next() < 0.3 ? 'round' : undefined,
  }
}

const cap =
  'M104 140C97 82 126 55 160 55s63 27 56 85c-4-2-6-12-8-22-3-9-8-15-16-18-20-6-44-6-64 0-8 3-13 9-16 18-2 10-4 20-8 22z'
const swept =
  'M104 138C94 82 124 50 168 53c42 3 56 38 48 85-4-16-8-26-15-34-22 3-52-2-68-18-4 14-15 18-21 28-4 7-6 15-8 24z'
const parted = 'M162 74c-14 22-42 30-52 74-14-50 4-98 50-98s64 48 50 98c-6-40-32-52-48-74z'
const ringlets: readonly (readonly [x: number, y: number, radius: number])[] = [
  [104, 128, 22],
  [98, 158, 22],
  [98, 190, 24],
  [106, 220, 22],
  [112, 98, 24],
  [132, 72, 26],
  [160, 62, 28],
  [188, 72, 26],
  [208, 98, 24],
  [216, 128, 22],
  [222, 158, 22],
  [222, 190, 24],
  [214, 220, 22],
]

/** Hair behind the head, and hair in front of it. */
const styles: Record<
  'crop' | 'swept' | 'long' | 'wavy' | 'bob' | 'bun' | 'afro' | 'curls' | 'fringe',
  () => [back: string, front: string]
> = {
  crop: () => ['', path(cap)],
  swept: () => ['', path(swept)],
  long: () => [
    path('M100 130C92 70 128 48 160 48s68 22 60 82c0 50 18 90 12 140H88c-6-50 12-90 12-140z'),
    path(parted),
  ],
  wavy: () => [
    path(
      'M102 126C94 68 128 46 162 47c38 1 64 26 57 80 0 20 18 30 14 54s14 34 2 58-36 26-50 21H130c-22 4-42-2-50-24s8-34 4-56 18-34 18-54z',
    ),
    path(swept),
  ],
  bob: () => [
    path(
      'M99 130C93 72 126 48 160 48s67 24 61 82c3 30 7 54-4 78-20 10-94 10-114 0-11-24-7-48-4-78z',
    ),
    path(swept),
  ],
  fringe: () => [
    path('M97 130C92 74 124 48 160 48s68 26 63 82c2 30 2 56-4 80-16 6-102 6-118 0-6-24-6-50-4-80z'),
    path('M104 142C98 82 124 54 160 54s62 28 56 88c-3-14-5-24-8-30-30 5-66 5-96 0-3 6-5 16-8 30z'),
  ],
  bun: () => [
    circle(160, 44, 27) + path('M104 132C98 78 126 54 160 54s62 24 56 78z'),
    path(parted),
  ],
  afro: () => [
    path(
      'M160 24c30-4 54 12 64 34 20 12 26 38 20 60 4 26-14 50-38 56H114c-24-6-42-30-38-56-6-22 0-48 20-60 10-22 34-38 64-34z',
    ),
    path(cap),
  ],
  curls: () => [
    ringlets.map(([x, y, r]) => circle(x, y, r)).join('') + rect(104, 90, 112, 130, 40),
    (
      [
        [116, 104, 15],
        [130, 86, 18],
        [154, 78, 19],
        [180, 82, 19],
        [200, 98, 16],
        [209, 116, 12],
      ] as const
    )
      .map(([x, y, r]) => circle(x, y, r))
      .join(''),
  ],
}

const shoulders = 'M22 322c4-54 38-72 98-88l14-6h52l14 6c60 16 94 34 98 88z'
type Worn = { cloth: string; inner: string }
const wears = {
  crew: ({ cloth }: Worn) =>
    path(shoulders, { fill: cloth }) +
    path('M128 230c4 34 60 34 64 0l10 4c-6 46-78 46-84 0z', { fill: mix(cloth, ink, 0.28) }),
  turtleneck: ({ cloth }: Worn) =>
    path(shoulders, { fill: cloth }) +
    path('M130 206c20 10 40 10 60 0l4 34c-22 16-46 16-68 0z', {
      fill: mix(cloth, '#ffffff', 0.1),
    }) +
    path('M126 240c22 16 46 16 68 0', {
      fill: 'none',
      stroke: mix(cloth, ink, 0.4),
      'stroke-width': 2.5,
    }),
  shirt: ({ cloth }: Worn) =>
    path(shoulders, { fill: cloth }) +
    path('M160 262v60', { stroke: mix(cloth, ink, 0.35), 'stroke-width': 2.5 }) +
    path('M132 222 160 262l-28 18-20-44zM188 222l-28 40 28 18 20-44z', {
      fill: mix(cloth, '#ffffff', 0.22),
    }) +
    group({ fill: mix(cloth, '#ffffff', 0.6) }, [circle(160, 284, 2.6), circle(160, 308, 2.6)]),
  blazer: ({ cloth, inner }: Worn) =>
    path(shoulders, { fill: cloth }) +
    path('M130 226 160 322l30-96z', { fill: inner }) +
    path('M132 222 160 258l-16 16-20-44zM188 222l-28 36 16 16 20-44z', {
      fill: mix(inner, ink, 0.1),
    }) +
    path('M122 232 160 322h-28L98 262l14-6-8-18zM198 232l-38 90h28l34-60-14-6 8-18z', {
      fill: mix(cloth, '#ffffff', 0.13),
    }),
}

const glasses = {
  round:
    circle(139, 138, 16) +
    circle(181, 138, 16) +
    path('M155 136q5-4 10 0M123 136l-13-4M197 136l13-4'),
  square:
    rect(122, 126, 33, 25, 8) +
    rect(165, 126, 33, 25, 8) +
    path('M155 135q5-3 10 0M122 134l-12-3M198 134l12-3'),
}

const face = 'M110 126c0-36 20-56 50-56s50 20 50 56c0 44-22 74-50 74s-50-30-50-74z'

/** @returns a portrait as SVG text, 320 by 320. */
export function drawPortrait(slug: string): string {
  const look = lookOf(slug)
  const skin = skins[look.skin]
  const hair = hairs[look.hair]
  const cloth = cloths[look.cloth]
  const [light, dark] = grounds[look.ground]
  const shade = mix(skin, '#5a2033', 0.26)
  const line = mix(skin, ink, 0.72)
  const [back, front] = styles[look.style]()
  const hairFill = { fill: 'url(#h)' }
  const beard =
    'M109 130c1 46 22 78 51 78s50-32 51-78c-4 20-9 31-18 35-20-7-46-7-66 0-9-4-14-15-18-35z'

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 320, height: 320, viewBox: '0 0 320 320' },
    [
      element('defs', {}, [
        linear(
          'b',
          [0, 0, 1, 1],
          [
            [0, light],
            [1, dark],
          ],
        ),
        radial(
          'l',
          [0.25, 0.2, 0.8],
          [
            [0, '#ffffff', 0.7],
            [1, '#ffffff', 0],
          ],
        ),
        linear(
          'h',
          [0, 0, 1, 0.6],
          [
            [0, mix(hair, '#ffffff', 0.13)],
            [1, mix(hair, ink, 0.2)],
          ],
        ),
        linear(
          's',
          [0, 0, 1, 0.2],
          [
            [0, mix(skin, '#ffffff', 0.1)],
            [0.55, skin],
            [1, mix(skin, shade, 0.65)],
          ],
        ),
        linear(
          'c',
          [0, 0, 1, 0.3],
          [
            [0, '#ffffff', 0.12],
            [0.5, '#ffffff', 0],
            [1, ink, 0.22],
          ],
        ),
        element('clipPath', { id: 'f' }, path(face)),
      ]),
      rect(0, 0, 320, 320, 0, { fill: 'url(#b)' }),
      circle(176, 150, 128, { fill: dark, 'fill-opacity': 0.55 }),
      rect(0, 0, 320, 320, 0, { fill: 'url(#l)' }),
      group(hairFill, back),
      path('M134 176v52c0 26 52 26 52 0v-52z', { fill: mix(skin, shade, 0.75) }),
      wears[look.wear]({ cloth, inner: cloths[look.inner ?? 'white'] }),
      path(shoulders, { fill: 'url(#c)' }),
      look.wear === 'turtleneck'
        ? ''
        : path('M134 196c12 16 40 16 52 0v10c-10 20-42 20-52 0z', {
            fill: mix(shade, '#3a1420', 0.25),
            'fill-opacity': 0.55,
          }),
      group({ fill: 'url(#s)' }, [
        element('ellipse', { cx: 109, cy: 140, rx: 8, ry: 13 }),
        element('ellipse', { cx: 211, cy: 140, rx: 8, ry: 13, fill: mix(skin, shade, 0.6) }),
      ]),
      look.earrings
        ? group({ fill: '#e2b45a' }, [circle(108, 158, 4.5), circle(212, 158, 4.5)])
        : '',
      path(face, { fill: 'url(#s)' }),
      element('g', { 'clip-path': 'url(#f)' }, [
        look.beard
          ? path(beard, { ...hairFill, 'fill-opacity': look.beard === 'full' ? 1 : 0.82 })
          : '',
        group({ fill: '#e0705c', 'fill-opacity': 0.13 }, [
          circle(128, 160, 14),
          circle(192, 160, 14),
        ]),
      ]),
      path('M128 122q10-6 21-1M171 121q11-5 21 1', {
        fill: 'none',
        stroke: mix(mix(hair, skin, 0.15), ink, 0.25),
        'stroke-width': 4,
        'stroke-linecap': 'round',
      }),
      group({ fill: line }, [
        element('ellipse', { cx: 139, cy: 138, rx: 3.6, ry: 4.4 }),
        element('ellipse', { cx: 181, cy: 138, rx: 3.6, ry: 4.4 }),
      ]),
      path('M161 138c-1 9-6 15-5 19s6 4 9 3', {
        fill: 'none',
        stroke: shade,
        'stroke-width': 3,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
      }),
      path('M146 175q14 9 28 0', {
        fill: 'none',
        stroke: look.beard ? mix(skin, '#b0503f', 0.4) : mix(skin, '#7c2233', 0.55),
        'stroke-width': 3.6,
        'stroke-linecap': 'round',
      }),
      group(hairFill, front),
      look.glasses
        ? group(
            {
              fill: '#ffffff',
              'fill-opacity': 0.12,
              stroke: mix(ink, hair, 0.25),
              'stroke-width': 2.8,
              'stroke-linecap': 'round',
            },
            glasses[look.glasses],
          )
        : '',
    ],
  )
}
