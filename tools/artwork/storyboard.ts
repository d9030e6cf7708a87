/**
 * The schema of storyboards. `npm run media` checks them with it, and editors complete them with
 * it.
 */
import { writeFileSync } from 'node:fs'
import * as z from 'zod'

const text = z.string().trim().min(1)

// The following schemas describe the parts of an animated drawing. `README.md` explains them.

/**
 * A time in captions: 1 is when the scene's first caption appears, 2.5 is halfway through the
 * second.
 */
const captionTime = z.number().min(0).max(9.99)
const xCoordinate = z.number().min(-300).max(1580)
/** The lowest fifth of the picture is left to the captions. */
const yCoordinate = z.number().min(-100).max(576)
const point = z.tuple([xCoordinate, yCoordinate])
const length = z.number().min(0).max(1280)
const textSize = z.number().min(28).max(160)
const colorName = z.enum([
  'white',
  'ink',
  'base',
  'light',
  'hue',
  'mid',
  'spark',
  'panel',
  'dim',
  'faint',
  'good',
  'bad',
  'none',
])
const fillColor = z.union([
  colorName,
  z.string().regex(/^#[0-9a-f]{6}$/, 'Write a color like `#2f6fed`, or its name.'),
])
/** The colors that can be read on the video's background, and `ink` for words on a light part. */
const wordColor = z.enum(['white', 'light', 'spark', 'dim', 'good', 'bad', 'ink'])

const area = z.tuple([xCoordinate, yCoordinate, length, length])
const drawnText = z.string().max(160)

/** The properties of a part that can change during a scene. */
const changeableProperties = {
  box: area,
  ring: z.tuple([xCoordinate, yCoordinate, length]),
  bar: area,
  arrow: z.array(point).min(2).max(40),
  blob: z.array(point).min(3).max(40),
  at: point,
  number: z.number(),
  words: drawnText,
  text: drawnText,
  size: textSize,
  fill: fillColor,
  line: fillColor,
  color: wordColor,
  thick: z.number().min(1).max(40),
  fade: z.number().min(0).max(1),
  scale: z.number().min(0).max(40),
  turn: z.number().min(-3600).max(3600),
  lit: z.union([z.number().min(0).max(20), z.array(z.int().nonnegative()).max(20)]),
  lines: z.number().min(0).max(20),
}

const change = z.strictObject({
  when: captionTime,
  /** How many seconds the change takes. */
  over: z.number().min(0).max(30).optional(),
  ...z.object(changeableProperties).partial().shape,
})

/** The properties of a part that stay the same during a scene. */
const fixedProperties = {
  outline: z.string().max(600),
  code: z.array(z.string().max(60)).min(1).max(12),
  cells: z
    .array(z.union([z.string().max(20), z.number()]))
    .min(1)
    .max(16),
  cell: z.tuple([length, length]),
  gap: z.number().min(0).max(200),
  litFill: fillColor,
  width: length,
  before: z.string().max(12),
  after: z.string().max(24),
  decimals: z.int().min(0).max(4),
  weight: z.number().min(400).max(700),
  anchor: z.enum(['start', 'middle', 'end']),
  mono: z.boolean(),
  round: z.number().min(0).max(640),
  dashed: z.boolean(),
  head: z.boolean(),
  curved: z.boolean(),
  across: z.boolean(),
  still: z.boolean(),
  /** The times at which the part appears and leaves. With 0, the part is there from the start. */
  show: captionTime,
  hide: captionTime,
  changes: z.array(change).max(16),
}

/** The kinds of parts. Each part has exactly one of these properties, which says its kind. */
const partKinds = [
  'box',
  'ring',
  'words',
  'number',
  'arrow',
  'bar',
  'code',
  'cells',
  'outline',
  'blob',
] as const

const part = z.object({ ...changeableProperties, ...fixedProperties })

/** A part or, with `each`, several parts that differ in a few properties. */
const drawnPart = z
  .strictObject({
    ...part.partial().shape,
    each: z.partialRecord(part.keyof(), z.array(z.unknown()).min(1).max(40)).optional(),
  })
  .superRefine(({ each = {}, ...properties }, context) => {
    const kinds = partKinds.filter(
      (kind) => properties[kind] !== undefined || each[kind] !== undefined,
    )
    if (kinds.length !== 1) {
      context.addIssue({
        code: 'custom',
        message: `A part is exactly one of ${partKinds.join(', ')}.`,
      })
    }

    const lists = Object.values(each)
    if (lists.some((list) => list?.length !== lists[0]?.length)) {
      context.addIssue({
        code: 'custom',
        path: ['each'],
        message: 'Give all lists of `each` the same length.',
      })
    }

    for (const [key, list] of Object.entries(each)) {
      const property = part.shape[key as keyof typeof part.shape]
      const { error } = z.array(property).safeParse(list)
      for (const { path, message } of error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: ['each', key, ...path], message })
      }
    }
  })

/** The simple diagrams, which the program lays out. */
const diagram = z.discriminatedUnion('kind', [
  /** Boxes with arrows between them, which appear one after the other. */
  z.strictObject({ kind: z.literal('flow'), nodes: z.array(text.max(18)).min(2).max(4) }),
  /** Bars that grow. Their values are from 0 to 100. */
  z.strictObject({
    kind: z.literal('bars'),
    bars: z
      .array(z.strictObject({ label: text.max(14), value: z.number().min(0).max(100) }))
      .min(2)
      .max(6),
  }),
  /** Lines of code that appear one by one. */
  z.strictObject({ kind: z.literal('code'), code: z.array(z.string().max(44)).min(1).max(6) }),
  /** A grid whose cells are filled one after the other. Cells are counted from 0, row by row. */
  z.strictObject({
    kind: z.literal('grid'),
    columns: z.int().min(2).max(8),
    rows: z.int().min(1).max(5),
    filled: z.array(z.int().nonnegative()).max(40),
  }),
])

/** People can read captions at up to this speed. */
const maxCharactersPerSecond = 17

const scene = z
  .strictObject({
    seconds: z.number().min(2).max(60),
    /** One caption or several captions. Each stays for as long as its share of the letters. */
    caption: z.union([text.max(160), z.array(text.max(90)).min(1).max(8)]),
    heading: text.max(48).optional(),
    lines: z.array(text.max(64)).max(4).default([]),
    diagram: diagram.optional(),
    /** The parts in the order in which they are painted, on 1280 x 720 pixels. */
    drawing: z.array(drawnPart).min(1).max(80).optional(),
    /** The time of this scene that the poster shows, in captions. */
    poster: z.number().min(1).max(9).optional(),
  })
  .refine(
    ({ seconds, caption }) => {
      const characterCount = [caption].flat().join('').length
      return characterCount <= seconds * maxCharactersPerSecond
    },
    {
      message: `The captions are too fast to read. Give the scene more \`seconds\`, one for every ${maxCharactersPerSecond} characters.`,
      path: ['seconds'],
    },
  )

/** A file `content/courses/SLUG/videos/NAME.yaml`, which `npm run media` draws as a video. */
export const storyboardFile = z.strictObject({ scenes: z.array(scene).min(2) })

export type Storyboard = z.infer<typeof storyboardFile>
export type Scene = Storyboard['scenes'][number]
/**
 * A part as the storyboard has it: with its `changes`, and with `each` if it stands for several
 * parts.
 */
export type DrawnPart = z.infer<typeof drawnPart>
export type Diagram = z.infer<typeof diagram>

/**
 * The schema as editors read it. `node tools/artwork/storyboard.ts` writes the file, and a test
 * compares it.
 */
export const storyboardJsonSchema = {
  file: 'docs/schemas/storyboard.json',
  text: `${JSON.stringify(z.toJSONSchema(storyboardFile, { io: 'input', target: 'draft-7' }), null, 2)}\n`,
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(storyboardJsonSchema.file, storyboardJsonSchema.text)
}
