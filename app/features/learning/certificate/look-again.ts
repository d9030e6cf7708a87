export const lookAgainMs = 1_000
export const mostLooks = 15

/**
 * Looks again a second after each look, until it is stopped or has looked 15 times: what has not come by then comes with
 * the next visit.
 *
 * @param canLook false puts a look off, for example without a connection.
 * @returns stops it.
 */
export function lookAgain(look: () => Promise<void>, canLook: () => boolean): () => void {
  let looks = 0
  let timer = setTimeout(next, lookAgainMs)
  let stopped = false
  async function next() {
    if (canLook()) {
      looks++
      // A look that failed is the page's to tell; the next one may succeed.
      await look().catch(() => {})
    }
    if (!stopped && looks < mostLooks) timer = setTimeout(next, lookAgainMs)
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
