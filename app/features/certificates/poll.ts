export const pollEveryMs = 1_000
export const mostPolls = 15

/**
 * Looks a second after each look, at most 15 times: what has not come by then shows at the next visit.
 *
 * @param canLook false puts a look off, for example without a connection.
 * @returns stops it.
 */
export function poll(look: () => Promise<void>, canLook: () => boolean): () => void {
  let looks = 0
  let timer = setTimeout(next, pollEveryMs)
  let stopped = false
  async function next() {
    if (canLook()) {
      looks++
      // A look that failed is the page's to tell; the next one may succeed.
      await look().catch(() => {})
    }
    if (!stopped && looks < mostPolls) timer = setTimeout(next, pollEveryMs)
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
