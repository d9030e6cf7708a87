/** The shape of a storyboard, by which `npm run media` checks it and editors complete it. */
import { writeFileSync } from 'node:fs'
import * as z from 'zod'

const text = z.string().trim().min(1)

/**
 * The parts of an animated drawing; `README.md` explains them. Times are counted in captions:
 * 1 is when the scene's first caption appears, 2.5 is halfway through the second.
 */
const moment = z.number().min(0).max(9.99)
const across = z.number().min(-300).max(1580)
/** The lowest fifth of the picture belongs to the captions. */
const down = z.number().min(-100).max(576)
const point = z.tuple([across, down])
const size = z.number().min(0).max(1280)
const letters = z.number().min(28).max(160)
const named = z.enum([
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
  named,
  z.string().regex(/^#[0-9a-f]{6}$/, 'Write a color like `#2f6fed`, or its name.'),
])
/** Colors that can be read on the film's ground, and `ink` for words on a light part. */
const wordColor = z.enum(['white', 'light', 'spark', 'dim', 'good', 'bad', 'ink'])

const area = z.tuple([across, down, size, size])
const written = z.string().max(160)

/** What can change in the course of a scene. */
const values = {
  box: area,
  ring: z.tuple([across, down, size]),
  bar: area,
  arrow: z.array(point).min(2).max(40),
  blob: z.array(point).min(3).max(40),
  at: point,
  number: z.number(),
  words: written,
  text: written,
  size: letters,
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
  when: moment,
  /** How many seconds the change takes. */
  over: z.number().min(0).max(30).optional(),
  ...z.object(values).partial().shape,
})

const fixed = {
  outline: z.string().max(600),
  code: z.array(z.string().max(60)).min(1).max(12),
  cells: z
    .array(z.union([z.string().max(20), z.number()]))
    .min(1)
    .max(16),
  cell: z.tuple([size, size]),
  gap: z.number().min(0).max(200),
  litFill: fillColor,
  width: size,
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
  /** When the part appears and leaves; 0 is there from the start. */
  show: moment,
  hide: moment,
  changes: z.array(change).max(16),
}

/** What a part can be; exactly one of these keys says which. */
const kinds = [
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

const one = z.object({ ...values, ...fixed })

/** One part, or with `each` several that differ in a few values. */
const drawnPart = z
  .strictObject({
    ...one.partial().shape,
    each: z.partialRecord(one.keyof(), z.array(z.unknown()).min(1).max(40)).optional(),
  })
  .superRefine(({ each = {}, ...part }, context) => {
    const found = kinds.filter((kind) => part[kind] !== undefined || each[kind] !== undefined)
    if (found.length !== 1) {
      context.addIssue({ code: 'custom', message: `A part is exactly one of ${kinds.join(', ')}.` })
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
      const checked = z.array(one.shape[key as keyof typeof one.shape]).safeParse(list)
      for (const { path, message } of checked.error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: ['each', key, ...path], message })
      }
    }
  })

/** The simple diagrams, laid out by the program. */
const diagram = z.discriminatedUnion('kind', [
  /** Boxes joined by arrows, drawn one after the other. */
  z.strictObject({ kind: z.literal('flow'), nodes: z.array(text.max(18)).min(2).max(4) }),
  /** Bars that grow; values 0 to 100. */
  z.strictObject({
    kind: z.literal('bars'),
    bars: z
      .array(z.strictObject({ label: text.max(14), value: z.number().min(0).max(100) }))
      .min(2)
      .max(6),
  }),
  /** Lines of code that appear one by one. */
  z.strictObject({ kind: z.literal('code'), code: z.array(z.string().max(44)).min(1).max(6) }),
  /**
   * A grid of squares filled in turn, for layouts and thirds; filled cells count from 0, row by
   * row.
   */
  z.strictObject({
    kind: z.literal('grid'),
    columns: z.int().min(2).max(8),
    rows: z.int().min(1).max(5),
    filled: z.array(z.int().nonnegative()).max(40),
  }),
])

/** People read captions at up to 17 characters a second. */
const fastestReading = 17

const scene = z
  .strictObject({
    seconds: z.number().min(2).max(60),
    /**
     * One caption, or several that follow each other; each stays for as long as its share of the
     * letters.
     */
    caption: z.union([text.max(160), z.array(text.max(90)).min(1).max(8)]),
    heading: text.max(48).optional(),
    lines: z.array(text.max(64)).max(4).default([]),
    diagram: diagram.optional(),
    /** Parts in the order in which they are painted, on 1280 x 720 pixels. */
    drawing: z.array(drawnPart).min(1).max(80).optional(),
    /** The moment of this scene that the poster shows, in captions. */
    poster: z.number().min(1).max(9).optional(),
  })
  .refine(({ seconds, caption }) => [caption].flat().join('').length <= seconds * fastestReading, {
    message: `The captions are too fast to read. Give the scene more \`seconds\`, one for every ${fastestReading} characters.`,
    path: ['seconds'],
  })

/**
 * `content/courses/SLUG/videos/NAME.yaml`: what `npm run media` draws. Captions become WebVTT cues.
 */
export const storyboardFile = z.strictObject({ scenes: z.array(scene).min(2) })

export type Storyboard = z.infer<typeof storyboardFile>
export type Scene = Storyboard['scenes'][number]
/** With what moves: `changes`, and `each`, by which it stands for several parts. */
export type DrawnPart = z.infer<typeof drawnPart>
export type Diagram = z.infer<typeof diagram>

/**
 * The file that editors read: `node tools/artwork/storyboard.ts` writes it, and a test compares it.
 */
export const storyboardJsonSchema = {
  file: 'docs/schemas/storyboard.json',
  text: `${JSON.stringify(z.toJSONSchema(storyboardFile, { io: 'input', target: 'draft-7' }), null, 2)}\n`,
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(storyboardJsonSchema.file, storyboardJsonSchema.text)
}
