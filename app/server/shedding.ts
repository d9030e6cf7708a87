/**
 * What is refused when the process falls behind, in this order: what costs most first, what a learner has already done
 * last. Kept pages are always sent.
 *
 * `costly`: archives, PDFs, drawn pictures, sitemaps. `rendering`: a public page that isn't kept. `sign-in`: every step that
 * may hash a password. `page`: what a signed-in learner opens or changes. `data`: what an open page asks for, of which
 * nothing is rendered. `report`: progress and answers.
 */
export const works = ['costly', 'rendering', 'sign-in', 'page', 'data', 'report'] as const

export type Work = (typeof works)[number]

/** From which level on each is refused. */
const refusedFrom: Record<Work, number> = { costly: 1, rendering: 1, 'sign-in': 2, page: 3, data: 3, report: 4 }

export type Load = {
  /** How late the main thread came to its work in the last second, on average. */
  delayMs: number
  /** Database questions that wait, for each connection of the pool. */
  waiting: number
}

/** Each level begins at this many times the first one's delay, or at this many waiting questions for each connection. */
const levels = [
  { times: 1, waiting: 20 },
  { times: 2, waiting: 50 },
  { times: 5, waiting: 100 },
  { times: 10, waiting: 200 },
]

/**
 * @param level of a second ago, from 0 (everything is answered) to 4 (only kept pages are).
 * @param shedAfterMs the delay at which the first level begins.
 * @returns the level now: it rises at once and falls by one a second, so that a relief is no new rush.
 */
export function nextLevel(level: number, { delayMs, waiting }: Load, shedAfterMs: number): number {
  const reached = levels.filter((one) => delayMs >= one.times * shedAfterMs || waiting >= one.waiting).length
  return Math.max(reached, level - 1)
}

export function isRefused(work: Work, level: number): boolean {
  return level >= refusedFrom[work]
}
