import * as z from 'zod'
import { coveredMs, uniteIntervals } from './watched-intervals'

const milliseconds = z.int().nonnegative()
const interval = z
  .tuple([milliseconds, milliseconds])
  .refine(([start, end]) => start < end, { error: 'an interval ends after it starts' })

/**
 * What a browser sends about one visit of one lesson. It is cumulative: a later report of the same visit contains every
 * earlier one, so that a lost one does not matter. Times are milliseconds since 1970 by the server's clock.
 */
export const progressReport = z.strictObject({
  /** Whose visit, as the page was opened; never another's than the session's. */
  uid: z.string().min(1).max(200),
  openedAt: milliseconds,
  /** The server's signature over learner, lesson and `openedAt`. */
  signature: z.string().min(1).max(200),
  watched: z.array(interval).max(1500).default([]),
  position: z.strictObject({ ms: milliseconds, at: milliseconds }).nullable().default(null),
  mark: z
    .strictObject({ value: z.enum(['done', 'undone']), at: milliseconds })
    .nullable()
    .default(null),
  answered: z
    .array(z.string().regex(/^[0-9a-f]{12}$/))
    .max(200)
    .default([]),
  readToEnd: z.boolean().default(false),
  /** When the learner was really there: page in front and in use, or video playing. */
  studied: z.array(interval).max(1500).default([]),
})

export type ProgressReport = z.infer<typeof progressReport>

/** The fastest speed that the player offers. */
const fastestSpeed = 2

/** Clocks of several servers and the rounding of many intervals may disagree by this much. */
const slackMs = 5_000

/**
 * Why an honest browser cannot have sent this. It looks at one report and its own visit only, never at what is stored,
 * so that the order of reports decides nothing.
 *
 * @param now milliseconds since 1970.
 * @returns a sentence, or null for a plausible report.
 */
export function findImplausibility(report: ProgressReport, now: number): string | null {
  const { openedAt, watched, studied, position, mark } = report
  const elapsedMs = now - openedAt + slackMs
  if (elapsedMs < 0) return 'This visit has not begun yet.'
  if (coveredMs(uniteIntervals(watched)) > elapsedMs * fastestSpeed) return 'Nobody can watch this fast.'
  const times = [...studied.flat(), ...[position, mark].flatMap((part) => (part ? [part.at] : []))]
  if (times.some((at) => at < openedAt - slackMs || at > now + slackMs)) return 'This time lies outside of the visit.'
  return null
}
