/** State of the history entry: a video that was reached by a link plays by itself. */
export const playsAtOnce = { play: true }

/**
 * Whether a video begins to play by itself. One that the learner went back to, or loaded anew, waits.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function beginsToPlay(state: unknown, navigationType: string): boolean {
  return navigationType !== 'POP' && (state as { play?: unknown } | null)?.play === true
}
