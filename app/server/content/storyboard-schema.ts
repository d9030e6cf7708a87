import * as z from 'zod'
import { text } from './content-fields'
import { drawnPart } from './storyboard-drawing-schema'

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
  /** A grid of squares filled in turn, for layouts and thirds; filled cells count from 0, row by row. */
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
    /** One caption, or several that follow each other; each stays for as long as its share of the letters. */
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

/** `content/courses/SLUG/videos/NAME.yaml`: what `npm run media` draws. Captions become WebVTT cues. */
export const storyboardFile = z.strictObject({ scenes: z.array(scene).min(2) })
