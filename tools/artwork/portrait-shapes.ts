/** The shapes of hair, clothes and glasses in portraits of 320 by 320. */
import { ink } from './palette.ts'
import { circle, group, mix, path, rect } from './svg.ts'

// Several hair styles share these shapes.
const cap =
  'M104 140C97 82 126 55 160 55s63 27 56 85c-4-2-6-12-8-22-3-9-8-15-16-18-20-6-44-6-64 0-8 3-13 9-16 18-2 10-4 20-8 22z'
const swept =
  'M104 138C94 82 124 50 168 53c42 3 56 38 48 85-4-16-8-26-15-34-22 3-52-2-68-18-4 14-15 18-21 28-4 7-6 15-8 24z'
const parted = 'M162 74c-14 22-42 30-52 74-14-50 4-98 50-98s64 48 50 98c-6-40-32-52-48-74z'

type Curl = readonly [x: number, y: number, radius: number]

/** The circles of curly hair behind the head. */
const backCurls: readonly Curl[] = [
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

/** The circles of curly hair in front of the head. */
const frontCurls: readonly Curl[] = [
  [116, 104, 15],
  [130, 86, 18],
  [154, 78, 19],
  [180, 82, 19],
  [200, 98, 16],
  [209, 116, 12],
]

type HairStyle = 'crop' | 'swept' | 'long' | 'wavy' | 'bob' | 'bun' | 'afro' | 'curls' | 'fringe'

/** The hair styles. Each style has hair behind the head and hair in front of it. */
export const hairStyles: Record<HairStyle, [back: string, front: string]> = {
  crop: ['', path(cap)],
  swept: ['', path(swept)],
  long: [
    path('M100 130C92 70 128 48 160 48s68 22 60 82c0 50 18 90 12 140H88c-6-50 12-90 12-140z'),
    path(parted),
  ],
  wavy: [
    path(
      'M102 126C94 68 128 46 162 47c38 1 64 26 57 80 0 20 18 30 14 54s14 34 2 58-36 26-50 21H130c-22 4-42-2-50-24s8-34 4-56 18-34 18-54z',
    ),
    path(swept),
  ],
  bob: [
    path(
      'M99 130C93 72 126 48 160 48s67 24 61 82c3 30 7 54-4 78-20 10-94 10-114 0-11-24-7-48-4-78z',
    ),
    path(swept),
  ],
  fringe: [
    path('M97 130C92 74 124 48 160 48s68 26 63 82c2 30 2 56-4 80-16 6-102 6-118 0-6-24-6-50-4-80z'),
    path('M104 142C98 82 124 54 160 54s62 28 56 88c-3-14-5-24-8-30-30 5-66 5-96 0-3 6-5 16-8 30z'),
  ],
  bun: [circle(160, 44, 27) + path('M104 132C98 78 126 54 160 54s62 24 56 78z'), path(parted)],
  afro: [
    path(
      'M160 24c30-4 54 12 64 34 20 12 26 38 20 60 4 26-14 50-38 56H114c-24-6-42-30-38-56-6-22 0-48 20-60 10-22 34-38 64-34z',
    ),
    path(cap),
  ],
  curls: [
    backCurls.map(([x, y, radius]) => circle(x, y, radius)).join('') + rect(104, 90, 112, 130, 40),
    frontCurls.map(([x, y, radius]) => circle(x, y, radius)).join(''),
  ],
}

export const shoulders = 'M22 322c4-54 38-72 98-88l14-6h52l14 6c60 16 94 34 98 88z'

type ClothColors = { cloth: string; innerCloth: string }

/** The clothes. Each function draws one of them in the given colors. */
export const clothes = {
  crew: ({ cloth }: ClothColors) =>
    path(shoulders, { fill: cloth }) +
    path('M128 230c4 34 60 34 64 0l10 4c-6 46-78 46-84 0z', { fill: mix(cloth, ink, 0.28) }),

  turtleneck: ({ cloth }: ClothColors) =>
    path(shoulders, { fill: cloth }) +
    path('M130 206c20 10 40 10 60 0l4 34c-22 16-46 16-68 0z', {
      fill: mix(cloth, '#ffffff', 0.1),
    }) +
    path('M126 240c22 16 46 16 68 0', {
      fill: 'none',
      stroke: mix(cloth, ink, 0.4),
      'stroke-width': 2.5,
    }),

  shirt: ({ cloth }: ClothColors) =>
    path(shoulders, { fill: cloth }) +
    path('M160 262v60', { stroke: mix(cloth, ink, 0.35), 'stroke-width': 2.5 }) +
    path('M132 222 160 262l-28 18-20-44zM188 222l-28 40 28 18 20-44z', {
      fill: mix(cloth, '#ffffff', 0.22),
    }) +
    group({ fill: mix(cloth, '#ffffff', 0.6) }, [circle(160, 284, 2.6), circle(160, 308, 2.6)]),

  blazer: ({ cloth, innerCloth }: ClothColors) =>
    path(shoulders, { fill: cloth }) +
    path('M130 226 160 322l30-96z', { fill: innerCloth }) +
    path('M132 222 160 258l-16 16-20-44zM188 222l-28 36 16 16 20-44z', {
      fill: mix(innerCloth, ink, 0.1),
    }) +
    path('M122 232 160 322h-28L98 262l14-6-8-18zM198 232l-38 90h28l34-60-14-6 8-18z', {
      fill: mix(cloth, '#ffffff', 0.13),
    }),
}

export const glasses = {
  round:
    circle(139, 138, 16) +
    circle(181, 138, 16) +
    path('M155 136q5-4 10 0M123 136l-13-4M197 136l13-4'),
  square:
    rect(122, 126, 33, 25, 8) +
    rect(165, 126, 33, 25, 8) +
    path('M155 135q5-3 10 0M122 134l-12-3M198 134l12-3'),
}
