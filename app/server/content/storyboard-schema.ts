import * as z from 'zod'
import { text } from './content-fields'

/**
 * `content/courses/SLUG/videos/NAME.yaml`: what `npm run media` draws. Each scene is a title card or a simple animated
 * diagram; its `caption` becomes one WebVTT cue of the same length.
 */
export const storyboardFile = z.strictObject({
  scenes: z
    .array(
      z.strictObject({
        seconds: z.number().min(2).max(12),
        caption: text.max(160),
        heading: text.max(48).optional(),
        lines: z.array(text.max(64)).max(4).default([]),
        diagram: z
          .discriminatedUnion('kind', [
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
          .optional(),
      }),
    )
    .min(2),
})
