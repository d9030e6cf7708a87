/**
 * Course covers: one family of abstract pictures. All share a deep gradient, soft light from one
 * side, glass planes with a bright edge, hairlines, and one spark of a contrasting color on the
 * thing the course is about.
 */
import { coursePalette, type Palette } from './palette.ts'
import {
  type Attributes,
  circle,
  element,
  group,
  linear,
  mix,
  n,
  type Point,
  path,
  radial,
  random,
  rect,
  smooth,
} from './svg.ts'

const white = '#fff'
const glass = { fill: 'url(#g)', stroke: 'url(#e)' }
const hairline = { fill: 'none', stroke: white, 'stroke-opacity': 0.22 }

/**
 * Draws the ground that all covers share, then the subject. `light` is where the soft light falls,
 * in shares of the picture.
 */
function frame(
  colors: Palette,
  light: Point,
  subject: string | readonly string[],
  extraDefinitions = '',
): string {
  const definitions = [
    linear(
      'b',
      [0, 0.1, 1, 0.9],
      [
        [0, colors.deep],
        [0.55, colors.mid],
        [1, colors.hue],
      ],
    ),
    radial(
      'l',
      [light[0], light[1], 0.62],
      [
        [0, mix(colors.light, colors.hue, 0.35), 0.72],
        [0.35, colors.hue, 0.5],
        [1, colors.hue, 0],
      ],
    ),
    radial(
      's',
      [1 - light[0], 1 - light[1], 0.7],
      [
        [0, colors.deep, 0.75],
        [1, colors.deep, 0],
      ],
    ),
    linear(
      'g',
      [0, 0, 1, 1],
      [
        [0, white, 0.36],
        [1, white, 0.07],
      ],
    ),
    linear(
      'e',
      [0, 0, 1, 1],
      [
        [0, white, 0.75],
        [1, white, 0.14],
      ],
    ),
    extraDefinitions,
  ]

  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 640, height: 360, viewBox: '0 0 640 360' },
    [
      element('defs', {}, definitions),
      ...['b', 'l', 's'].map((id) => rect(0, 0, 640, 360, 0, { fill: `url(#${id})` })),
      // The commas between parts draw nothing, and stay: the covers that are made already have
      // them.
      String(subject),
    ],
  )
}

const polar = (cx: number, cy: number, radius: number, turn: number): Point => [
  cx + radius * Math.cos(turn * 2 * Math.PI),
  cy + radius * Math.sin(turn * 2 * Math.PI),
]
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Structure, style and behavior as three planes that float above each other. */
function webDevelopment(c: Palette) {
  const plane = (y: number, opacity: number, parts: string[]) =>
    group({ transform: `matrix(.9 .42 -.9 .42 330 ${y})` }, [
      rect(8, 8, 210, 210, 14, {
        fill: c.deep,
        'fill-opacity': 0.28,
        transform: 'translate(14 14)',
      }),
      rect(0, 0, 210, 210, 14, { fill: c.mid, 'fill-opacity': opacity }),
      rect(0, 0, 210, 210, 14, glass),
      String(parts),
    ])
  const outline = { fill: 'none', stroke: white, 'stroke-opacity': 0.65, 'stroke-width': 1.5 }

  return frame(
    c,
    [0.28, 0.16],
    [
      path(
        range(9)
          .map((i) => `M${-40 + i * 90} -10l-400 187M${-140 + i * 90} -10l800 374`)
          .join(''),
        { ...hairline, 'stroke-opacity': 0.08 },
      ),
      plane(152, 0.5, [
        path('M18 40h174M62 40v152M62 116h130M127 116v76', outline),
        circle(24, 22, 4, { fill: white, 'fill-opacity': 0.7 }),
        circle(38, 22, 4, { fill: white, 'fill-opacity': 0.4 }),
      ]),
      plane(88, 0.42, [
        rect(18, 18, 84, 112, 8, { fill: c.light, 'fill-opacity': 0.75 }),
        rect(114, 18, 78, 52, 8, { fill: c.hue }),
        rect(114, 82, 78, 48, 8, { fill: white, 'fill-opacity': 0.45 }),
        rect(18, 142, 174, 50, 8, { fill: c.spark, 'fill-opacity': 0.85 }),
      ]),
      plane(24, 0.36, [
        path('M66 52 36 105l30 53M144 52l30 53-30 53M119 52 91 158', {
          fill: 'none',
          stroke: white,
          'stroke-width': 10,
          'stroke-linecap': 'round',
          'stroke-linejoin': 'round',
        }),
      ]),
      path('M141 112v128M519 112v128M330 200v128', {
        ...hairline,
        'stroke-dasharray': '2 5',
        'stroke-opacity': 0.5,
      }),
    ],
  )
}

/** Two braided ribbons over lines of indented code. */
function python(c: Palette) {
  const wave = (sign: number, from: number, to: number) =>
    smooth(
      range((to - from) / 40 + 1).map((i) => [
        from + i * 40,
        180 + sign * 82 * Math.sin(((from + i * 40 - 60) * Math.PI) / 175),
      ]),
    )
  const strands = { x: wave(1, -20, 660), y: wave(-1, -20, 580), v: wave(1, 180, 300) }
  const ribbon = (id: string, stroke: string) =>
    [
      { stroke: c.deep, 'stroke-opacity': 0.28, 'stroke-width': 62 },
      { stroke, 'stroke-width': 50 },
      { stroke: white, 'stroke-opacity': 0.32, y: -13 },
      { stroke: white, 'stroke-opacity': 0.18, y: 11 },
    ]
      .map((look) => element('use', { href: `#${id}`, ...look }))
      .join('')
  const eye: Point = [588, 170]
  const indents = [0, 1, 2, 2, 1, 2, 3, 3, 1, 0]
  const widths = [150, 210, 170, 120, 240, 190, 130, 200, 160, 110]

  return frame(
    c,
    [0.78, 0.14],
    [
      group(
        { fill: white, 'fill-opacity': 0.15 },
        indents.map((indent, i) =>
          rect(48 + indent * 44, 26 + i * 32, (widths[i] ?? 0) * 1.5, 12, 6),
        ),
      ),
      group({ fill: 'none' }, [
        ribbon('x', 'url(#r)'),
        group({ 'stroke-linecap': 'round' }, ribbon('y', 'url(#q)')),
        ribbon('v', 'url(#r)'),
        circle(...eye, 5.5, { fill: c.deep }),
        circle(eye[0] + 1.5, eye[1] - 1.8, 1.8, { fill: white }),
      ]),
    ],
    [
      ...Object.entries(strands).map(([id, d]) => path(d, { id })),
      linear(
        'r',
        [0, 0, 640, 0],
        [
          [0, c.mid],
          [0.5, c.hue],
          [1, c.light],
        ],
        { gradientUnits: 'userSpaceOnUse' },
      ),
      linear(
        'q',
        [0, 0, 640, 0],
        [
          [0, '#ffe3b0'],
          [0.55, c.spark],
          [1, '#e8873f'],
        ],
        { gradientUnits: 'userSpaceOnUse' },
      ),
    ].join(''),
  )
}

/** A binary tree with one searched path, above the array it is stored in. */
function algorithms(c: Palette) {
  const levels = [0, 1, 2, 3]
  const node = (level: number, i: number): Point => [
    320 + ((i + 0.5) / 2 ** level - 0.5) * 560,
    62 + level * 66,
  ]
  const searched = [0, 1, 2, 5]
  const edges = levels
    .slice(1)
    .flatMap((level) =>
      range(2 ** level).map((i) => [node(level - 1, i >> 1), node(level, i)] as const),
    )
  const bend = ([[x1, y1], [x2, y2]]: readonly [Point, Point]) =>
    `M${n(x1)} ${n(y1)}C${n(x1)} ${n(y1 + 34)} ${n(x2)} ${n(y2 - 34)} ${n(x2)} ${n(y2)}`
  const radii = [23, 19, 15, 12]

  return frame(
    c,
    [0.5, 0.1],
    [
      path(
        range(4)
          .map((i) => `M0 ${62 + i * 66}h640`)
          .join(''),
        { ...hairline, 'stroke-opacity': 0.09 },
      ),
      path(edges.map(bend).join(''), { ...hairline, 'stroke-opacity': 0.45, 'stroke-width': 1.5 }),
      path(
        searched
          .slice(1)
          .map((i, k) => bend([node(k, searched[k] ?? 0), node(k + 1, i)]))
          .join(''),
        { fill: 'none', stroke: c.spark, 'stroke-width': 4 },
      ),
      levels
        .flatMap((level) =>
          range(2 ** level).map((i) => {
            const [x, y] = node(level, i)
            const hit = searched[level] === i

            return circle(
              x,
              y,
              (radii[level] ?? 0) + (hit ? 2 : 0),
              hit
                ? { fill: c.spark }
                : { fill: level % 2 ? c.hue : c.mid, stroke: 'url(#e)', 'stroke-width': 1.5 },
            )
          }),
        )
        .join(''),
      circle(...node(3, 5), 24, { fill: 'none', stroke: c.spark, 'stroke-opacity': 0.5 }),
      range(8)
        .map((i) => rect(43 + i * 70, 304, 64, 34, 7, i === 5 ? { fill: c.spark } : glass))
        .join(''),
      path(`M${n(node(3, 5)[0])} 272v30`, {
        fill: 'none',
        stroke: c.spark,
        'stroke-dasharray': '2 4',
        'stroke-width': 1.5,
      }),
    ].flat(),
  )
}

/** Two kinds of points, parted by a boundary and its margins. */
function machineLearning(c: Palette) {
  const next = random('machine learning')
  const boundary = (x: number) => 188 + 74 * Math.sin((x - 30) / 104) - (x - 320) * 0.16
  const line = smooth(range(12).map((i) => [-20 + i * 62, boundary(-20 + i * 62)]))
  const copy = (y: number, look: Attributes = {}) =>
    element('use', { href: '#c', y, fill: 'none', ...look })
  const points: (readonly [x: number, y: number, distance: number])[] = []
  for (let tries = 0; points.length < 58 && tries < 900; tries++) {
    const [x, y]: Point = [18 + next() * 604, 16 + next() * 328]
    const distance = y - boundary(x)
    if (Math.abs(distance) > 24 && points.every(([px, py]) => Math.hypot(px - x, py - y) > 33)) {
      points.push([x, y, distance])
    }
  }

  const dots = (chosen: typeof points, stroke: string, width: number) =>
    path(chosen.map(([x, y]) => `M${Math.round(x)} ${Math.round(y)}h0`).join(''), {
      stroke,
      'stroke-width': width,
      'stroke-linecap': stroke === c.spark ? 'square' : 'round',
    })
  const near = points.filter(([, , distance]) => Math.abs(distance) < 44)

  return frame(
    c,
    [0.2, 0.08],
    [
      path(`${line}V380H-20z`, { fill: 'url(#u)' }),
      group(
        { stroke: white, 'stroke-opacity': 0.15 },
        [-118, -84, -54, -28, 28, 54, 84, 118].map((y) => copy(y)),
      ),
      copy(0, { stroke: c.deep, 'stroke-opacity': 0.35, 'stroke-width': 9 }),
      copy(0, { stroke: white, 'stroke-width': 3 }),
      (
        [
          [true, c.light, 13, 9],
          [false, c.spark, 11, 8],
        ] as const
      )
        .map(([above, stroke, large, small]) => {
          const side = points.filter(([, , distance]) => distance < 0 === above)
          const isNear = ([, , distance]: (typeof points)[number]) => Math.abs(distance) < 62

          return (
            dots(side.filter(isNear), stroke, large) +
            dots(
              side.filter((point) => !isNear(point)),
              stroke,
              small,
            )
          )
        })
        .join(''),
      group(
        { fill: 'none', stroke: white, 'stroke-opacity': 0.7 },
        near.slice(0, 8).map(([x, y]) => circle(Math.round(x), Math.round(y), 13)),
      ),
    ],
    path(line, { id: 'c' }) +
      linear(
        'u',
        [0, 0, 0.6, 1],
        [
          [0, c.spark, 0.4],
          [1, '#7a2b8f', 0.55],
        ],
      ),
  )
}

/** Screens and controls, with the guides that a designer aligns them to. */
function interfaceDesign(c: Palette) {
  const bar = (x: number, y: number, width: number, opacity: number, height = 9) =>
    rect(x, y, width, height, height / 2, { fill: white, 'fill-opacity': opacity })
  return frame(
    c,
    [0.72, 0.12],
    [
      path('M0 62h640M0 298h640M128 0v360M334 0v360M512 0v360', {
        ...hairline,
        'stroke-dasharray': '3 6',
        'stroke-opacity': 0.35,
      }),
      circle(470, 190, 150, { fill: 'url(#g)', 'fill-opacity': 0.5 }),
      group({ transform: 'translate(128 62)' }, [
        rect(10, 16, 206, 236, 22, { fill: c.deep, 'fill-opacity': 0.35 }),
        rect(0, 0, 206, 236, 22, { fill: c.mid }),
        rect(0, 0, 206, 236, 22, glass),
        rect(16, 16, 174, 92, 12, { fill: 'url(#p)' }),
        circle(58, 62, 24, { fill: c.spark }),
        path('M16 96 76 54l38 28 30-20 46 34v12H16z', { fill: c.deep, 'fill-opacity': 0.45 }),
        bar(16, 124, 118, 0.9, 12),
        bar(16, 146, 166, 0.45),
        bar(16, 162, 140, 0.45),
        rect(16, 188, 92, 32, 16, { fill: white }),
        rect(118, 188, 72, 32, 16, {
          fill: 'none',
          stroke: white,
          'stroke-opacity': 0.7,
          'stroke-width': 1.5,
        }),
      ]),
      group({ transform: 'translate(300 118)' }, [
        rect(8, 14, 212, 146, 18, { fill: c.deep, 'fill-opacity': 0.3 }),
        rect(0, 0, 212, 146, 18, { fill: c.light, 'fill-opacity': 0.94 }),
        circle(36, 38, 16, { fill: c.hue }),
        rect(64, 26, 86, 9, 4.5, { fill: c.deep, 'fill-opacity': 0.75 }),
        rect(64, 42, 56, 8, 4, { fill: c.deep, 'fill-opacity': 0.3 }),
        rect(166, 28, 34, 20, 10, { fill: c.mid }),
        circle(190, 38, 7, { fill: white }),
        rect(20, 84, 172, 6, 3, { fill: c.deep, 'fill-opacity': 0.16 }),
        rect(20, 84, 104, 6, 3, { fill: c.hue }),
        circle(124, 87, 11, { fill: white, stroke: c.hue, 'stroke-width': 3 }),
        range(4)
          .map((i) =>
            rect(20 + i * 44, 112, 36, 16, 8, { fill: c.hue, 'fill-opacity': 0.85 - i * 0.22 }),
          )
          .join(''),
      ]),
      path('m468 236 62 24-27 11-11 27z', {
        fill: white,
        stroke: c.deep,
        'stroke-width': 2.5,
        'stroke-linejoin': 'round',
      }),
      group(
        { fill: c.spark },
        (
          [
            [128, 62],
            [334, 62],
            [128, 298],
            [334, 298],
          ] as const
        ).map(([x, y]) => rect(x - 4, y - 4, 8, 8, 1)),
      ),
    ],
    linear(
      'p',
      [0, 0, 0, 1],
      [
        [0, c.light, 0.95],
        [1, c.hue, 0.8],
      ],
    ),
  )
}

/** Two letterforms as geometry, with the lines and handles they are built on. */
function typography(c: Palette) {
  const handles: Point[] = [
    [430, 116],
    [518, 204],
    [430, 292],
    [342, 204],
  ]

  return frame(
    c,
    [0.2, 0.14],
    [
      path(
        range(16)
          .map((i) => `M${i * 44 - 10} 0v360`)
          .join('') +
          range(9)
            .map((i) => `M0 ${28 + i * 44}h640`)
            .join(''),
        { ...hairline, 'stroke-opacity': 0.09 },
      ),
      path('M196 44 86 292h52l24-58h106l24 58h54L236 44zm19 62 33 84h-68z', {
        fill: 'url(#t)',
        'fill-rule': 'evenodd',
      }),
      path('M196 44 86 292h52l24-58h106l24 58h54L236 44zm19 62 33 84h-68z', {
        fill: 'none',
        stroke: 'url(#e)',
        'stroke-width': 1.5,
        'fill-rule': 'evenodd',
      }),
      circle(430, 204, 66, { fill: 'none', stroke: c.spark, 'stroke-width': 44 }),
      path('M474 116h44v176h-44z', { fill: c.spark }),
      path('M0 44h640M0 116h640M0 292h640', { ...hairline, 'stroke-opacity': 0.75 }),
      path('M0 336h640', { ...hairline, 'stroke-dasharray': '3 6', 'stroke-opacity': 0.5 }),
      circle(430, 204, 88, { fill: 'none', stroke: white, 'stroke-width': 1.2 }),
      path('M382 116h96M518 156v96M382 292h96M342 156v96', { stroke: white, 'stroke-width': 1.2 }),
      group({ fill: c.deep, stroke: white, 'stroke-width': 1.5 }, [
        ...handles.map(([x, y]) => rect(x - 5, y - 5, 10, 10, 1)),
        ...(
          [
            [382, 116],
            [478, 116],
            [518, 156],
            [518, 252],
            [382, 292],
            [478, 292],
            [342, 156],
            [342, 252],
          ] as const
        ).map(([x, y]) => circle(x, y, 4)),
      ]),
      path('M568 116v176M562 116h12M562 292h12', {
        stroke: white,
        'stroke-opacity': 0.8,
        'stroke-width': 1.5,
      }),
    ],
    linear(
      't',
      [0, 0, 0.4, 1],
      [
        [0, white, 0.95],
        [1, c.light, 0.6],
      ],
    ),
  )
}

/**
 * A few parts, repeated and combined: the tiles of a system, one of them taken out to be looked at.
 */
function designSystems(c: Palette) {
  const size = 80
  const rows = ['abcdaecb', 'dcaebdca', 'bedc.abe', 'cadbecda', 'ebacdbea']
  const shapes = {
    a: path('M0 0h80a80 80 0 0 1-80 80z'),
    b: circle(40, 40, 28),
    c: path('M0 80V40a40 40 0 0 1 80 0v40z'),
    d: path('M0 0h80L0 80z'),
    e: path('M0 0h80v26H0zM0 54h80v26H0z'),
  }
  const tone = [c.hue, c.light, c.mid, white, c.deep]
  const tiles = rows.flatMap((row, y) =>
    [...row].map((kind, x) => {
      if (kind === '.') {
        return ''
      }

      const turn = ((x * 7 + y * 5) % 4) * 90
      const strength = 0.12 + 0.5 * Math.max(0, 1 - Math.hypot(x - 4.2, (y - 2) * 1.2) / 4.6)

      return element('use', {
        href: `#${kind}`,
        fill: tone[(x * 3 + y * 2) % 5],
        'fill-opacity': strength,
        transform: `translate(${x * size} ${y * size - 20})${turn ? `rotate(${turn} 40 40)` : ''}`,
      })
    }),
  )

  return frame(
    c,
    [0.62, 0.3],
    [
      ...tiles,
      path(
        range(7)
          .map((i) => `M${(i + 1) * size} 0v360`)
          .join('') +
          range(5)
            .map((i) => `M0 ${60 + i * size}h640`)
            .join(''),
        { ...hairline, 'stroke-opacity': 0.16 },
      ),
      rect(320, 140, 80, 80, 0, { fill: c.deep, 'fill-opacity': 0.5 }),
      rect(306, 132, 118, 118, 20, { fill: c.deep, 'fill-opacity': 0.35 }),
      rect(300, 112, 120, 120, 18, { fill: white }),
      path('M322 210v-38a38 38 0 0 1 76 0v38z', { fill: c.hue }),
      circle(360, 172, 17, { fill: c.spark }),
      group({ fill: 'none', stroke: white, 'stroke-opacity': 0.85 }, [
        path('M284 112h-12M284 232h-12M278 112v120M300 96v-12M420 96v-12M300 90h120'),
      ]),
    ],
    Object.entries(shapes)
      .map(([id, shape]) => element('g', { id }, shape))
      .join(''),
  )
}

/** A plan: work that starts when the work before it is done, a milestone, and today. */
function projectManagement(c: Palette) {
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

  return frame(
    c,
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
            rect(x + 5, y(i) + 8, width, 32, 16, { fill: c.deep, 'fill-opacity': 0.35 }),
            rect(x, y(i), width, 32, 16, { fill: c.hue }),
            rect(x, y(i), width, 32, 16, glass),
            done[i]
              ? rect(x, y(i), width * (done[i] ?? 0), 32, 16, {
                  fill: c.light,
                  'fill-opacity': 0.88,
                })
              : '',
          ].join(''),
        )
        .join(''),
      path('M384 -20v420', { stroke: c.spark, 'stroke-width': 2 }),
      circle(384, 26, 6, { fill: c.spark }),
      path(`m596 ${y(5) - 4} 20 20-20 20-20-20z`, {
        fill: c.spark,
        stroke: c.deep,
        'stroke-opacity': 0.4,
        'stroke-width': 3,
      }),
    ]),
  )
}

/** Ground with heights, and the chosen way through it. */
function strategy(c: Palette) {
  const next = random('strategy')
  const wobble = range(8).map(() => 0.84 + next() * 0.32)
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

  return frame(
    c,
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
        [c.deep, 11, 0.4],
        [c.spark, 5, null],
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
      circle(80, 292, 11, { fill: c.deep, stroke: c.spark, 'stroke-width': 4 }),
      circle(212, 244, 7, { fill: white }),
      circle(330, 206, 7, { fill: white }),
      circle(190, 84, 5, { fill: white, 'fill-opacity': 0.6 }),
      circle(560, 318, 5, { fill: white, 'fill-opacity': 0.6 }),
      path('M414 150V78', { stroke: white, 'stroke-width': 3, 'stroke-linecap': 'round' }),
      path('M415 78c22-12 34 12 58 0v36c-24 12-36-12-58 0z', { fill: c.spark }),
      element('ellipse', { cx: 414, cy: 151, rx: 15, ry: 6, fill: c.deep, 'fill-opacity': 0.5 }),
      circle(414, 150, 4, { fill: white }),
    ],
  )
}

/** Results so far as columns, and a fan of scenarios ahead. */
function finance(c: Palette) {
  const heights = [58, 74, 66, 96, 112, 104, 140]
  const [originX, originY] = [356, 168]
  const fan = (spread: number, opacity: number) =>
    path(
      `M${originX} ${originY}C440 ${n(150 - spread * 0.1)} 540 ${n(112 - spread * 0.6)} 660 ${n(70 - spread)}V${n(70 + spread)}C540 ${n(112 + spread * 0.6)} 440 ${n(150 + spread * 0.2)} ${originX} ${originY}z`,
      { fill: c.light, 'fill-opacity': opacity },
    )

  return frame(
    c,
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
        stroke: c.spark,
        'stroke-width': 3.5,
        'stroke-dasharray': '9 7',
      }),
      circle(originX, originY, 15, { fill: c.spark, 'fill-opacity': 0.3 }),
      circle(originX, originY, 7.5, { fill: c.spark, stroke: white, 'stroke-width': 2 }),
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
        [0, c.light, 0.95],
        [1, c.hue, 0.55],
      ],
    ),
  )
}

/** Many people enter a funnel, some stay. */
function digitalMarketing(c: Palette) {
  const next = random('funnel')
  const radius = (i: number) => 26 + 214 * ((11 - i) / 11) ** 1.7
  const ring = (i: number) => ({ cx: 320, cy: 96 + i * 19, rx: radius(i), ry: radius(i) * 0.27 })
  const sides = (side: number) =>
    smooth(range(7).map((i) => [320 + side * radius(i * 1.83), 96 + i * 34.8]))
  const crowd: Point[] = []
  for (let tries = 0; crowd.length < 40 && tries < 900; tries++) {
    const [x, y] = polar(0, 0, Math.sqrt(next()), next())
    const point: Point = [Math.round(320 + x * 330), Math.round(66 + y * 64)]
    if (crowd.every(([px, py]) => Math.hypot(px - point[0], (py - point[1]) * 1.5) > 34)) {
      crowd.push(point)
    }
  }

  const dots = (chosen: Point[], stroke: string, width: number) =>
    path(chosen.map(([x, y]) => `M${x} ${y}h0`).join(''), {
      stroke,
      'stroke-width': width,
      'stroke-linecap': 'round',
    })
  const kept = '#5b4cf0'
  const strokes = [c.light, white, kept, white, c.light]

  return frame(
    c,
    [0.5, 0.16],
    [
      path(
        `${sides(-1)}H346L${smooth(range(7).map((i) => [320 + radius((6 - i) * 1.83), 96 + (6 - i) * 34.8])).slice(1)}z`,
        { fill: 'url(#f)' },
      ),
      element('ellipse', { ...ring(0), fill: 'url(#g)' }),
      range(12)
        .map((i) =>
          element('ellipse', {
            ...ring(i),
            fill: 'none',
            stroke: white,
            'stroke-opacity': 0.7 - i * 0.03,
            'stroke-width': i ? 1 : 1.8,
          }),
        )
        .join(''),
      path(sides(-1) + sides(1), {
        fill: 'none',
        stroke: white,
        'stroke-opacity': 0.7,
        'stroke-width': 1.5,
      }),
      [0, 1, 2, 3, 4]
        .map((i) =>
          dots(
            crowd.filter((_, k) => k % 5 === i),
            strokes[i] ?? kept,
            [6, 9, 11, 12, 7][i] ?? 0,
          ),
        )
        .join(''),
      (
        [
          [286, 168, 5],
          [352, 186, 5],
          [312, 214, 5],
          [330, 250, 5],
        ] as const
      )
        .map(([x, y, size]) => circle(x, y, size, { fill: white }))
        .join(''),
      circle(320, 330, 22, { fill: kept, 'fill-opacity': 0.35 }),
      circle(320, 330, 12, { fill: kept, stroke: white, 'stroke-width': 2.5 }),
      path(
        'M-10 300c60-40 100-40 160 0s90 30 120 14M650 300c-60-40-100-40-160 0s-90 30-120 14M-10 330c60-40 100-40 160 0s90 26 130 6M650 330c-60-40-100-40-160 0s-90 26-130 6',
        { ...hairline, 'stroke-opacity': 0.25 },
      ),
    ],
    linear(
      'f',
      [0, 0, 0, 1],
      [
        [0, c.deep, 0.15],
        [1, c.deep, 0.6],
      ],
    ),
  )
}

/** A list of results, and the lens that finds the one that answers. */
function contentSearch(c: Palette) {
  const row = (y: number, scale: number, bright: boolean) =>
    group({ transform: `translate(0 ${y})` }, [
      rect(0, 0, 330, 50, 12, bright ? { fill: white } : glass),
      circle(27, 25, 11, { fill: bright ? c.spark : white, 'fill-opacity': bright ? null : 0.45 }),
      rect(50, 13, 150 * scale, 9, 4.5, { fill: bright ? c.deep : white, 'fill-opacity': 0.75 }),
      rect(50, 29, 230 * scale, 7, 3.5, { fill: bright ? c.mid : white, 'fill-opacity': 0.4 }),
    ])
  const widths = [1, 0.8, 0.95, 0.7, 0.86]
  const found = { ...c, spark: c.hue }
  const nodes: Point[] = [
    [86, 84],
    [48, 176],
    [112, 246],
    [64, 316],
    [150, 148],
  ]

  return frame(
    c,
    [0.76, 0.18],
    [
      path(
        'M86 84 150 148 48 176 112 246 64 316M150 148 112 246M86 84 48 176M150 148 232 84M112 246l120-40M150 148l82 58',
        { ...hairline, 'stroke-opacity': 0.4 },
      ),
      nodes
        .map(([x, y], i) =>
          circle(x, y, 7 + (i % 3) * 3, {
            fill: i === 4 ? white : c.light,
            'fill-opacity': i === 4 ? null : 0.6,
          }),
        )
        .join(''),
      group(
        { transform: 'translate(222 26)' },
        widths.map((width, i) => row(i * 64, width, false)),
      ),
      group(
        { transform: 'translate(16 20)' },
        path('m520 240 62 62', {
          stroke: c.deep,
          'stroke-opacity': 0.4,
          'stroke-width': 26,
          'stroke-linecap': 'round',
        }),
      ),
      path('m512 232 66 66', { stroke: c.deep, 'stroke-width': 24, 'stroke-linecap': 'round' }),
      path('m534 254 44 44', { stroke: c.light, 'stroke-width': 10, 'stroke-linecap': 'round' }),
      circle(444, 164, 100, { fill: c.mid }),
      element(
        'g',
        { 'clip-path': 'url(#k)' },
        group({ transform: 'translate(324 128) scale(1.45)' }, [
          group({ fill: white, 'fill-opacity': 0.25 }, [
            rect(0, -64, 330, 50, 12),
            rect(0, 64, 330, 50, 12),
          ]),
          rect(0, 0, 330, 50, 12, { fill: white }),
          circle(44, 25, 12, { fill: found.hue }),
          rect(68, 12, 90, 10, 5, { fill: c.deep, 'fill-opacity': 0.8 }),
          rect(68, 29, 90, 7, 3.5, { fill: c.mid, 'fill-opacity': 0.4 }),
        ]),
      ),
      circle(444, 164, 92, { fill: 'url(#w)', stroke: c.deep, 'stroke-width': 12 }),
      circle(444, 164, 98, { fill: 'none', stroke: 'url(#e)', 'stroke-width': 2 }),
      path('M374 130a78 78 0 0 1 44-40', {
        fill: 'none',
        stroke: white,
        'stroke-width': 5,
        'stroke-linecap': 'round',
        'stroke-opacity': 0.8,
      }),
    ],
    element('clipPath', { id: 'k' }, circle(444, 164, 92)) +
      linear(
        'w',
        [0, 0, 1, 1],
        [
          [0, white, 0.3],
          [0.5, white, 0],
          [1, white, 0.12],
        ],
      ),
  )
}

/** The blades of an aperture around the light they let in, on a grid of thirds. */
function photography(c: Palette) {
  const [cx, cy, outer, inner, blades] = [320, 180, 152, 66, 8] as const
  const vertex = (i: number) => polar(cx, cy, inner, i / blades)
  const reach = (i: number): Point => {
    const [[x1, y1], [x2, y2]] = [vertex(i), vertex(i + 1)] as const
    const [dx, dy]: Point = [
      (x2 - x1) / Math.hypot(x2 - x1, y2 - y1),
      (y2 - y1) / Math.hypot(x2 - x1, y2 - y1),
    ]
    const along = (x1 - cx) * dx + (y1 - cy) * dy
    const reachLength = -along + Math.sqrt(along * along - (inner * inner - outer * outer))

    return [x1 + dx * reachLength, y1 + dy * reachLength]
  }
  const pair = ([x, y]: Point) => `${n(x)} ${n(y)}`
  const blade = (i: number) => {
    const shade = 0.5 + 0.5 * Math.cos(((i + 0.9) / blades - 0.62) * 2 * Math.PI)
    return path(
      `M${pair(vertex(i + 1))}L${pair(reach(i))}A${outer} ${outer} 0 0 1 ${pair(reach(i + 1))}z`,
      {
        fill: mix(c.mid, c.light, 0.04 + shade * 0.66),
      },
    )
  }

  return frame(
    c,
    [0.3, 0.12],
    [
      circle(cx, cy, 300, { fill: 'url(#h)' }),
      path('M213 0v360M427 0v360M0 120h640M0 240h640', { ...hairline, 'stroke-opacity': 0.35 }),
      circle(cx, cy, 172, {
        fill: c.deep,
        'fill-opacity': 0.55,
        stroke: 'url(#e)',
        'stroke-width': 1.5,
      }),
      circle(cx, cy, outer + 4, { fill: c.mid }),
      circle(cx, cy, inner + 8, { fill: 'url(#o)' }),
      range(blades).map(blade).join(''),
      path(
        range(blades)
          .map((i) => `M${pair(vertex(i + 1))}L${pair(reach(i + 1))}`)
          .join(''),
        { stroke: white, 'stroke-opacity': 0.75, 'stroke-width': 1.2 },
      ),
      circle(cx, cy, outer + 4, { fill: 'none', stroke: 'url(#e)', 'stroke-width': 2 }),
      path(
        range(48)
          .map(
            (i) =>
              `M${pair(polar(cx, cy, 160, i / 48))}L${pair(polar(cx, cy, i % 4 ? 165 : 169, i / 48))}`,
          )
          .join(''),
        { stroke: white, 'stroke-opacity': 0.7 },
      ),
      group({ fill: c.spark }, [
        circle(427, 120, 6),
        circle(427, 120, 13, { 'fill-opacity': 0.3 }),
      ]),
      circle(540, 300, 34, { fill: c.spark, 'fill-opacity': 0.14 }),
      circle(586, 334, 16, { fill: white, 'fill-opacity': 0.16 }),
      circle(120, 66, 46, { fill: white, 'fill-opacity': 0.08 }),
    ],
    radial(
      'h',
      [0.5, 0.5, 0.5],
      [
        [0, c.light, 0.7],
        [0.5, c.hue, 0.4],
        [1, c.hue, 0],
      ],
    ) +
      radial(
        'o',
        [0.42, 0.4, 0.7],
        [
          [0, '#fff6ea'],
          [0.5, c.spark],
          [1, '#d8628a'],
        ],
      ),
  )
}

const subjects: Record<string, (c: Palette, slug: string) => string> = {
  'complete-web-development': webDevelopment,
  'python-from-zero': python,
  'data-structures-and-algorithms': algorithms,
  'machine-learning-foundations': machineLearning,
  'interface-design-fundamentals': interfaceDesign,
  'typography-for-screens': typography,
  'design-systems-that-last': designSystems,
  'project-management-in-practice': projectManagement,
  'business-strategy-essentials': strategy,
  'financial-modelling': finance,
  'digital-marketing-essentials': digitalMarketing,
  'content-and-search': contentSearch,
  'photography-light-and-composition': photography,
}

/** For a course that no picture was designed for: glass discs on orbits, arranged by its name. */
function orbits(c: Palette, slug: string) {
  const next = random(slug)
  const [cx, cy]: Point = [270 + next() * 100, 160 + next() * 40]
  const radii = range(5).map((ring) => 56 + ring * 46)
  const discs = radii.map((radius) =>
    circle(...polar(cx, cy, radius, next()), 12 + next() * 24, glass),
  )
  const spark = polar(cx, cy, radii[1] ?? 0, next())

  return frame(
    c,
    [0.2 + next() * 0.6, 0.14],
    [
      ...radii.map((radius) => circle(cx, cy, radius, hairline)),
      circle(cx, cy, 34, glass),
      ...discs,
      group({ fill: c.spark }, [
        circle(...spark, 8),
        circle(...spark, 17, { 'fill-opacity': 0.3 }),
      ]),
    ],
  )
}

/** @returns the cover of a course as SVG text. */
export function drawCover(slug: string, category?: string): string {
  return (subjects[slug] ?? orbits)(coursePalette(slug, category), slug)
}
