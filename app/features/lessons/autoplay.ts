/** State of the history entry: a film that the learner was led to begins to play. */
export const playsAtOnce = { play: true }

/**
 * Whether a film begins to play by itself. One that the learner went back to, or loaded anew, waits.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function beginsToPlay(state: unknown, navigationType: string): boolean {
  return navigationType !== 'POP' && (state as { play?: unknown } | null)?.play === true
}
