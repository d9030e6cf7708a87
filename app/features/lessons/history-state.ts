/** State of the history entry after an article: the next page celebrates it. */
export const finishedArticle = (title: string) => ({ finishedArticle: title })

/**
 * The article that led to this page. None for a page that the learner went back to, or loaded anew.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function articleJustFinished(state: unknown, navigationType: string): string | null {
  const title = (state as { finishedArticle?: unknown } | null)?.finishedArticle
  return navigationType !== 'POP' && typeof title === 'string' ? title : null
}

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
